// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import RadioFormats
import Storage

/// What is asked to be recorded: a station, a show of it, or a broadcast of a show.
struct Asked: Hashable {
    /// The ID of the station.
    var station: String
    /// The ID of the show; nil for the recordings that are not those of a show.
    var show: String?
    /// The date of the broadcast; nil for all broadcasts of the show.
    var date: CalendarDate?
    /// The time of the broadcast; nil for the first one of the date.
    var time: TimeOfDay?

    init(_ station: String, show: String? = nil) { (self.station, self.show) = (station, show) }

    init(_ key: UseKey) {
        self.init(key.station)
        (show, date, time) = (key.broadcast?.show, key.broadcast?.date, key.broadcast?.time)
    }
}

/// Spans in which nobody asked for a station, show or broadcast that is asked for at another time: the station was
/// added late, removed, or got another ID; a broadcast was skipped for a while, or its start was moved to an earlier
/// time while it was on. Audio that is missing in these spans was not wanted.
struct AskedTimes: Hashable {
    private struct Absence: Hashable {
        var asked: Asked
        var span: Range<WallInstant>
    }

    /// What the newest configuration asks for; nil if no configuration is known.
    private var asked: Set<Asked>?
    /// The absences, in the order in which they became known.
    private var absences: [Absence] = []

    static let cause = "it was not to be recorded then"

    private static let most = 2_000
    private static let always = WallInstant(nanoseconds: 0)..<WallInstant(nanoseconds: .max)

    /// Whether no configuration is known.
    var isUnknown: Bool { asked == nil }

    /// Lets a configuration apply from a time on. Returns whether it asks for anything other than the configuration
    /// before.
    mutating func apply(_ configuration: Configuration, at now: WallInstant) -> Bool {
        let new = Set(
            configuration.stations.flatMap { station in
                [Asked(station.id)]
                    + (station.record == .never ? [] : station.shows.map { Asked(station.id, show: $0.show.id) })
            })
        defer { asked = new }
        guard let old = asked else { return true }
        let now = min(max(now, Self.always.lowerBound), Self.always.upperBound)
        // The clock was ahead at the time of a change.
        absences.removeAll {
            $0.asked.date == nil && now < $0.span.upperBound && $0.span.upperBound < Self.always.upperBound
        }
        for gone in old.subtracting(new) { note(gone, absent: now..<Self.always.upperBound) }
        for added in new.subtracting(old) { note(added, absentSince: Self.always.lowerBound, until: now) }
        return old != new
    }

    /// Replaces the broadcasts that are on, `old`, by others. `moved` finds those that the change has moved to another
    /// time. Returns whether they differ.
    mutating func change(
        _ old: [ShowAiring], to new: [ShowAiring], at now: WallInstant, moved: (UseKey) -> ShowAiring?
    ) -> Bool {
        let (before, after) = (Set(old.map(\.key)), Set(new.map(\.key)))
        for gone in old where !after.contains(gone.key) {
            let next = moved(gone.key).map(\.window.lowerBound).flatMap { $0 > now ? $0 : nil }
            note(Asked(gone.key), absent: now..<min(gone.window.upperBound, next ?? gone.window.upperBound))
        }
        for added in new where !before.contains(added.key) {
            note(Asked(added.key), absentSince: added.window.lowerBound, until: now)
        }
        return before != after
    }

    private mutating func note(_ asked: Asked, absent span: Range<WallInstant>) {
        absences = absences.suffix(Self.most - 1) + [Absence(asked: asked, span: span)]
    }

    /// Ends an absence. `start`: its beginning, if that was not noted.
    private mutating func note(_ added: Asked, absentSince start: WallInstant, until now: WallInstant) {
        let last = absences.lastIndex {
            $0.asked == added && ($0.span.contains(now) || $0.span.upperBound == Self.always.upperBound)
        }
        guard let last else { return note(added, absent: start..<now) }
        absences[last].span = absences[last].span.lowerBound..<max(now, absences[last].span.lowerBound)
    }

    /// The spans in which `asked` was not asked for, as causes of missing audio. If `asked` is a broadcast, nobody
    /// asked for it while nobody asked for its show.
    func causes(of asked: Asked) -> [RecordingResult.Cause] {
        let show = Asked(asked.station, show: asked.show)
        return absences.filter { ($0.asked == asked || $0.asked == show) && !$0.span.isEmpty }
            .map { .init(span: $0.span, text: Self.cause) }
    }
}

extension AskedTimes {
    /// What an earlier run has stored.
    init(_ json: JSONValue) {
        guard let stored = json["asked"]?.arrayValue else { return }
        asked = Set(stored.compactMap(Asked.init))
        absences = (json["absences"]?.arrayValue ?? []).suffix(Self.most).compactMap { value in
            let from = value["from"]?.timeValue?.instant ?? Self.always.lowerBound
            let until = value["until"]?.timeValue?.instant ?? Self.always.upperBound
            guard let asked = Asked(value), from < until else { return nil }
            return Absence(asked: asked, span: from..<until)
        }
    }

    /// The form for the next run; null if it has no room for it. `room`: in bytes.
    func json(in room: Int) -> JSONValue {
        let all = (asked ?? []).map { $0.json() }
        let absences = absences.map { absence -> JSONValue in
            let (from, until) = (absence.span.lowerBound, absence.span.upperBound)
            return absence.asked.json(
                from: from > Self.always.lowerBound ? from : nil, until: until < Self.always.upperBound ? until : nil)
        }
        guard asked != nil, StateFile.fitting(all + absences, in: room, { $0 }).count == all.count + absences.count
        else { return .null }
        return ["asked": .array(all), "absences": .array(absences)]
    }
}

extension Asked {
    fileprivate init?(_ json: JSONValue) {
        guard let station = json["station"]?.stringValue else { return nil }
        self.init(station, show: json["show"]?.stringValue)
        (date, time) = (json["date"]?.dateValue, json["time"]?.timeOfDayValue)
    }

    fileprivate func json(from: WallInstant? = nil, until: WallInstant? = nil) -> JSONValue {
        .object([
            "station": station, "show": show.ifKnown, "date": date.ifKnown, "time": time.ifKnown, "from": from.ifKnown,
            "until": until.ifKnown,
        ])
    }
}
