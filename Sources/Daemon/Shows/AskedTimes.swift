// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import RadioFormats
import Storage

/// What a configuration asks to be recorded: a station, or a show of it.
struct Asked: Hashable {
    /// The ID of the station.
    var station: String
    /// The ID of the show; nil for the recordings that are not those of a show.
    var show: String?

    init(_ station: String, show: String? = nil) { (self.station, self.show) = (station, show) }

    init(_ key: UseKey) {
        if case .airing(let show, _, _) = key.kind {
            self.init(key.station, show: show)
        } else {
            self.init(key.station)
        }
    }
}

/// Spans in which the configuration did not ask for a station or show that it asks for at another time: the station was
/// added late, removed, or got another ID. Audio that is missing in these spans was not wanted.
struct AskedTimes: Hashable {
    private struct Absence: Hashable {
        var asked: Asked
        var span: Range<WallInstant>
    }

    /// What the newest configuration asks for; nil if no configuration is known.
    private var asked: Set<Asked>?
    /// In the order in which they became known.
    private var absences: [Absence] = []

    static let cause = "it was not to be recorded then"

    private static let most = 2_000
    private static let always = WallInstant(nanoseconds: 0)..<WallInstant(nanoseconds: .max)

    /// Whether no configuration is known.
    var isUnknown: Bool { asked == nil }

    /// Notes that a configuration applies from a time on. Returns whether it asks for anything other than the
    /// configuration before.
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
        absences.removeAll { now < $0.span.upperBound && $0.span.upperBound < Self.always.upperBound }
        for gone in old.subtracting(new) { absences.append(Absence(asked: gone, span: now..<Self.always.upperBound)) }
        for added in new.subtracting(old) {
            let last = absences.lastIndex { $0.asked == added && $0.span.upperBound == Self.always.upperBound }
            guard let last else {
                absences.append(Absence(asked: added, span: Self.always.lowerBound..<now))
                continue
            }
            absences[last].span = absences[last].span.lowerBound..<max(now, absences[last].span.lowerBound)
        }
        absences = absences.suffix(Self.most)
        return old != new
    }

    /// The spans in which `asked` was not asked for, as causes of missing audio.
    func causes(of asked: Asked) -> [RecordingResult.Cause] {
        absences.filter { $0.asked == asked && !$0.span.isEmpty }.map { .init(span: $0.span, text: Self.cause) }
    }
}

extension AskedTimes {
    /// What an earlier run has stored.
    init(_ json: JSONValue) {
        guard let stored = json["asked"]?.arrayValue else { return }
        asked = Set(stored.compactMap(Asked.init))
        absences = (json["absences"]?.arrayValue ?? []).suffix(Self.most).compactMap { value in
            func time(_ name: String) -> WallInstant? {
                value[name]?.stringValue.flatMap(CivilTime.init(rfc3339:))?.instant
            }
            let from = time("from") ?? Self.always.lowerBound
            let until = time("until") ?? Self.always.upperBound
            guard let asked = Asked(value), from < until else { return nil }
            return Absence(asked: asked, span: from..<until)
        }
    }

    /// The form for the next run; null if it has no room for it. `room`: in bytes.
    func json(in room: Int) -> JSONValue {
        let all = (asked ?? []).map(\.json)
        let absences = absences.map { absence -> JSONValue in
            var object = absence.asked.object
            if absence.span.lowerBound > Self.always.lowerBound {
                object.append("from", .string(CivilTime(absence.span.lowerBound, utcOffset: 0).rfc3339))
            }
            if absence.span.upperBound < Self.always.upperBound {
                object.append("until", .string(CivilTime(absence.span.upperBound, utcOffset: 0).rfc3339))
            }
            return .object(object)
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
    }

    fileprivate var object: JSONObject {
        var object = JSONObject()
        object.append("station", .string(station))
        if let show { object.append("show", .string(show)) }
        return object
    }

    fileprivate var json: JSONValue { .object(object) }
}
