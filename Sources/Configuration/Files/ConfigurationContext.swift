// SPDX-License-Identifier: MIT

/// The facts about the machine and the process that are needed to read a configuration.
package struct ConfigurationContext: Sendable {
    /// The names of time zones.
    package struct ZoneNames: Sendable {
        /// Whether the machine knows a zone of this name.
        package var isKnown: @Sendable (String) -> Bool
        /// The most similar name that the machine knows; nil if there is none.
        package var nearest: @Sendable (String) -> String?

        package init(
            isKnown: @escaping @Sendable (String) -> Bool, nearest: @escaping @Sendable (String) -> String?
        ) {
            self.isKnown = isKnown
            self.nearest = nearest
        }

        /// Accepts any name.
        package static let any = ZoneNames(isKnown: { _ in true }, nearest: { _ in nil })
    }

    /// The folder of systemd's credentials; nil if the process has none.
    package var credentials: String?
    /// The user agent of stations without one of their own.
    package var userAgent: String
    package var zones: ZoneNames
    /// The names of the events of which hooks may be notified.
    package var events: [String]

    /// Takes the folder of systemd's credentials from the environment.
    package init(environment: [String: String], userAgent: String, zones: ZoneNames, events: [String]) {
        credentials = environment["CREDENTIALS_DIRECTORY"]
        self.userAgent = userAgent
        self.zones = zones
        self.events = events
    }
}
