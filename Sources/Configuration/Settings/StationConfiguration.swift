// SPDX-License-Identifier: MIT

package import RadioCore
package import Stations

/// One station and what is done with it: `[[station]]`.
package struct StationConfiguration: Hashable, Sendable {
    /// When the station is recorded.
    package enum RecordMode: String, Hashable, Sendable, CaseIterable {
        case always, shows, never
    }

    /// How recordings become files.
    package struct Files: Hashable, Sendable {
        package var segment = SegmentPolicy.standard
        /// The template for names of files; nil for the default, which differs between shows and other recordings.
        package var name: NameTemplate?
        package var titleOffset = Duration.zero
        package var isPure = false
        package var keep = RetentionRule()
    }

    /// How the station is served.
    package struct Relaying: Hashable, Sendable {
        package var isOnDemand = false
        package var burst = Duration.seconds(4)
        /// How much past audio is kept in memory for clients that ask for it.
        package var rewind = Duration.zero
        /// How long listeners are kept while the station is down.
        package var longestOutage = Duration.seconds(600)
        package var hasFiller = true
        /// The fallback: an address, or an absolute path; nil for silence.
        package var fallback: String?
        package var mostListeners: Int?

        package init() {}
    }

    /// A show with its own files.
    package struct ShowConfiguration: Hashable, Sendable {
        package var show: Show
        package var files: Files
    }

    /// The ID, which is unique; also the path of the mount.
    package var id: String
    /// The name for people, file names and tags; nil for the name that the station sends.
    package var name: String?
    /// Addresses, name, request fields and charset. Its seed is zero.
    package var source: StationSettings
    package var record = RecordMode.shows
    package var files = Files()
    /// The settings for listeners; nil if the station is not relayed.
    package var relay: Relaying? = Relaying()
    package var shows: [ShowConfiguration] = []
    package var options = StationOptionValues()
}
