// SPDX-License-Identifier: MIT

import RadioFormats

/// A line as the console prints it. Pure.
enum ConsoleText {
    /// Removes what could move the cursor, and repeated blanks, but keeps the indent that shows which lines belong
    /// together. A byte of a path that is not UTF-8 is `\xFC`.
    static func cleaned(_ text: String) -> String {
        let (indent, rest) = split(text)
        return PathText.shown(indent + TitleText.cleaned(rest))
    }

    /// A result as JSON. It says how bytes of paths are written, if it has any.
    static func json(_ json: JSONValue) -> String {
        let text = json.text(.pretty)
        guard case .object(var object) = json, object["raw_bytes"] == nil, PathText.hasRawBytes(text) else {
            return text
        }
        object.noteRawBytes(of: [text])
        return JSONValue.object(object).text(.pretty)
    }

    /// Puts a name in front of a line, behind its indent.
    static func prefixed(_ text: String, with name: String?) -> String {
        guard let name else { return text }
        let (indent, rest) = split(text)
        return "\(indent)[\(name)] \(rest)"
    }

    private static func split(_ text: String) -> (indent: String, rest: String) {
        let indent = text.prefix { $0 == " " }
        return (String(indent.prefix(deepest)), String(text.dropFirst(indent.count)))
    }

    private static let deepest = 8
}
