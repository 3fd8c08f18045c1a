// SPDX-License-Identifier: MIT

/// A metadata block, parsed once for all its users: its fields (`StreamTitle='…';StreamUrl='…';`) as raw bytes, and how
/// closely it resembles a metadata block.
///
/// No specification says how to send quotes inside a value, so senders do not escape them. A value ends at a quote and
/// a semicolon that are followed by the end or another `key=`; a value that is never closed extends to the end. Values
/// in double quotes or without quotes, and blanks between fields, are also accepted.
package struct ICYMetadata: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        /// The name as it was sent: ASCII letters, digits, `-` and `_`.
        package var key: String
        package var value: [UInt8]
    }

    /// The fields in the order of the block; empty if the block is not metadata.
    package let fields: [Field]
    package let reading: ICYReading
    /// Whether the block begins like metadata: see ``isBeginning(_:)``.
    package let isBeginning: Bool

    /// Parses a block. The previous block shows whether the bytes after a short title are left over from a longer
    /// title: some senders do not clear their buffer (`StreamTitle='New';title';`).
    package init(_ block: [UInt8], after previous: [UInt8]? = nil) {
        self.init(reading: block, after: previous)
    }

    /// Parses a block like ``init(_:after:)``; generic, so that tests can count the bytes that are read.
    package init(reading block: some IndexedBytes, after previous: (some IndexedBytes)?) {
        let parser = ICYParser(block, after: previous)
        fields = parser.fields()
        reading = parser.reading(hasFields: !fields.isEmpty)
        isBeginning = Self.begins(block)
    }

    /// Whether these bytes begin like a block (`StreamTitle='…`). If such bytes come right after a block, the length of
    /// that block was misread.
    package static func isBeginning(_ bytes: [UInt8]) -> Bool { begins(bytes) }

    private static func begins(_ bytes: some IndexedBytes) -> Bool {
        guard let key = ICYKey(in: bytes, from: bytes.startIndex) else { return false }
        return key.valueStart < bytes.endIndex && bytes[key.valueStart] == UInt8(ascii: "'")
    }

    /// The raw title; nil if the block does not mention a title, empty if it states that there is none.
    package var title: [UInt8]? { self["StreamTitle"] }
    /// The raw address that came with the title: a cover or a homepage. Never fetched unasked.
    package var url: [UInt8]? { self["StreamUrl"] }

    /// Whether the block says that an advert begins, in the fields of systems that insert adverts.
    package var isAdvert: Bool {
        if let mark = self["adw_ad"] { return mark.elementsEqual("true".utf8) || mark.elementsEqual("1".utf8) }
        return self["insertionType"]?.isEmpty == false
    }

    /// The value of the first field with that name, ignoring case.
    package subscript(key: String) -> [UInt8]? {
        fields.first { $0.key.lowercased() == key.lowercased() }?.value
    }
}
