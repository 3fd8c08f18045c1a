// SPDX-License-Identifier: MIT

/// The layout of a document.
package enum JSONStyle: Sendable {
    /// No white space at all: one line.
    case compact
    /// One member or element per line, indented by two spaces; ends with a line feed.
    case pretty
}

extension JSONValue {
    /// The document as UTF-8.
    ///
    /// Control characters (C0, DEL, C1), bidi controls and line separators are written as `\u` escapes, so that an
    /// untrusted title is harmless on a terminal and in a log.
    package func encoded(_ style: JSONStyle = .compact) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.write(self, depth: 0)
        if style == .pretty { writer.output.append(UInt8(ascii: "\n")) }
        return writer.output
    }

    /// The document as text, escaped like ``encoded(_:)``.
    package func text(_ style: JSONStyle = .compact) -> String {
        String(decoding: encoded(style), as: UTF8.self)
    }
}

private struct JSONWriter {
    let style: JSONStyle
    var output: [UInt8] = []

    mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: write("null")
        case .bool(let value): write(value ? "true" : "false")
        case .integer(let value): write(value.description)
        // The standard library's description is the shortest text that reads back as the same double.
        case .number(let value): write(value.isFinite ? value.description : "null")
        case .string(let value): writeString(value)
        case .array(let elements):
            writeList(elements, "[", "]", depth: depth) { writer, element in
                writer.write(element, depth: depth + 1)
            }
        case .object(let object):
            writeList(object.members, "{", "}", depth: depth) { writer, member in
                writer.writeString(member.name)
                writer.write(writer.style == .pretty ? ": " : ":")
                writer.write(member.value, depth: depth + 1)
            }
        }
    }

    private mutating func writeList<Element>(
        _ elements: [Element], _ open: StaticString, _ close: StaticString, depth: Int,
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        write(open)
        for (index, element) in elements.enumerated() {
            if index > 0 { write(",") }
            newLine(depth + 1)
            body(&self, element)
        }
        if !elements.isEmpty { newLine(depth) }
        write(close)
    }

    private mutating func newLine(_ depth: Int) {
        guard style == .pretty else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    private mutating func writeString(_ text: String) {
        write("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": write("\\\"")
            case "\\": write("\\\\")
            case "\n": write("\\n")
            case "\r": write("\\r")
            case "\t": write("\\t")
            case _ where scalar.mustBeEscaped: writeEscape(scalar.value)
            case _ where scalar.isASCII: output.append(UInt8(truncatingIfNeeded: scalar.value))
            default: output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        write("\"")
    }

    /// All characters that need an escape lie in the basic plane, so one group of four digits is enough.
    private mutating func writeEscape(_ value: UInt32) {
        write("\\u")
        for shift in [12, 8, 4, 0] as [UInt32] {
            let digit = UInt8(truncatingIfNeeded: (value >> shift) & 0xF)
            output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    private mutating func write(_ text: StaticString) {
        text.withUTF8Buffer { output.append(contentsOf: $0) }
    }

    private mutating func write(_ text: String) {
        output.append(contentsOf: text.utf8)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal, a log or a text editor could interpret the character as a command.
    fileprivate var mustBeEscaped: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        // Arabic letter mark, left-to-right and right-to-left marks; line and paragraph separators, embeddings and
        // overrides; isolates; byte order mark.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
