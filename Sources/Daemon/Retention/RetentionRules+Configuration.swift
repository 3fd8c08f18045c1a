// SPDX-License-Identifier: MIT

import Configuration
import RadioCore

extension RetentionRules {
    /// The rules of a configuration.
    init(_ configuration: Configuration) {
        self.init(general: configuration.storage.keep, floor: configuration.storage.leastFree)
        for station in configuration.stations {
            let shows = station.shows.map { ($0.show.id, $0.files.keep) }.filter { $0.1 != RetentionRule() }
            stations[station.id] = Station(
                own: station.files.keep, shows: Dictionary(shows) { first, _ in first })
        }
    }
}
