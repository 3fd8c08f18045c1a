// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Words

/// The table that `aircheck recordings --shows` prints. Pure.
enum BroadcastsTable {
    static func lines(_ answer: JSONValue) -> [String] {
        let shows = answer["shows"]?.arrayValue ?? []
        guard !shows.isEmpty else { return ["no show has ended yet"] }
        return TextTable.lines([["BEGAN", "STATION", "SHOW", "RESULT", ""]] + shows.map(row), width: .max)
    }

    private static func row(_ show: JSONValue) -> [String] {
        let (result, missing) = (text(show["result"]), show["missing_seconds"]?.doubleValue ?? 0)
        let lacks = result == "incomplete" ? ", \(Measure.span(.seconds(missing))) missing" : ""
        return [
            String(text(show["from"]).prefix(16)).replacing("T", with: " "), text(show["station"]), text(show["name"]),
            result + lacks, reasons(show).joined(separator: "; "),
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
