// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import WallClock
import Words

/// The table that `aircheck recordings --shows` prints. Pure.
enum BroadcastsTable {
    /// The lines of the table. Times are those of the show's zone: see ``RecordingsTable/time(_:_:)``.
    static func lines(_ answer: JSONValue, in zone: any TimeZoneRules = LocalZone()) -> [String] {
        let shows = answer["shows"].list
        guard !shows.isEmpty else { return ["no show has ended yet"] }
        return TextTable.lines([["BEGAN", "STATION", "SHOW", "RESULT", ""]] + shows.map { row($0, zone) }, width: .max)
    }

    private static func row(_ show: JSONValue, _ zone: any TimeZoneRules) -> [String] {
        let (result, missing) = (show["result"].shown, show["missing_seconds"]?.doubleValue ?? 0)
        let lacks = result == "incomplete" ? ", \(Measure.length(.seconds(missing))) missing" : ""
        return [
            RecordingsTable.time(show["from"], zone), show["station"].shown, show["name"].shown, result + lacks,
            reasons(show).joined(separator: "; "),
        ]
    }

    /// When and why audio is missing.
    private static func reasons(_ show: JSONValue) -> [String] {
        let missing = show["missing"].list
        let shown = missing.prefix(mostReasons).map { stretch in
            let times = [stretch["from"], stretch["until"]].map { $0.shown.dropFirst(11).prefix(8) }
            return "\(times[0])-\(times[1]): \(stretch["cause"].shown)"
        }
        return shown + (missing.count > mostReasons ? ["and \(missing.count - mostReasons) more"] : [])
    }

    private static let mostReasons = 3
}
