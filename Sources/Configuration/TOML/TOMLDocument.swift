// SPDX-License-Identifier: MIT

import CLibTOML
import RadioFormats

/// Parses a TOML document of bounded size, depth and number of values. Pure; accepts any bytes as input.
package enum TOMLDocument {
    /// The maximum size of a document in bytes.
    package static let largest = 1 << 20
    /// The deepest nesting of tables and lists.
    package static let deepest = Int(AC_TOML_DEEPEST)
    /// The maximum number of values, including tables and lists.
    package static let mostNodes = 100_000

    /// Why a document cannot be parsed, and where. Only the first error is reported, because nothing after it is
    /// reliable.
    package struct SyntaxError: Error, Hashable, Sendable {
        package var position: TOMLPosition
        /// What is wrong, without quoting values of the document.
        package var problem: String
    }

    /// Parses UTF-8, with or without a byte order mark.
    package static func parse(_ bytes: [UInt8]) throws(SyntaxError) -> TOMLTable {
        guard bytes.count <= largest else {
            throw SyntaxError(position: .start, problem: "the file is longer than \(largest >> 20) MiB")
        }
        if let position = invalidPlace(in: bytes) {
            throw SyntaxError(position: position, problem: "the text is not UTF-8 here")
        }
        if let position = TOMLKeyDepth(limit: deepest).excess(in: bytes) {
            throw SyntaxError(position: position, problem: "the key has more than \(deepest) parts")
        }
        let document = bytes.withUnsafeBytes { buffer in
            // An empty array has no address.
            buffer.baseAddress.map { ac_toml_parse($0.assumingMemoryBound(to: CChar.self), buffer.count, mostNodes) }
                ?? ac_toml_parse("", 0, mostNodes)
        }
        guard let document else { throw noMemory }
        defer { ac_toml_free(document) }
        let lines = bytes.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        let place = TOMLPosition(ac_toml_line(document), ac_toml_column(document), lines: lines)
        switch ac_toml_problem_of(document) {
        case AC_TOML_VALID: return table(of: document, lines: lines)
        case AC_TOML_TOO_DEEP:
            throw SyntaxError(position: place, problem: "tables and lists are nested more than \(deepest) deep")
        case AC_TOML_TOO_MANY: throw SyntaxError(position: place, problem: "there are more than \(mostNodes) values")
        case AC_TOML_NO_MEMORY: throw noMemory
        default: throw SyntaxError(position: place, problem: TOMLMessage.words(String(ac_toml_message(document))))
        }
    }

    private static let noMemory = SyntaxError(position: .start, problem: "there is not enough memory to read it")

    private static func invalidPlace(in bytes: [UInt8]) -> TOMLPosition? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var position = TOMLPosition.start
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if String(validating: line, as: UTF8.self) == nil { return position }
            position.line += 1
        }
        return .start
    }

    /// The root table with its contents. Children come after their parents, so the tree is built from the end.
    private static func table(of document: OpaquePointer, lines: Int) -> TOMLTable {
        let count = ac_toml_count(document)
        var children = [[TOMLTable.Entry]](repeating: [], count: count)
        for index in (0..<count).reversed() {
            let node = ac_toml_node_at(document, index)
            // The children were collected in reverse order.
            let inside = Array(children[index].reversed())
            children[index] = []
            guard let parent = Int(exactly: node.parent), children.indices.contains(parent) else {
                return TOMLTable(inside)
            }
            let value: TOMLNode.Value =
                switch node.kind {
                case AC_TOML_ARRAY: .array(inside.map(\.node))
                case AC_TOML_STRING: .text(String(node.text))
                case AC_TOML_INTEGER: .integer(node.integer)
                case AC_TOML_FLOAT: .real(node.real)
                case AC_TOML_BOOLEAN: .flag(node.boolean)
                case AC_TOML_DATE: .date(String(node.text))
                case AC_TOML_TIME: .time(String(node.text))
                case AC_TOML_DATE_TIME: .dateTime(String(node.text))
                default: .table(TOMLTable(inside))
                }
            let position = TOMLPosition(node.line, node.column, lines: lines)
            children[parent].append(TOMLTable.Entry(key: String(node.key), node: TOMLNode(value, at: position)))
        }
        return TOMLTable()
    }
}

extension TOMLPosition {
    /// A position in a document that has `lines` lines. A line that the parser reports beyond the end is replaced by
    /// the last line.
    fileprivate init(_ line: UInt32, _ column: UInt32, lines: Int) {
        self.init(line: min(max(1, Int(line)), lines), column: max(1, Int(column)))
    }
}

extension String {
    fileprivate init(_ text: ac_toml_text) {
        let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.count)
        self = String(decoding: bytes, as: UTF8.self)
    }
}
