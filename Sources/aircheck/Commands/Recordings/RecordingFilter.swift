// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import RadioCore
import WallClock

/// Options that select recordings or their titles; shared by the commands that list them.
struct RecordingFilter: ParsableArguments {
    @Option(help: ArgumentHelp("Only from this station.", valueName: "id"), completion: .stations)
    var station: String?

    @Option(help: ArgumentHelp("Only from this show.", valueName: "id"), completion: .shows)
    var show: String?

    @Option(
        help: ArgumentHelp("Only what was on air from this day on, such as 2026-11-24.", valueName: "date"),
        transform: ArgumentValue.date)
    var from: CalendarDate?

    @Option(help: .value("date", "Only what was on air before this day."), transform: ArgumentValue.date)
    var until: CalendarDate?

    /// The target with these conditions in its query. Days begin at their first instant in `zone`.
    func added(to target: ControlTarget, in zone: any TimeZoneRules = LocalZone()) -> ControlTarget {
        func start(_ date: CalendarDate?) -> String? { date.map { CivilTime($0.start(in: zone), in: zone).rfc3339 } }
        return target.adding("station", station).adding("show", show).adding("from", start(from))
            .adding("until", start(until))
    }
}
