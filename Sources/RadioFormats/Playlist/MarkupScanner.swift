// SPDX-License-Identifier: MIT

/// A token of a ``MarkupScanner``.
package enum MarkupToken: Hashable {
    /// A start tag with its attributes by name; if a name occurs twice, the first attribute counts. An empty element
    /// (`<a/>`) yields a start tag and an end tag.
    case start(name: String, attributes: [String: String])
    case end(name: String)
    case text(String)
}

/// Scans the tags and texts of XML, including malformed XML: no input makes it fail.
///
/// Names are in lower case, and usually without their prefix, so `<XSPF:Track>` is `track`. Document types are ignored.
/// Only XML's five entities and numeric ones are replaced; other text stays unchanged, such as an unescaped `&` in a
/// URL. The output never exceeds the input, and each byte is read a few times at most.
package struct MarkupScanner<Bytes: IndexedBytes> {
    private let bytes: Bytes
    private var place: Int
    /// The end tag that is still to be returned for an empty element, after its start tag.
    private var pending: MarkupToken?

    private let keepsPrefixes: Bool
    /// The places of the next `]]>` and `-->`, or the end of the bytes. They are kept, so that many beginnings without
    /// an end cost no more than one.
    private var ends: [Mark: Int] = [:]

    private enum Mark { case data, comment }

    private static var mostAttributes: Int { 32 }
    /// The length of the longest entity, `&#x10FFFF;`.
    private static var longestEntity: Int { 10 }

    /// Creates a scanner of UTF-8 text. `keepsPrefixes`: whether names have their prefixes.
    package init(_ bytes: Bytes, keepsPrefixes: Bool = false) {
        self.bytes = bytes
        self.keepsPrefixes = keepsPrefixes
        place = bytes.startIndex
    }

    /// The next tag or stretch of text; nil at the end.
    package mutating func next() -> MarkupToken? {
        if let token = pending {
            pending = nil
            return token
        }
        while place < bytes.endIndex {
            if has("<!--"), let end = end(of: .comment) {
                place = end + 3
            } else if has("<![CDATA[") {
                return data()
            } else if has("<!") || has("<?") {
                skip(to: ">")
            } else if has("</") {
                place += 2
                let name = takeName()
                skipToTagEnd()
                return .end(name: name)
            } else if has("<"), place + 1 < bytes.endIndex, bytes[place + 1].isLetter {
                return startTag()
            } else {
                return text()
            }
        }
        return nil
    }

    /// The text of a CDATA section. A section that another one follows before it ends, or that never ends, ends before
    /// the next end tag.
    private mutating func data() -> MarkupToken {
        place += 9
        let start = place
        let end = end(of: .data)
        let last = end ?? bytes.endIndex
        var isClosed = end != nil
        while place < last {
            if has("<![CDATA[") || !isClosed && has("</") {
                isClosed = false
                break
            }
            place += 1
        }
        if !isClosed {
            place = start
            while place < last, !has("</") { place += 1 }
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if isClosed { place += 3 }
        return .text(text)
    }

    /// The place of the mark that ends a comment or section; nil if it does not occur any more.
    private mutating func end(of mark: Mark) -> Int? {
        let start = place
        defer { place = start }
        if let known = ends[mark], known >= place {
            place = known
        } else {
            let text: StaticString = mark == .data ? "]]>" : "-->"
            while place < bytes.endIndex, !has(text) { place += 1 }
            ends[mark] = place
        }
        return place < bytes.endIndex ? place : nil
    }

    private mutating func startTag() -> MarkupToken {
        place += 1
        let name = takeName()
        var attributes: [String: String] = [:]
        var isEmpty = false
        while let byte = peek, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "<") {
            isEmpty = byte == UInt8(ascii: "/")
            let attribute = takeName()
            guard !attribute.isEmpty else {
                // Skips a blank, a slash, or a character that is out of place.
                place += 1
                continue
            }
            let value = takeValue()
            if attributes.count < Self.mostAttributes { attributes[attribute] = attributes[attribute] ?? value }
        }
        if peek == UInt8(ascii: ">") { place += 1 }
        if isEmpty { pending = .end(name: name) }
        return .start(name: name, attributes: attributes)
    }

    /// Takes the name that begins here, and returns it in lower case; "" if no name begins here.
    private mutating func takeName() -> String {
        let start = place
        while let byte = peek, !Self.isBlank(byte), !"=/<>\"'".utf8.contains(byte) { place += 1 }
        let name = bytes[start..<place]
        if keepsPrefixes { return String(decoding: name, as: UTF8.self).lowercased() }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self).lowercased()
    }

    /// Takes a `=` and the value after it, with quotes or without. Returns the value; "" if no `=` follows.
    private mutating func takeValue() -> String {
        skipBlanks()
        guard peek == UInt8(ascii: "=") else { return "" }
        place += 1
        skipBlanks()
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return Self.unescaped(take { !Self.isBlank($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") })
        }
        place += 1
        // A value cannot contain a `<`. If one comes before the closing quote, that quote is missing.
        let value = take { $0 != quote && $0 != UInt8(ascii: "<") }
        if peek == quote { place += 1 }
        return Self.unescaped(value)
    }

    /// Text up to the next `<`; a `<` that begins no tag is text itself.
    private mutating func text() -> MarkupToken {
        let start = place
        place += 1
        while let byte = peek, byte != UInt8(ascii: "<") { place += 1 }
        return .text(Self.unescaped(bytes[start..<place]))
    }
}

// MARK: - Moving on

extension MarkupScanner {
    private var peek: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

    private func has(_ mark: StaticString) -> Bool {
        mark.withUTF8Buffer { mark in
            mark.indices.allSatisfy { place + $0 < bytes.endIndex && bytes[place + $0] == mark[$0] }
        }
    }

    private mutating func take(while isWanted: (UInt8) -> Bool) -> Bytes.SubSequence {
        let start = place
        while let byte = peek, isWanted(byte) { place += 1 }
        return bytes[start..<place]
    }

    /// Returns everything up to `mark`, and skips the mark; returns the rest if there is no mark.
    private mutating func take(to mark: StaticString) -> Bytes.SubSequence {
        let start = place
        while place < bytes.endIndex, !has(mark) { place += 1 }
        let found = bytes[start..<place]
        place = min(bytes.endIndex, place + mark.utf8CodeUnitCount)
        return found
    }

    private mutating func skip(to mark: StaticString) { _ = take(to: mark) }

    private mutating func skipBlanks() { _ = take { Self.isBlank($0) } }

    private mutating func skipToTagEnd() {
        _ = take { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
        if peek == UInt8(ascii: ">") { place += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
}

// MARK: - Entities

extension MarkupScanner {
    private static func unescaped(_ bytes: Bytes.SubSequence) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var plain: [UInt8] = []
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let rest = bytes[place...]
            if rest.first == UInt8(ascii: "&"), let end = rest.prefix(longestEntity).firstIndex(of: UInt8(ascii: ";")),
                let scalar = entity(bytes[(place + 1)..<end])
            {
                plain += Array(String(scalar).utf8)
                place = end + 1
            } else {
                plain.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// The character of an entity, by its name between `&` and `;`; nil if XML does not define it.
    private static func entity(_ name: Bytes.SubSequence) -> Unicode.Scalar? {
        let name = String(decoding: name, as: UTF8.self)
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.first == "#" else { return nil }
            let digits = name.dropFirst()
            let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
        }
    }
}
