// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import Words

/// The table that `aircheck status` prints. Pure.
enum StatusTable {
    /// The lines of the table, at most `width` columns wide, followed by the player and the current problems.
    static func lines(_ status: JSONValue, width: Int) -> [String] {
        let stations = status["stations"]?.arrayValue ?? []
        guard !stations.isEmpty else { return ["no stations are configured"] }
        let header = ["STATION", "STATE", "LISTENERS", "RECORDING", "GAPS", "TITLE", "RATE"]
        let table = TextTable.lines([header] + stations.map(row), width: width, narrow: narrow)
        let notes = (status["player"].flatMap(player).map { [$0] } ?? []) + stations.flatMap(errors)
        return table + notes.map { cut($0, width) }
    }

    /// The widths of the columns up to GAPS in a window of 80 columns, so that a long text hides none of them.
    private static let narrow = [16, 13, 9, 19, 15]

    /// The lines that fit into a window of this height. If some do not fit, the last line states their number.
    static func fitting(_ lines: [String], height: Int, width: Int) -> [String] {
        guard lines.count > height else { return lines }
        let shown = max(0, height - 1)
        let more = "\(lines.count - shown) more lines: 'aircheck status --once' prints all"
        return lines.prefix(shown) + [cut(more, width)]
    }

    private static func row(_ station: JSONValue) -> [String] {
        let recordings = station["recordings"]?.arrayValue ?? []
        let gaps = station["gaps"]?.integerValue ?? 0
        let missing = station["gap_seconds"]?.doubleValue ?? 0
        return [
            text(station["id"]), state(station),
            station["listeners"]?.integerValue.map { "\($0)" } ?? "–",
            recordings.isEmpty ? "–" : recordings.map(recording).joined(separator: ", "),
            gaps == 0 ? "0" : "\(gaps) (\(Measure.length(.seconds(missing))))", text(station["title"]),
            station["kbps"]?.integerValue.map { "\($0) kbit/s" } ?? "",
        ]
    }

    /// The station's state in one word, and the time until the next attempt. The reason is printed below the table.
    private static func state(_ station: JSONValue) -> String {
        let word = text(station["state"])
        guard let wait = station["retry_seconds"]?.doubleValue, wait >= 0.5 else { return word }
        return "\(word) \(Int(wait.rounded())) s"
    }

    /// The problems of a station and its recordings. The last error stays when the station is on air again, because
    /// it explains the gaps.
    private static func errors(_ station: JSONValue) -> [String] {
        let id = text(station["id"])
        let last = station["last_error"].flatMap(lastError).map { ["\(id): \($0)"] } ?? []
        let recordings = (station["recordings"]?.arrayValue ?? []).compactMap { recording in
            recording["error"]?["message"]?.stringValue.map { "\(id): recording fails: \(TitleText.cleaned($0))" }
        }
        return last + recordings
    }

    private static func lastError(_ error: JSONValue) -> String? {
        guard let message = error["message"]?.stringValue, let ago = error["ago"]?.doubleValue else { return nil }
        return "\(Measure.age(.seconds(ago))) ago: \(TitleText.cleaned(message))"
    }

    private static func player(_ player: JSONValue) -> String? {
        guard let station = player["station"]?.stringValue else { return nil }
        let volume = player["muted"]?.boolValue == true ? "muted" : "volume \(player["volume"]?.integerValue ?? 0) %"
        let error = player["error"]?["message"]?.stringValue.map { ": \(TitleText.cleaned($0))" } ?? ""
        return "player: \(TitleText.cleaned(station)), \(volume), \(text(player["state_text"]))\(error)"
    }

    private static func recording(_ recording: JSONValue) -> String {
        let name: String
        switch recording["kind"]?.stringValue {
        case "show": name = recording["show_name"]?.stringValue ?? text(recording["show"])
        case "manual": name = "no. \(recording["number"]?.integerValue ?? 0)"
        default: name = "always"
        }
        let elapsed = recording["elapsed"]?.doubleValue ?? 0
        return elapsed > 0 ? "\(name) \(Measure.clock(.seconds(elapsed)))" : "\(name) (waits)"
    }

    private static func text(_ value: JSONValue?) -> String { TitleText.cleaned(value?.stringValue ?? "") }

    private static func cut(_ text: String, _ width: Int) -> String { DisplayWidth.cut(text, to: width) }
}
