// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import Words

/// The table that `aircheck status` prints. Pure.
enum StatusTable {
    /// The lines of the table, at most `width` columns wide.
    static func lines(_ status: JSONValue, width: Int) -> [String] {
        let stations = status["stations"]?.arrayValue ?? []
        guard !stations.isEmpty else { return ["no stations are configured"] }
        let header = ["STATION", "STATE", "RATE", "LISTENERS", "RECORDING", "GAPS", "TITLE", "LAST ERROR"]
        var lines = TextTable.lines([header] + stations.map(row), width: width)
        for station in stations {
            for recording in station["recordings"]?.arrayValue ?? [] {
                guard let message = recording["error"]?["message"]?.stringValue else { continue }
                lines.append(cut("\(text(station["id"])): recording fails: \(message)", width))
            }
        }
        return lines
    }

    /// As many of the lines as fit into a window of this height, and how many more there are.
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
            text(station["id"]), text(station["state_text"]),
            station["kbps"]?.integerValue.map { "\($0) kbit/s" } ?? "",
            station["listeners"]?.integerValue.map { "\($0)" } ?? "–",
            recordings.isEmpty ? "–" : recordings.map(recording).joined(separator: ", "),
            gaps == 0 ? "0" : "\(gaps) (\(Measure.length(.seconds(missing))))", text(station["title"]),
            station["last_error"].flatMap(lastError) ?? "",
        ]
    }

    /// Also of a station that is on air again: an error explains the gaps.
    private static func lastError(_ error: JSONValue) -> String? {
        guard let message = error["message"]?.stringValue, let ago = error["ago"]?.doubleValue else { return nil }
        return "\(Measure.age(.seconds(ago))) ago: \(TitleText.cleaned(message))"
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
