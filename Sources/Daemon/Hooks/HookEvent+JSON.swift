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
        guard let kind = json["event"]?.stringValue.flatMap(HookSettings.Event.init(rawValue:)),
            let at = json["at"]?.stringValue.flatMap(CivilTime.init(rfc3339:))
        else { return nil }
        self.kind = kind
        self.at = at
        station = json["station_id"]?.stringValue
        stationName = json["station"]?.stringValue
        show = json["show_id"]?.stringValue
        showName = json["show"]?.stringValue
        date = json["date"]?.stringValue.flatMap { try? CalendarDate(parsing: $0) }
        from = json["from"]?.stringValue.flatMap(CivilTime.init(rfc3339:))
        until = json["until"]?.stringValue.flatMap(CivilTime.init(rfc3339:))
        missing = (json["missing"]?.arrayValue ?? []).compactMap { part in
            guard let from = part["from"]?.stringValue.flatMap(CivilTime.init(rfc3339:)),
                let until = part["until"]?.stringValue.flatMap(CivilTime.init(rfc3339:))
            else { return nil }
            return Missing(from: from, until: until)
        }
        recording = json["recording"]?.stringValue
        recordings = (json["recordings"]?.arrayValue ?? []).compactMap(\.stringValue)
        files = (json["files"]?.arrayValue ?? []).compactMap(\.stringValue)
        seconds = json["seconds"]?.doubleValue
        bytes = json["bytes"]?.integerValue
        gaps = json["gaps"]?.integerValue.flatMap { Int(exactly: $0) }
        isRecovered = json["recovered"]?.boolValue ?? false
        cause = json["cause"]?.stringValue
        for list in ["missing", "recordings", "files"] {
            let count = json[list + Self.leftOutSuffix]?.integerValue.flatMap { Int32(exactly: $0) } ?? 0
            if count > 0 { leftOut[list] = Int(count) }
        }
        isTrial = json["test"]?.boolValue ?? false
    }

    /// The maximum number of entries of a list in ``json``.
    package static let mostListed = 500
    private static let longestText = 1000
    private static let leftOutSuffix = "_left_out"
}
