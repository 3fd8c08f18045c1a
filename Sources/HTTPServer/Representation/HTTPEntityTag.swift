// SPDX-License-Identifier: MIT

import RadioFormats

/// A tag by which a client recognises that its copy is still current (RFC 9110, section 8.8.3).
package struct HTTPEntityTag: Hashable, Sendable, CustomStringConvertible {
    private let text: String
    /// Whether the tag identifies only the meaning of the content, not its exact bytes.
    private let isWeak: Bool

    /// `text` has no quotes. Bytes that a tag must not contain are removed.
    package init(_ text: String, isWeak: Bool = false) {
        self.text = String(decoding: text.utf8.filter(Self.isTagByte), as: UTF8.self)
        self.isWeak = isWeak
    }

    /// Identifies the bytes of these parts, as far as their files' inodes, times and sizes reveal.
    init(of parts: [HTTPFilePart]) {
        let texts = parts.map { part in
            let isWhole = part.range == 0..<part.file.size
            return part.file.version + (isWhole ? "" : ":\(part.range.lowerBound)-\(part.range.upperBound)")
        }
        self.init(SHA256.hexadecimal(of: texts.joined(separator: "+").utf8, bits: 128))
    }

    package var description: String { (isWeak ? "W/" : "") + "\"\(text)\"" }

    /// Whether both tags identify the same bytes, so that a part of one can continue a part of the other.
    func matchesStrongly(_ other: HTTPEntityTag) -> Bool { self == other && !isWeak }

    func matchesWeakly(_ other: HTTPEntityTag) -> Bool { text == other.text }

    /// Parses a list of tags. Skips an invalid tag up to the next comma.
    static func list(_ field: String) -> [HTTPEntityTag] {
        var rest = Array(field.utf8)[...]
        var tags: [HTTPEntityTag] = []
        while !rest.isEmpty {
            rest = rest.drop { isBlank($0) || $0 == UInt8(ascii: ",") }
            let isWeak = rest.starts(with: "W/".utf8)
            let opening = rest.dropFirst(isWeak ? 2 : 0)
            let content = opening.dropFirst().prefix(while: isTagByte)
            let behind = opening.dropFirst(content.count + 1)
            let next = behind.dropFirst().drop(while: isBlank)
            if opening.first == quote, behind.first == quote, next.first ?? UInt8(ascii: ",") == UInt8(ascii: ",") {
                tags.append(HTTPEntityTag(String(decoding: content, as: UTF8.self), isWeak: isWeak))
                rest = next
            } else {
                rest = rest.drop { $0 != UInt8(ascii: ",") }
            }
        }
        return tags
    }

    private static let quote = UInt8(ascii: "\"")
    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    private static func isTagByte(_ byte: UInt8) -> Bool { byte > 0x20 && byte != quote && byte != 0x7f }
}
