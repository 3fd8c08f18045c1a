// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Words

/// The files of recordings, as `aircheck recordings --files` lists them. Pure.
enum RecordedFileList {
    /// The files of a recording that were on air on the days of the filter. `detail`: the daemon's answer. The ID of a
    /// file is that of its recording, a dot, and its number; 0 if it has none, such as the beginning of a show.
    static func files(of detail: JSONValue, _ filter: RecordingFilter, in zone: any TimeZoneRules) -> [JSONValue] {
        let recording = detail["recording"]
        let (from, until) = (filter.from?.start(in: zone), filter.until?.start(in: zone))
        return detail["files"].list.compactMap { file in
            guard case .object(var object) = file else { return nil }
            let number = file["number"]?.integerValue ?? 0
            let start = time(file)
            let end = start + .seconds(file["seconds"]?.doubleValue ?? 0)
            let isGrowing = file["state"]?.stringValue == "growing"
            guard from.map({ isGrowing || end > $0 }) ?? true, until.map({ start < $0 }) ?? true else { return nil }
            object["id"] = .string("\(recording?["id"]?.stringValue ?? "").\(number)")
            for name in ["station", "show_name"] { object[name] = recording?[name] ?? .null }
            return .object(object)
        }
    }

    /// When a file began; the first instant there is if that is unknown.
    static func time(_ file: JSONValue) -> WallInstant {
        file["at"]?.timeValue?.instant ?? WallInstant(nanoseconds: 0)
    }

    static func lines(_ files: [JSONValue]) -> [String] {
        guard !files.isEmpty else { return ["no files found"] }
        let header = ["ID", "BEGAN", "LENGTH", "SIZE", "STATION", "SHOW", ""]
        return TextTable.lines([header] + files.map(row), width: .max)
    }

    private static func row(_ file: JSONValue) -> [String] {
        let isGrowing = file["state"]?.stringValue == "growing"
        let notes = [
            isGrowing ? "under way" : file["state"] == "interrupted" ? "interrupted" : nil,
            file["protected"]?.boolValue == true ? "protected" : nil,
        ].compactMap(\.self)
        return [
            file["id"].shown, String(file["at"].shown.prefix(19)).replacing("T", with: " "),
            Measure.clock(seconds: file["seconds"]?.doubleValue ?? 0),
            Measure.bytes(file["bytes"]?.integerValue ?? 0), file["station"].shown, file["show_name"].shown,
            notes.joined(separator: ", "),
        ]
    }
}
