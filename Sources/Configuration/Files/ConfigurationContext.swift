// SPDX-License-Identifier: MIT

/// What a configuration means besides its own words.
package struct ConfigurationContext: Sendable {
    /// The names of time zones.
    package struct Zones: Sendable {
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
        package static let any = Zones(isKnown: { _ in true }, nearest: { _ in nil })
    }

    /// Where systemd's credentials are: `CREDENTIALS_DIRECTORY`.
    package var environment: [String: String]
    /// The user agent of stations without one of their own.
    package var userAgent: String
    package var zones: Zones

    package init(environment: [String: String], userAgent: String, zones: Zones) {
        self.environment = environment
        self.userAgent = userAgent
        self.zones = zones
    }
}
