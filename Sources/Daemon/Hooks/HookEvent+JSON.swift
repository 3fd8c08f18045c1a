// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
package import RadioFormats

extension HookEvent {
    /// The event in JSON, for programs. Members without a known value are left out. At most ``mostListed`` recordings
    /// and paths are listed; `recordings_left_out` and `files_left_out` count the others.
    package var json: JSONValue {
        var object = JSONObject()
        func add(_ name: String, text: String?) {
            guard let text else { return }
            object.append(name, .string(TitleText.cleaned(text, toBytes: Self.longestText)))
        }
        func add(_ name: String, list: [String]) {
            guard !list.isEmpty else { return }
            object.append(name, .array(list.prefix(Self.mostListed).map(JSONValue.string)))
            guard list.count > Self.mostListed else { return }
            object.append(name + "_left_out", .integer(Int64(list.count - Self.mostListed)))
        }
        object.append("event", .string(kind.rawValue))
        object.append("at", .string(at.rfc3339))
        add("station_id", text: station)
        add("station", text: stationName)
        add("show_id", text: show)
        add("show", text: showName)
        add("recording", text: recording)
        add("recordings", list: recordings)
        add("files", list: files)
        if let seconds { object.append("seconds", .number(seconds)) }
        if let bytes { object.append("bytes", .integer(bytes)) }
        if let gaps { object.append("gaps", .integer(Int64(gaps))) }
        add("cause", text: cause)
        return .object(object)
    }

    /// The maximum number of entries of a list in ``json``.
    package static let mostListed = 500
    private static let longestText = 1000
}
