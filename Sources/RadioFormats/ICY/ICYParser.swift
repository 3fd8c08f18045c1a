// SPDX-License-Identifier: MIT

/// Parses one metadata block. Each byte is read a few times at most, whatever the block holds.
struct ICYParser<Block: IndexedBytes> {
    private let block: Block
    /// The end of the text: the first NUL begins the padding.
    private let textEnd: Int
    /// Whether a value is UTF-16, which may have any byte.
    private let isWide: Bool
    /// The end of the fields; lies after ``textEnd`` if a value is UTF-16 and contains NULs.
    private let fieldsEnd: Int
    /// Where bytes left over from the previous block begin: from here to ``fieldsEnd``, all bytes equal those of the
    /// previous block. If the whole block equals the previous one, this is ``fieldsEnd``.
    private let staleStart: Int
    /// Whether nothing follows the text but zeros and bytes that the previous block had in the same place.
    private let hasKnownTail: Bool

    /// How many control characters a text may have by mistake.
    private static var mostControls: Int { 3 }

    init(_ block: Block, after previous: (some IndexedBytes)?) {
        self.block = block
        textEnd = block.firstIndex(of: 0) ?? block.endIndex
        let contentEnd = block.lastIndex { $0 != 0 }.map { $0 + 1 } ?? block.startIndex
        isWide = Self.hasWideValue(block[..<textEnd])
        fieldsEnd = isWide ? contentEnd : textEnd

        /// Whether the previous block had the same byte in this place.
        func isOld(_ place: Int) -> Bool {
            guard let previous, place < previous.count else { return false }
            return previous[previous.startIndex + place] == block[block.startIndex + place]
        }
        let start = block.startIndex
        staleStart = (start..<fieldsEnd).last { !isOld($0 - start) }.map { $0 + 1 } ?? fieldsEnd
        hasKnownTail = (textEnd..<contentEnd).allSatisfy { block[$0] == 0 || isOld($0 - start) }
    }

    func reading(hasFields: Bool) -> ICYReading {
        if isAudio { return .audio }
        let text = block[..<textEnd]
        if text.indices.contains(where: isControl) || !hasKnownTail { return .unreadable }
        guard let last = block.lastIndex(where: { $0 != 0 }) else { return .empty }
        let isFull = last < textEnd && block.endIndex - textEnd < 16
        return isFull && hasFields && endsWithQuote ? .wellFormed : .loose
    }

    private var endsWithQuote: Bool {
        let last = block[..<textEnd].last { !ICYKey.isFiller($0) }
        return last.map { Self.isQuote($0) } ?? false
    }

    private var isAudio: Bool {
        !isWide && block.indices.count { block[$0] != 0 && isControl(at: $0) } > Self.mostControls
    }

    // MARK: - Fields

    func fields() -> [ICYMetadata.Field] {
        var fields: [ICYMetadata.Field] = []
        var place = block.startIndex
        while let key = ICYKey(in: block[..<fieldsEnd], from: place) {
            let (value, end) = value(from: key.valueStart)
            let name = String(decoding: block[key.name], as: UTF8.self)
            fields.append(ICYMetadata.Field(key: name, value: Array(block[value])))
            place = end
        }
        return fields
    }

    /// The value that begins at a place, and where the next field may begin.
    private func value(from start: Int) -> (value: Range<Int>, end: Int) {
        let quote = start < fieldsEnd && Self.isQuote(block[start]) ? block[start] : nil
        let first = quote == nil ? start : start + 1
        var place = first
        while place < fieldsEnd {
            let hasQuote = block[place] == quote && place + 1 < fieldsEnd && block[place + 1] == ICYKey.semicolon
            guard hasQuote || block[place] == ICYKey.semicolon else {
                place += 1
                continue
            }
            let rest = hasQuote ? place + 2 : place + 1
            let next = ICYKey.start(in: block[..<fieldsEnd], from: rest)
            if hasQuote && staleStart <= rest || ends(isClosed: hasQuote || quote == nil, before: next) {
                return (first..<place, rest)
            }
            // A search from any place before `next` would find the same next key, or none.
            place = next
        }
        // This value is not closed, or is closed without a semicolon.
        let isClosed = fieldsEnd > first && block[fieldsEnd - 1] == quote
        return (first..<(isClosed ? fieldsEnd - 1 : fieldsEnd), fieldsEnd)
    }

    /// Whether the bytes at `next` show that a value ended before the blanks and semicolons in front of `next`.
    private func ends(isClosed: Bool, before next: Int) -> Bool {
        if isClosed, next == fieldsEnd { return true }
        guard let key = ICYKey(in: block[..<fieldsEnd], from: next) else { return false }
        // If the quote is missing, only `StreamUrl` can be the next field.
        return isClosed || String(decoding: block[key.name], as: UTF8.self).lowercased() == "streamurl"
    }

    // MARK: - Bytes

    /// Whether a value has a byte order mark that makes it UTF-16.
    private static func hasWideValue(_ text: Block.SubSequence) -> Bool {
        text.indices.dropLast(3).contains { place in
            text[place] == ICYKey.equals && isQuote(text[place + 1])
                && CharsetDecoder.byteOrderMarks.contains([text[place + 2], text[place + 3]])
        }
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }

    /// Whether no text has such a byte. In ISO 2022, an escape before `(` or `$` selects a charset.
    private func isControl(at place: Int) -> Bool {
        switch block[place] {
        case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): false
        case 0x1B: place + 1 >= textEnd || !"($".utf8.contains(block[place + 1])
        case let byte: byte < 0x20 || byte == 0x7F
        }
    }
}
