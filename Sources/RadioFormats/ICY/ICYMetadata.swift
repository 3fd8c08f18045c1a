// SPDX-License-Identifier: MIT

/// The fields of a metadata block: `StreamTitle='…';StreamUrl='…';`, as raw bytes.
///
/// Nobody ever wrote down how quotes inside a value are to be sent, so senders do not escape them. A value ends at a
/// quote and a semicolon that are followed by the end, a NUL or another `key=`; one that is never closed goes on to the
/// end. Also read: values in double quotes or none, and blanks between fields.
package struct ICYMetadata: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        /// As sent; ASCII letters, digits, `-` and `_`.
        package var key: String
        package var value: [UInt8]
    }

    /// In the order of the block. Empty where it is no metadata at all.
    package private(set) var fields: [Field] = []

    /// Reads a block. The one before it helps to see that the end of a shorter title is the stale end of a longer one:
    /// some senders do not clear their buffer (`StreamTitle='New';title';`).
    package init(_ block: [UInt8], after previous: [UInt8]? = nil) {
        let text = Self.text(of: block)
        var place = text.startIndex
        while let (key, valueStart) = Self.key(in: text, at: place) {
            let (value, end) = Self.value(in: text, at: valueStart, stale: previous)
            fields.append(Field(key: key, value: Array(value)))
            place = end
        }
    }

    /// The raw title; nil where the block says nothing about one, empty where it says that there is none.
    package var title: [UInt8]? { self["StreamTitle"] }
    /// The raw address that came with the title. Never fetched unasked.
    package var url: [UInt8]? { self["StreamUrl"] }

    /// The value of the first field of that name, upper or lower case.
    package subscript(key: String) -> [UInt8]? {
        fields.first { $0.key.lowercased() == key.lowercased() }?.value
    }

    // MARK: - Reading

    /// The block up to its padding. It begins with the first NUL, unless a value says by a byte order mark that it is
    /// UTF-16 and has NULs in it.
    private static func text(of block: [UInt8]) -> ArraySlice<UInt8> {
        let text = block.prefix { $0 != 0 }
        let hasWideValue = text.indices.dropLast(3).contains { place in
            text[place] == equals && isQuote(text[place + 1])
                && CharsetDecoder.byteOrderMarks.contains([text[place + 2], text[place + 3]])
        }
        guard hasWideValue, let last = block.lastIndex(where: { $0 != 0 }) else { return text }
        return block[...last]
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == apostrophe || byte == quotationMark }

    private static func key(in text: ArraySlice<UInt8>, at start: Int) -> (key: String, valueStart: Int)? {
        let place = text[start...].firstIndex { $0 != space && $0 != semicolon } ?? text.endIndex
        let name = text[place...].prefix(longestKey + 1).prefix(while: isKeyByte)
        guard !name.isEmpty, name.count <= longestKey, name.endIndex < text.endIndex, text[name.endIndex] == equals
        else { return nil }
        return (String(decoding: name, as: UTF8.self), name.endIndex + 1)
    }

    private static func value(
        in text: ArraySlice<UInt8>, at start: Int, stale: [UInt8]?
    ) -> (value: ArraySlice<UInt8>, end: Int) {
        guard let quote = text[start...].first, quote == apostrophe || quote == quotationMark else {
            return unquotedValue(in: text, at: start)
        }
        let first = start + 1
        for place in text[first...].indices where text[place] == quote || text[place] == semicolon {
            let isClosed = text[place] == quote
            let semicolonPlace = isClosed ? place + 1 : place
            guard semicolonPlace < text.endIndex, text[semicolonPlace] == semicolon else { continue }
            let rest = semicolonPlace + 1
            let isEnd =
                isClosed
                ? rest == text.endIndex || key(in: text, at: rest) != nil || isStale(text, from: rest, stale)
                // The quote is missing, but what follows can only be the next field.
                : isURLField(text[rest...])
            if isEnd { return (text[first..<place], rest) }
        }
        // Not closed, or closed without a semicolon.
        var value = text[first...]
        if value.last == quote { value.removeLast() }
        return (value, text.endIndex)
    }

    private static func unquotedValue(
        in text: ArraySlice<UInt8>, at start: Int
    ) -> (value: ArraySlice<UInt8>, end: Int) {
        for place in text[start...].indices where text[place] == semicolon {
            if place + 1 == text.endIndex || key(in: text, at: place + 1) != nil {
                return (text[start..<place], place + 1)
            }
        }
        return (text[start...], text.endIndex)
    }

    /// Whether the block is new up to `place` and from there on what stood in the one before it.
    private static func isStale(_ text: ArraySlice<UInt8>, from place: Int, _ previous: [UInt8]?) -> Bool {
        guard let previous, text.endIndex <= previous.count else { return false }
        return previous[place..<text.endIndex].elementsEqual(text[place...])
            && !previous[..<place].elementsEqual(text[..<place])
    }

    private static func isURLField(_ rest: ArraySlice<UInt8>) -> Bool {
        key(in: rest, at: rest.startIndex)?.key.lowercased() == "streamurl"
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static let longestKey = 32
    private static let space = UInt8(ascii: " ")
    private static let semicolon = UInt8(ascii: ";")
    private static let equals = UInt8(ascii: "=")
    private static let apostrophe = UInt8(ascii: "'")
    private static let quotationMark = UInt8(ascii: "\"")
}
