// SPDX-License-Identifier: MIT

import Configuration
import Engine

extension UseKey.Kind {
    package static let watch = Self("watch", rank: 4)
}

/// Watches for stations that are silent, or stand still in one tone.
struct WatchPurpose: Purpose {
    func add(to plan: inout RunningPlan, at moment: PlanMoment) {
        for station in moment.configuration.stations {
            guard let longest = station.options[.silence] else { continue }
            plan.add(UseKey(station.id, .watch), WatchPlan(longest: longest))
        }
    }
}

/// A watch that should run.
struct WatchPlan: UsePlan {
    var longest: Duration

    /// A watch does not need its station to run.
    var isOnDemand: Bool { true }

    func spec(_ start: UseStart) -> any UseSpec { WatchSpec(longest: longest) }
}
