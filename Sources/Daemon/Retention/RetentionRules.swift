// SPDX-License-Identifier: MIT

import Configuration
import RadioCore

/// The rules of all stations and shows.
struct RetentionRules: Sendable {
    private let general: RetentionRule
    private let stations: [String: StationConfiguration]
    private let countsDays: Bool

    /// `countsDays` is true if recordings may be deleted for their age.
    init(_ configuration: Configuration, countsDays: Bool = true) {
        general = configuration.storage.keep
        stations = Dictionary(configuration.stations.map { ($0.id, $0) }) { first, _ in first }
        self.countsDays = countsDays
    }

    /// Whether there are no rules.
    var isEmpty: Bool { all.allSatisfy { $0 == RetentionRule() } }

    /// Whether there are rules about age that do not apply yet.
    var ageHasToWait: Bool { !countsDays && all.contains { $0.days != nil } }

    private var all: [RetentionRule] {
        stations.values.flatMap { [$0.files.keep] + $0.shows.map(\.files.keep) } + [general]
    }

    /// Whether a station is in the configuration.
    func knows(_ station: String?) -> Bool { station.map { stations[$0] != nil } ?? false }

    /// The show's own rule, or else its station's rule, or else the general rule. A station that is not in the
    /// configuration has no limits, because a user who removes a station may want to keep its recordings.
    func rule(_ station: String?, _ show: String?) -> RetentionRule {
        guard let station = station.flatMap({ stations[$0] }) else { return RetentionRule() }
        let own = station.shows.first { $0.show.id == show }?.files.keep
        var rule = [own, station.files.keep].compactMap(\.self).first { $0 != RetentionRule() } ?? general
        if !countsDays { rule.days = nil }
        return rule
    }
}
