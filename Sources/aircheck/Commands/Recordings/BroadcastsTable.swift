// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import WallClock
import Words

/// The table that `aircheck recordings --shows` prints. Pure.
enum BroadcastsTable {
    /// The lines of the table. Times are those of the show's zone: see ``RecordingsTable/time(_:_:)``.
    static func lines(_ answer: JSONValue, in zone: any TimeZoneRules = LocalZone()) -> [String] {
        let shows = answer["shows"]?.arrayValue ?? []
        guard !shows.isEmpty else { return ["no show has ended yet"] }
        return TextTable.lines([["BEGAN", "STATION", "SHOW", "RESULT", ""]] + shows.map { row($0, zone) }, width: .max)
    }

    private static func row(_ show: JSONValue, _ zone: any TimeZoneRules) -> [String] {
        let (result, missing) = (text(show["result"]), show["missing_seconds"]?.doubleValue ?? 0)
        let lacks = result == "incomplete" ? ", \(Measure.length(.seconds(missing))) missing" : ""
        return [
            RecordingsTable.time(show["from"], zone), text(show["station"]), text(show["name"]), result + lacks,
            reasons(show).joined(separator: "; "),
        ]
    }

    /// When and why audio is missing.
    private static func reasons(_ show: JSONValue) -> [String] {
        let missing = show["missing"]?.arrayValue ?? []
        let shown = missing.prefix(mostReasons).map { stretch in
            let times = [stretch["from"], stretch["until"]].map { text($0).dropFirst(11).prefix(8) }
            return "\(times[0])-\(times[1]): \(text(stretch["cause"]))"
        }
        return shown + (missing.count > mostReasons ? ["and \(missing.count - mostReasons) more"] : [])
    }

    private static let mostReasons = 3

    private static func text(_ value: JSONValue?) -> String { TitleText.cleaned(value?.stringValue ?? "") }
}
