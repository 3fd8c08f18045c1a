// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
import RadioFormats

/// One line of a log: a line for people or a JSON object, for a terminal, a file or journald.
///
/// journald adds the time and the program's name itself, and reads a priority at the beginning of each line (`<4>`,
/// sd-daemon(3)).
struct LogLine {
    let level: LogSettings.Level
    let name: String
    let fields: [String: String]
    let sentence: String

    /// The line with its line end.
    func text(_ format: LogSettings.Format, at time: CivilTime, isJournal: Bool) -> String {
        let priority = isJournal ? "<\(level.priority)>" : ""
        switch format {
        case .json:
            var object: JSONObject = ["time": time, "level": level.rawValue, "message": name]
            let fields = fields.merging(["text": sentence]) { $1 }
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                object.append(name, Self.cut(value))
            }
            object.noteRawBytes(of: Array(fields.values))
            return priority + JSONValue.object(object).text(.compact) + "\n"
        case .text:
            let text = PathText.shown(TitleText.cleaned(sentence))
            return priority + (isJournal ? "" : "\(time.rfc3339) \(level.rawValue): ") + text + "\n"
        }
    }

    /// Shortens a field of JSON: cutting the whole line would leave invalid JSON.
    private static func cut(_ text: String) -> String { text.utf8.count > 1_000 ? "\(text.prefix(400))…" : text }
}

extension LogSettings.Level {
    /// syslog(3)'s number, which is lower for a more important line.
    var priority: Int {
        switch self {
        case .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        }
    }
}
