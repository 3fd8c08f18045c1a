// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import Instants
import RadioCore
import RadioFormats

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
