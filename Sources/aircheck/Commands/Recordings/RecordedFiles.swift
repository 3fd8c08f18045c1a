// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import Instants
import RadioCore
import RadioFormats
import Storage

/// The files of a recording, as listed by the daemon.
struct RecordedFiles {
    var folder: String
    /// The paths of the files, relative to the folder.
    var paths: [[String]]
    /// Whether these are the files of a whole recording, and not a single file.
    private var isWhole: Bool

    var library: Library { Library(path: folder, depth: NameTemplate.maxComponents) }

    /// Asks for the files of a recording, or for one of its files, whose ID is the recording's with a dot and a number.
    static func ask(_ client: ControlClient, _ id: String) throws -> RecordedFiles {
        RecordedFiles(try DaemonQuestion.ask(client, target(id)), id)
    }

    /// Nil if `mayBeGone` and the daemon does not know the recording.
    static func ask(_ client: ControlClient, _ id: String, mayBeGone: Bool) throws -> RecordedFiles? {
        guard mayBeGone else { return try ask(client, id) }
        do throws(ControlClient.Refusal) {
            return RecordedFiles(try client.ask(target(id)), id)
        } catch {
            guard error.failure.failureClass != .notFound else { return nil }
            // Asked once more, to report the failure as always.
            return try ask(client, id)
        }
    }

    private static func target(_ id: String) -> ControlTarget { ControlTarget("/v1/recording").adding("id", id) }

    /// `answer`: the daemon's answer about `id`.
    private init(_ answer: JSONValue, _ id: String) {
        let paths = (answer["files"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
        folder = answer["folder"]?.stringValue ?? ""
        self.paths = paths.map { $0.split(separator: "/").map(String.init) }
        isWhole = answer["recording"]?["id"]?.stringValue == id
    }

    /// Files that are gone, although other files of the recording name them.
    func holes(in recording: LibraryRecording) -> [LibraryRecording.Hole] {
        isWhole ? recording.holes.filter { !$0.named.allSatisfy(paths.contains) } : []
    }
}

/// The recordings of one broadcast of a show: several if the daemon was restarted meanwhile.
struct Broadcast {
    /// The IDs of the recordings, each before the recordings that continue it.
    var recordings: [String]

    /// Asks for the recordings of the broadcast of a day. Throws if there is none, or if several stations have one.
    static func ask(
        _ client: ControlClient, show: String, date: CalendarDate, station: String?
    ) throws -> Broadcast {
        let day = CivilTime(date.start(in: FixedZone.utc), in: FixedZone.utc).instant
        // The day of any zone lies within this span.
        let span = (day - .seconds(2 * 86_400), day + .seconds(3 * 86_400))
        let target = ControlTarget("/v1/recordings").adding("show", show).adding("station", station)
            .adding("from", CivilTime(span.0, utcOffset: 0).rfc3339)
            .adding("until", CivilTime(span.1, utcOffset: 0).rfc3339).adding("limit", "1000")
        let answer = try DaemonQuestion.ask(client, target)
        let found = select(answer["recordings"]?.arrayValue ?? [], date)
        guard !found.isEmpty else {
            var console = Console()
            console.say("error: there is no recording of '\(show)' on \(date); 'aircheck recordings' lists them")
            throw ExitStatus.noInput.code
        }
        let stations = Set(found.compactMap { $0["station"]?.stringValue })
        guard stations.count <= 1 else {
            throw ValidationError(
                "several stations have the show '\(show)': choose one of \(stations.sorted().joined(separator: ", ")) "
                    + "with --station")
        }
        return Broadcast(recordings: inOrder(found))
    }

    /// The recordings whose broadcast is that of the day. A broadcast of shortly after midnight may be recorded from
    /// shortly before midnight on.
    static func select(_ recordings: [JSONValue], _ date: CalendarDate) -> [JSONValue] {
        func began(_ recording: JSONValue, _ margin: Duration) -> String? {
            guard let from = recording["from"]?.stringValue.flatMap(CivilTime.init(rfc3339:)) else { return nil }
            return String(CivilTime(from.instant + margin, utcOffset: from.utcOffset).rfc3339.prefix(10))
        }
        let exact = recordings.filter { began($0, .zero) == "\(date)" }
        return exact.isEmpty ? recordings.filter { began($0, .seconds(3_600)) == "\(date)" } : exact
    }

    /// The IDs of recordings by the time at which they began, but each after the recording that it continues, whatever
    /// the clock showed.
    static func inOrder(_ recordings: [JSONValue]) -> [String] {
        let sorted = recordings.sorted { ($0["began"]?.stringValue ?? "") < ($1["began"]?.stringValue ?? "") }
        let earlier = Dictionary(
            sorted.map { ($0["id"]?.stringValue ?? "", $0["continues"]?.stringValue) }
        ) { first, _ in first }
        var ordered: [String] = []
        func add(_ id: String, _ depth: Int) {
            guard earlier[id] != nil, !ordered.contains(id), depth <= sorted.count else { return }
            if let before = earlier[id] ?? nil { add(before, depth + 1) }
            if !ordered.contains(id) { ordered.append(id) }
        }
        for recording in sorted { add(recording["id"]?.stringValue ?? "", 0) }
        return ordered
    }
}
