// SPDX-License-Identifier: MIT

package import Configuration
import RadioCore

/// The rules of all stations and shows, and the space that is to be free on the disk.
package struct RetentionRules: Hashable, Sendable {
    /// The rules of a station and of its shows, as far as they have their own.
    package struct Station: Hashable, Sendable {
        package var own: RetentionRule
        package var shows: [String: RetentionRule]

        package init(own: RetentionRule = RetentionRule(), shows: [String: RetentionRule] = [:]) {
            self.own = own
            self.shows = shows
        }
    }

    /// The rule of stations and shows that have none of their own.
    package var general: RetentionRule
    /// The number of bytes to keep free on the disk; nil if nothing is deleted to free space.
    package var floor: Int64?
    /// The configured stations, by their IDs.
    package var stations: [String: Station]

    /// Rules that delete nothing.
    package static let none = RetentionRules()

    package init(general: RetentionRule = RetentionRule(), floor: Int64? = nil, stations: [String: Station] = [:]) {
        self.general = general
        self.floor = floor
        self.stations = stations
    }

    /// Whether nothing is ever deleted.
    package var isEmpty: Bool { floor == nil && all.allSatisfy { !$0.hasLimit } }

    /// Whether any rule is about age.
    package var countDays: Bool { all.contains { $0.days != nil } }

    /// Whether a station is in the configuration.
    package func knows(_ station: String?) -> Bool { station.map { stations[$0] != nil } ?? false }

    /// The show's own rule, or else its station's rule, or else the general rule. A station that is not in the
    /// configuration has no limits, because a user who removes a station may want to keep its recordings.
    package func rule(_ station: String?, _ show: String?) -> RetentionRule {
        guard let station = station.flatMap({ stations[$0] }) else { return RetentionRule() }
        let own = show.flatMap { station.shows[$0] } ?? RetentionRule()
        return own.completed(by: station.own).completed(by: general)
    }

    private var all: [RetentionRule] {
        stations.values.flatMap { [$0.own] + Array($0.shows.values) } + [general]
    }
}
