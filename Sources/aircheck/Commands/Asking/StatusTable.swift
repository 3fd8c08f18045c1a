// SPDX-License-Identifier: MIT

import RadioFormats
import Words

/// What `aircheck status` prints. Pure.
enum StatusTable {
    /// A summary, the current problems, and the table with the player, at most `width` columns wide. The problems come
    /// first, because a window may not have room for all stations. `onlyFailing`: whether only stations with a current
    /// problem are listed.
    static func lines(_ status: JSONValue, width: Int, onlyFailing: Bool = false) -> [String] {
        let all = status["stations"].list
        guard !all.isEmpty else { return ["no stations are configured"] }
        let stations = onlyFailing ? all.filter(isFailing) : all
        let faults = stations.filter(isFailing) + stations.filter { !isFailing($0) }
        let notes =
            [summary(all)] + faults.flatMap(errors) + stations.compactMap(entry)
            + behind(stations) + (status["player"].flatMap(player).map { [$0] } ?? [])
        let header = ["STATION", "STATE", "LISTENERS", "RECORDING", "GAPS", "TITLE", "RATE"]
        let table = stations.isEmpty ? [] : [header] + stations.map(row)
        return notes.map { cut($0, width) } + TextTable.lines(table, width: width, narrow: narrow)
    }

    /// The status with only those stations that have a current problem.
    static func onlyFailing(_ status: JSONValue) -> JSONValue {
        guard case .object(var object) = status else { return status }
        object["stations"] = .array(status["stations"].list.filter(isFailing))
        return .object(object)
    }

    /// Whether a station that is needed sends no audio, or a recording of it cannot be written.
    static func isFailing(_ station: JSONValue) -> Bool {
        let state = station["state"]?.stringValue
        let hasFailed = station["last_error"].map { $0 != .null } ?? false
        return state == "waiting" || !["live", "idle", "stopped"].contains(state) && hasFailed
            || !(recordings(station).allSatisfy { $0["error"]?["message"] == nil })
    }

    /// One line: how many stations, and what they do.
    private static func summary(_ stations: [JSONValue]) -> String {
        let live = stations.count { $0["state"]?.stringValue == "live" }
        let failing = stations.count(where: isFailing)
        let recordings = stations.reduce(0) { $0 + self.recordings($1).count }
        let listeners = stations.reduce(Int64(0)) { $0 + ($1["listeners"]?.integerValue ?? 0) }
        return [
            Measure.count(stations.count, "station"), "\(live) live",
            failing == 0 ? "none failing" : "\(failing) failing",
            Measure.count(recordings, "recording"), Measure.count(Int(clamping: listeners), "listener"),
        ].joined(separator: ", ")
    }

    private static func recordings(_ station: JSONValue) -> [JSONValue] { station["recordings"].list }

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
        let recordings = recordings(station)
        let gaps = station["gaps"]?.integerValue ?? 0
        let missing = station["gap_seconds"]?.doubleValue ?? 0
        return [
            station["id"].shown, state(station),
            station["listeners"]?.integerValue.map { "\($0)" } ?? "–",
            recordings.isEmpty ? "–" : recordings.map(recording).joined(separator: ", "),
            missing > 0 ? "\(gaps) (\(Measure.length(.seconds(missing))))" : "\(gaps)", station["title"].shown,
            station["kbps"]?.integerValue.map { "\($0) kbit/s" } ?? "",
        ]
    }

    /// The station's state in one word, and the time until the next attempt. The reason is printed above the table.
    private static func state(_ station: JSONValue) -> String {
        let word = station["state"].shown
        guard let wait = station["retry_seconds"]?.doubleValue, wait >= 0.5 else { return word }
        return "\(word) \(Int(wait.rounded())) s"
    }

    /// The problems of a station and its recordings. The last error stays when the station is on air again, because it
    /// explains the gaps.
    private static func errors(_ station: JSONValue) -> [String] {
        let id = station["id"].shown
        let last = station["last_error"].flatMap(lastError).map { ["\(id): \($0)"] } ?? []
        let recordings = recordings(station).compactMap { recording in
            recording["error"]?["message"]?.stringValue.map { "\(id): recording fails: \(TitleText.cleaned($0))" }
        }
        return last + recordings
    }

    /// Says that not the first entry of a station's list plays, or that another station plays at its address.
    private static func entry(_ station: JSONValue) -> String? {
        guard let entry = station["entry"], entry != .null else { return nil }
        guard let number = entry["number"]?.integerValue else {
            return "\(station["id"].shown): another station plays at its address (\(entry["station"].shown))"
        }
        guard number > 1 else { return nil }
        return "\(station["id"].shown): entry \(number) of \(entry["of"]?.integerValue ?? number) of its list plays "
            + "(\(entry["station"].shown)); the entries before it are tried again"
    }

    /// Names the stations that are behind the air, as stations in HLS are.
    private static func behind(_ stations: [JSONValue]) -> [String] {
        let words: [String] = stations.compactMap { station in
            Wording.behind(station["behind_seconds"]?.doubleValue.map { .seconds($0) })
                .map { "\(station["id"].shown) \($0)" }
        }
        return words.isEmpty ? [] : [words.joined(separator: ", ")]
    }

    private static func lastError(_ error: JSONValue) -> String? {
        guard let message = error["message"]?.stringValue, let ago = error["ago"]?.doubleValue else { return nil }
        return "\(Measure.age(.seconds(ago))) ago: \(TitleText.cleaned(message))"
    }

    private static func player(_ player: JSONValue) -> String? {
        guard let station = player["station"]?.stringValue else { return nil }
        let volume = player["muted"]?.boolValue == true ? "muted" : "volume \(player["volume"]?.integerValue ?? 0) %"
        let error = player["error"]?["message"]?.stringValue.map { ": \(TitleText.cleaned($0))" } ?? ""
        return "player: \(TitleText.cleaned(station)), \(volume), \(player["state_text"].shown)\(error)"
    }

    private static func recording(_ recording: JSONValue) -> String {
        let name: String
        switch recording["kind"]?.stringValue {
        case "show": name = recording["show_name"]?.stringValue ?? recording["show"].shown
        case "manual": name = "no. \(recording["number"]?.integerValue ?? 0)"
        default: name = "always"
        }
        let elapsed = recording["elapsed"]?.doubleValue ?? 0
        return elapsed > 0 ? "\(name) \(Measure.clock(.seconds(elapsed)))" : "\(name) (waits)"
    }

    private static func cut(_ text: String, _ width: Int) -> String { DisplayWidth.cut(text, to: width) }
}
