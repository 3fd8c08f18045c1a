// SPDX-License-Identifier: MIT

import RadioCore
package import RadioFormats

extension HookEvent {
    /// The event in JSON, for programs. Members whose value is unknown are left out. Each list has at most
    /// ``mostListed`` entries; `files_left_out` and the like count the others.
    package var json: JSONValue { json(atMost: Self.mostListed) }

    /// The event in JSON, with at most `most` entries in each list.
    package func json(atMost most: Int) -> JSONValue {
        func cleaned(_ text: String?) -> String? { text.map { TitleText.cleaned($0, toBytes: Self.longestText) } }
        var object: JSONObject = [
            "event": name.rawValue, "at": at, "test": isTrial.ifTrue,
            "station_id": cleaned(station).ifKnown, "station": cleaned(stationName).ifKnown,
            "show_id": cleaned(show).ifKnown, "show": cleaned(showName).ifKnown, "date": date.ifKnown,
            "from": from.ifKnown, "until": until.ifKnown,
        ]
        func add(_ name: String, _ list: [some JSONConvertible]) {
            guard !list.isEmpty else { return }
            object.append(name, Array(list.prefix(most)))
            let missing = max(0, list.count - most) + (leftOut[name] ?? 0)
            if missing > 0 { object.append(name + Self.leftOutSuffix, missing) }
        }
        add("missing", missing.map { ["from": $0.from, "until": $0.until] as JSONObject })
        object.append("recording", cleaned(recording).ifKnown)
        add("recordings", recordings)
        add("files", files)
        object.noteRawBytes(of: files)
        object.append([
            "seconds": seconds.map(JSONValue.seconds).ifKnown, "bytes": bytes.ifKnown, "gaps": gaps.ifKnown,
            "recovered": isRecovered.ifTrue, "cause": cleaned(cause).ifKnown,
        ])
        return .object(object)
    }

    /// The event that ``json`` describes; nil if it is none.
    package init?(json: JSONValue) {
        func text(_ name: String) -> String? { json[name]?.stringValue }
        func list(_ name: String) -> [JSONValue] { json[name]?.arrayValue ?? [] }
        guard let name = text("event").flatMap(EventName.init(known:)), let at = json["at"]?.timeValue
        else { return nil }
        (self.name, self.at, isTrial) = (name, at, json["test"]?.boolValue ?? false)
        (station, stationName, show, showName) = (text("station_id"), text("station"), text("show_id"), text("show"))
        (date, from, until) = (json["date"]?.dateValue, json["from"]?.timeValue, json["until"]?.timeValue)
        missing = list("missing").compactMap { part in
            guard let from = part["from"]?.timeValue, let until = part["until"]?.timeValue else { return nil }
            return MissingPart(from: from, until: until)
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
