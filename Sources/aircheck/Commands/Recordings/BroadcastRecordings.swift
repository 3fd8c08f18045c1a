// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import Instants
import RadioCore
import RadioFormats

/// The recordings of one broadcast of a show: several if the daemon was restarted meanwhile.
enum BroadcastRecordings {
    /// Asks for the recordings of the broadcast of a day that is on at `start`; nil for the only one of the day.
    /// Returns their IDs, each before the recordings that continue it.
    static func ask(
        _ client: ControlClient, show: String, date: CalendarDate, start: TimeOfDay?, station: String?
    ) throws -> [String] {
        let target = ControlTarget("/v1/recordings").adding("show", show).adding("station", station)
            .adding("date", "\(date)")
        var found: [JSONValue] = []
        try RecordingPages.each(client, target) { found.append($0) }
        guard !found.isEmpty else {
            var console = Console()
            throw console.failure(
                "there is no recording of '\(show)' on \(date); 'aircheck recordings' lists them", .noInput)
        }
        return inOrder(try select(found, show: show, date: date, start: start))
    }

    /// The recordings of the wanted broadcast. `found`: those of all broadcasts of the day. Throws if several
    /// broadcasts may be meant, or none.
    static func select(
        _ found: [JSONValue], show: String, date: CalendarDate, start: TimeOfDay?
    ) throws -> [JSONValue] {
        let stations = Set(found.compactMap { $0["station"]?.stringValue })
        guard stations.count <= 1 else {
            throw ValidationError(
                "several stations have the show '\(show)': choose one of \(stations.sorted().joined(separator: ", ")) "
                    + "with --station")
        }
        let begins = Set(found.compactMap { $0["from"]?.timeValue }).sorted { $0.instant < $1.instant }
        let wanted =
            start.map { start in
                // Where two broadcasts overlap, the later one is meant. A time that is on the next day, after midnight,
                // counts if no broadcast is on at that time of the day itself.
                [date, date.adding(days: 1)].lazy.compactMap { day in
                    found.compactMap { onAir($0, at: start, of: day) }.max { $0.instant < $1.instant }
                }.first
            } ?? (begins.count > 1 ? nil : begins.first)
        guard let wanted else {
            let starts = begins.map(clock).joined(separator: " or ")
            throw ValidationError(
                start.map { "'\(show)' was not on at \($0) on \(date): choose \(starts) with --start" }
                    ?? "'\(show)' was on several times on \(date): choose a broadcast with --start, \(starts)")
        }
        return found.filter { $0["from"]?.timeValue?.instant == wanted.instant }
    }

    /// When the broadcast of a recording begins; nil if the broadcast is not on at this time of the day.
    private static func onAir(_ recording: JSONValue, at start: TimeOfDay, of date: CalendarDate) -> CivilTime? {
        guard let from = recording["from"]?.timeValue, let until = recording["until"]?.timeValue else { return nil }
        let midnight = date.start(in: FixedZone.utc) - .seconds(from.utcOffset)
        let instant = midnight + .nanoseconds(start.nanoseconds)
        return from.instant <= instant && instant < until.instant ? from : nil
    }

    /// `07:00`, or `07:00:30`: not before `time`.
    private static func clock(_ time: CivilTime) -> String {
        let second = CivilTime(time.instant + .milliseconds(999), utcOffset: time.utcOffset)
        let text = second.rfc3339.dropFirst(11).prefix(8)
        return String(text.hasSuffix(":00") ? text.dropLast(3) : text)
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
