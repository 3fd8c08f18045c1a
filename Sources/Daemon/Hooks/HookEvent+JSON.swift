// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
package import RadioFormats

extension HookEvent {
    /// The event in JSON, for programs. Members whose value is unknown are left out. Each list has at most
    /// ``mostListed`` entries; `files_left_out` and the like count the others.
    package var json: JSONValue { json(atMost: Self.mostListed) }

    /// The event in JSON, with at most `most` entries in each list.
    package func json(atMost most: Int) -> JSONValue {
        var object = JSONObject()
        func add(_ name: String, text: String?) {
            guard let text else { return }
            object.append(name, .string(TitleText.cleaned(text, toBytes: Self.longestText)))
        }
        func add(_ name: String, list: [JSONValue]) {
            guard !list.isEmpty else { return }
            object.append(name, .array(Array(list.prefix(most))))
            let missing = max(0, list.count - most) + (leftOut[name] ?? 0)
            if missing > 0 { object.append(name + Self.leftOutSuffix, .integer(Int64(missing))) }
        }
        object.append("event", .string(kind.rawValue))
        object.append("at", .string(at.rfc3339))
        if isTrial { object.append("test", .bool(true)) }
        add("station_id", text: station)
        add("station", text: stationName)
        add("show_id", text: show)
        add("show", text: showName)
        add("date", text: date?.description)
        add("from", text: from?.rfc3339)
        add("until", text: until?.rfc3339)
        add("missing", list: missing.map { ["from": .string($0.from.rfc3339), "until": .string($0.until.rfc3339)] })
        add("recording", text: recording)
        add("recordings", list: recordings.map(JSONValue.string))
        add("files", list: files.map(JSONValue.string))
        object.noteRawBytes(of: files)
        if let seconds { object.append("seconds", .seconds(seconds)) }
        if let bytes { object.append("bytes", .integer(bytes)) }
        if let gaps { object.append("gaps", .integer(Int64(gaps))) }
        if isRecovered { object.append("recovered", .bool(true)) }
        add("cause", text: cause)
        return .object(object)
    }

    /// The event that ``json`` describes; nil if it is none.
    package init?(json: JSONValue) {
        func text(_ name: String) -> String? { json[name]?.stringValue }
        func time(_ name: String, in json: JSONValue) -> CivilTime? {
            json[name]?.stringValue.flatMap(CivilTime.init(rfc3339:))
        }
        func list(_ name: String) -> [JSONValue] { json[name]?.arrayValue ?? [] }
        guard let kind = text("event").flatMap(HookSettings.Event.init(rawValue:)), let at = time("at", in: json) else {
            return nil
        }
        (self.kind, self.at, isTrial) = (kind, at, json["test"]?.boolValue ?? false)
        (station, stationName, show, showName) = (text("station_id"), text("station"), text("show_id"), text("show"))
        date = text("date").flatMap { try? CalendarDate(parsing: $0) }
        (from, until) = (time("from", in: json), time("until", in: json))
        missing = list("missing").compactMap { part in
            guard let from = time("from", in: part), let until = time("until", in: part) else { return nil }
            return Missing(from: from, until: until)
        }
        (recording, recordings) = (text("recording"), list("recordings").compactMap(\.stringValue))
        files = list("files").compactMap(\.stringValue)
        (seconds, bytes) = (json["seconds"]?.doubleValue, json["bytes"]?.integerValue)
        gaps = json["gaps"]?.integerValue.flatMap { Int(exactly: $0) }
        (isRecovered, cause) = (json["recovered"]?.boolValue ?? false, text("cause"))
        for list in ["missing", "recordings", "files"] {
            let count = json[list + Self.leftOutSuffix]?.integerValue.flatMap { Int32(exactly: $0) } ?? 0
            if count > 0 { leftOut[list] = Int(count) }
        }
    }

    /// The maximum number of entries of a list in ``json``.
    package static let mostListed = 500
    private static let longestText = 1000
    private static let leftOutSuffix = "_left_out"
}
