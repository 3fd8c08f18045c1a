// SPDX-License-Identifier: MIT

import ArgumentParser
import Catalog
import Control
import Instants
import RadioCore
import RadioFormats
import WallClock
import Words

/// `aircheck recordings list`.
struct ListRecordings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists recordings, the newest first.",
        discussion: """
            A station that is always recorded has one recording, with a file for each hour. --files lists these files, \
            each with an ID of its own, which the other commands take as well: 4f1c09a27be3d851.3 is the third file.
            """)

    @OptionGroup var filter: RecordingFilter

    @Option(help: ArgumentHelp("Only recordings with these words in a title or artist.", valueName: "words"))
    var text: String?

    @Option(
        help: ArgumentHelp("How many to list at most. Default: 50", valueName: "number"), transform: ArgumentValue.count
    )
    var limit = 50

    @Flag(help: "List the broadcasts of shows instead: which are complete, to half a second, what is missing, and why.")
    var shows = false

    @Flag(help: "List each file of the recordings, with its ID.")
    var files = false

    @OptionGroup var options: AnswerOptions

    func validate() throws {
        if shows, text != nil { throw ValidationError("--text searches recordings, and --shows lists broadcasts") }
        if shows, files { throw ValidationError("--shows lists broadcasts, and --files lists files: give one of them") }
    }

    func run() throws {
        if shows { return try listShows() }
        let answer = try ask()
        if files { return try listFiles(of: answer["recordings"].list) }
        options.show(answer) { RecordingsTable.lines($0) }
    }

    private func listShows() throws {
        let target = filter.added(to: ControlTarget("/v1/shows")).adding("limit", "\(limit)")
        options.show(try options.client.answer(target)) { BroadcastsTable.lines($0) }
    }

    /// Lists the files of these recordings, newest first.
    private func listFiles(of recordings: [JSONValue]) throws {
        var files: [JSONValue] = []
        for recording in recordings {
            let target = ControlTarget("/v1/recording").adding("id", recording["id"]?.stringValue)
            guard let detail = try? options.client.ask(target) else { continue }
            files += RecordedFileList.files(of: detail, filter, in: LocalZone())
        }
        let newest = files.sorted { RecordedFileList.time($0) > RecordedFileList.time($1) }.prefix(limit)
        options.show(["files": .array(Array(newest))]) { _ in RecordedFileList.lines(Array(newest)) }
    }

    /// The request to the daemon, without the number of recordings.
    func target(in zone: any TimeZoneRules = LocalZone()) -> ControlTarget {
        filter.added(to: ControlTarget("/v1/recordings"), in: zone).adding("text", text)
    }

    private func ask() throws -> JSONValue {
        var recordings: [JSONValue] = []
        let next = try RecordingPages.each(options.client, target(), limit: limit) { recordings.append($0) }
        return .object(["recordings": recordings, "next": next.ifKnown])
    }
}

/// The table that `aircheck recordings` prints. Pure.
enum RecordingsTable {
    /// The lines of the table. Times have the recording's own offset from UTC. That offset is printed only where it
    /// differs from the offset of `zone`, the reader's zone.
    static func lines(_ answer: JSONValue, in zone: any TimeZoneRules = LocalZone()) -> [String] {
        let recordings = answer["recordings"].list
        guard !recordings.isEmpty else { return ["no recordings found"] }
        let header = ["ID", "BEGAN", "LENGTH", "SIZE", "STATION", "SHOW", ""]
        var lines = TextTable.lines([header] + recordings.map { row($0, zone) }, width: .max)
        if answer["next"] != nil { lines.append("there are more recordings; a higher --limit shows them") }
        return lines
    }

    private static func row(_ recording: JSONValue, _ zone: any TimeZoneRules) -> [String] {
        let gaps = recording["gaps"]?.integerValue ?? 0
        let missing = recording["missing_seconds"]?.doubleValue ?? 0
        var notes: [String] = []
        let state = recording["state"]?.stringValue
        let isGrowing = state == "growing"
        let isUnknown = recording["id"]?.stringValue.map(UndescribedFile.isID) == true
        if isUnknown { notes.append("no sidecar") }
        if let state, state != "complete" { notes.append(isGrowing ? "under way" : state) }
        if let late = recording["late_seconds"]?.doubleValue { notes.append("\(Measure.length(.seconds(late))) late") }
        if let early = recording["early_seconds"]?.doubleValue {
            notes.append("ended early (\(Measure.span(.seconds(early))) before the show's end)")
        }
        if let earlier = recording["continues"]?.stringValue {
            notes.append(continuation(of: earlier, after: recording["continues_after_seconds"]?.doubleValue ?? 0))
        }
        if gaps > 0 {
            let length = missing > 0 ? " (\(Measure.length(.seconds(missing))))" : ""
            notes.append("\(Measure.count(Int(clamping: gaps), "gap"))\(length)")
        }
        if recording["protected"]?.boolValue == true { notes.append("protected") }
        return [
            recording["id"].shown, time(recording["began"], zone),
            isUnknown ? "" : Measure.clock(seconds: recording["seconds"]?.doubleValue ?? 0),
            Measure.bytes(recording["bytes"]?.integerValue ?? 0),
            recording["station"]?.stringValue ?? recording["station_name"].shown, recording["show_name"].shown,
            notes.joined(separator: ", "),
        ]
    }

    /// How a recording continues an earlier one of the same broadcast.
    private static func continuation(of earlier: String, after seconds: Double) -> String {
        let name = "continues \(TitleText.cleaned(earlier))"
        guard abs(seconds) >= leastPause else { return name }
        let length = Measure.length(.seconds(abs(seconds)))
        return seconds < 0 ? "\(name) (overlap of \(length))" : "\(name) (pause of \(length))"
    }

    /// The shortest pause or overlap to print, in seconds. Air times are accurate to a few milliseconds, and few frames
    /// last longer than this.
    private static let leastPause = 0.1

    /// The time to the minute, with its offset from UTC if that differs from the offset of the reader's zone.
    static func time(_ value: JSONValue?, _ zone: any TimeZoneRules) -> String {
        let text = value.shown
        guard let time = CivilTime(rfc3339: text) else { return text }
        let shown = CivilTime(time.instant + longestFrame, utcOffset: time.utcOffset).rfc3339
        let minute = String(shown.prefix(16)).replacing("T", with: " ")
        guard time.utcOffset != zone.utcOffset(at: time.instant) else { return minute }
        return "\(minute) \(text.hasSuffix("Z") ? "UTC" : text.suffix(6))"
    }

    /// Longer than a frame of any format. A show begins with the frame into which its start falls.
    private static let longestFrame = Duration.milliseconds(500)
}
