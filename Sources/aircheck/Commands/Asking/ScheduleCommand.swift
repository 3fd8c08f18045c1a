// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import RadioCore
import RadioFormats
import Words

/// `aircheck schedule`: lists future shows.
struct ScheduleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Lists the shows that a running 'aircheck serve' is going to record.",
        discussion: """
            Times are those of this machine. Shows that cannot be recorded, because the limit of stations recorded at \
            once is reached, are marked. Disk space is estimated from each station's current bit rate, or that of its \
            last recording.
            """)

    @Option(help: .value("time", "How far to look ahead. Default: 168h, a week"), transform: ArgumentValue.duration)
    var ahead = DurationArgument(.seconds(7 * 86_400))

    @OptionGroup var options: AnswerOptions

    func run() throws {
        let seconds = "\(ahead.duration.components.seconds)"
        let target = ControlTarget("/v1/schedule").adding("seconds", seconds)
        options.show(try options.client.answer(target), ScheduleTable.lines)
    }
}

/// The table that `aircheck schedule` prints. Pure.
enum ScheduleTable {
    static func lines(_ schedule: JSONValue) -> [String] {
        let shows = schedule["shows"].list
        let table = TextTable.lines([["WHEN", "UNTIL", "STATION", "SHOW", "SPACE", ""]] + shows.map(row), width: .max)
        let room = self.room(schedule)
        let list = (shows.isEmpty ? ["no show airs in this time"] : table) + end(schedule)
        return list + (room.isEmpty ? [] : [""] + room)
    }

    /// The line that says where a shortened schedule ends. The space below it is computed for the same time.
    private static func end(_ schedule: JSONValue) -> [String] {
        guard schedule["cut"]?.boolValue == true, let until = schedule["until"]?.stringValue else { return [] }
        let count = schedule["shows"]?.arrayValue?.count ?? 0
        return ["", "only until \(moment(until)): these are \(Measure.count(count, "show")), the most that are listed"]
    }

    /// The space that all recordings need, and the free space.
    private static func room(_ schedule: JSONValue) -> [String] {
        var lines: [String] = []
        for station in schedule["always"].list {
            let bytes = station["bytes_expected"]?.integerValue.map { ": about \(Measure.bytes($0))" } ?? ""
            lines.append("recorded all the time: \(station["station"]?.stringValue ?? "")\(bytes)")
        }
        let expected = schedule["bytes_expected"]?.integerValue ?? 0
        if expected > 0 {
            let free = schedule["bytes_free"]?.integerValue.map { "; free: \(Measure.bytes($0))" } ?? ""
            let full = schedule["full_at"]?.stringValue.map {
                " – the disk will be full at \(moment($0)), unless older recordings are deleted"
            }
            lines.append("space needed: about \(Measure.bytes(expected))\(free)\(full ?? "")")
        }
        let unknown = schedule["unknown"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if !unknown.isEmpty {
            lines.append(
                "stations not counted, because their bit rate is not known yet: \(unknown.joined(separator: ", "))")
        }
        return lines
    }

    private static func moment(_ time: String) -> String {
        weekday(time) + String(time.prefix(16)).replacing("T", with: " ")
    }

    private static func row(_ show: JSONValue) -> [String] {
        let start = show["start"]?.stringValue ?? ""
        let overlaps = show["overlaps"]?.arrayValue?.count ?? 0
        let note =
            show["refused"]?.boolValue == true
            ? "not recorded, or only in part: too many recordings at this time"
            : overlaps > 0 ? "at the same time as \(Measure.count(overlaps, "other show"))" : ""
        return [
            moment(start),
            String((show["end"]?.stringValue ?? "").dropFirst(11).prefix(5)),
            show["station"]?.stringValue ?? "", show["name"].shown,
            show["bytes_expected"]?.integerValue.map(Measure.bytes) ?? "", note,
        ]
    }

    private static func weekday(_ time: String) -> String {
        guard let time = CivilTime(rfc3339: time) else { return "" }
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        return names[time.weekday.rawValue - 1] + " "
    }
}
