// SPDX-License-Identifier: MIT

/// The place of a field's key in a metadata block (`StreamTitle=`).
struct ICYKey {
    let name: Range<Int>
    let valueStart: Int

    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    private static let longest = 32

    /// Finds the key at a place, after any blanks and semicolons; nil if there is none.
    init?(in text: some IndexedBytes, from place: Int) {
        let first = Self.start(in: text, from: place)
        var end = first
        while end < text.endIndex, end - first <= Self.longest, Self.isNameByte(text[end]) { end += 1 }
        guard (1...Self.longest).contains(end - first), end < text.endIndex, text[end] == Self.equals else {
            return nil
        }
        name = first..<end
        valueStart = end + 1
    }

    /// The first place from `place` on that is neither blank nor semicolon.
    static func start(in text: some IndexedBytes, from place: Int) -> Int {
        var place = place
        while place < text.endIndex, isFiller(text[place]) { place += 1 }
        return place
    }

    static func isFiller(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == semicolon }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
