// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
package import RadioFormats

extension HookEvent {
    /// The event for programs. Members that are unknown are left out. At most ``mostFiles`` paths are listed;
    /// `files_left_out` counts the others.
    package var json: JSONValue {
        var object = JSONObject()
        func add(_ name: String, text: String?) {
            guard let text else { return }
            object.append(name, .string(TitleText.cleaned(text, toBytes: Self.longestText)))
        }
        object.append("event", .string(kind.rawValue))
        object.append("at", .string(at.rfc3339))
        add("station_id", text: station)
        add("station", text: stationName)
        add("show_id", text: show)
        add("show", text: showName)
        add("recording", text: recording)
        if !files.isEmpty { object.append("files", .array(files.prefix(Self.mostFiles).map(JSONValue.string))) }
        if files.count > Self.mostFiles {
            object.append("files_left_out", .integer(Int64(files.count - Self.mostFiles)))
        }
        if let seconds { object.append("seconds", .number(seconds)) }
        if let bytes { object.append("bytes", .integer(bytes)) }
        if let gaps { object.append("gaps", .integer(Int64(gaps))) }
        add("cause", text: cause)
        return .object(object)
    }

    /// The most paths in ``json``.
    package static let mostFiles = 500
    private static let longestText = 1000
}
