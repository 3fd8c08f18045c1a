// SPDX-License-Identifier: MIT

/// The list of comments that Vorbis, Opus and FLAC share (Vorbis I §5), without each codec's framing of it.
struct VorbisComment: Hashable {
    struct Field: Hashable {
        var name: String
        var value: String
    }

    var vendor = ""
    var fields: [Field] = []

    /// The maximum number and length of fields. Further fields, and longer fields (pictures), are skipped.
    private static let maximumFields = 1024
    private static let maximumFieldLength = 64 << 10

    init(vendor: String = "", fields: [Field] = []) {
        self.vendor = vendor
        self.fields = fields
    }

    /// Creates the comments of a file or stream that Aircheck writes, in the order of `fields`.
    init(ownFields fields: [(String, String)]) {
        self.init(vendor: "Aircheck", fields: fields.map { Field(name: $0.0, value: $0.1) })
    }

    /// Parses as many fields as have valid lengths: a truncated list keeps the fields before the cut.
    init(parsing bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard let vendor = Self.text(from: &rest), let count = Self.length(from: &rest) else { return }
        self.vendor = String(decoding: vendor, as: UTF8.self)
        for _ in 0..<min(count, Self.maximumFields) {
            guard let field = Self.text(from: &rest) else { return }
            guard field.count <= Self.maximumFieldLength, let equals = field.firstIndex(of: UInt8(ascii: "=")) else {
                continue
            }
            fields.append(
                Field(
                    name: Self.uppercased(field[..<equals]),
                    value: String(decoding: field[(equals + 1)...], as: UTF8.self)))
        }
    }

    /// The list in the form that ``init(parsing:)`` reads. Fields with impossible names are left out.
    var encoded: [UInt8] {
        let fields = fields.filter { field in
            !field.name.isEmpty && field.name.utf8.allSatisfy { 0x20...0x7D ~= $0 && $0 != UInt8(ascii: "=") }
        }
        var output: [UInt8] = []
        output.appendLittleEndian(UInt32(clamping: vendor.utf8.count))
        output.append(contentsOf: vendor.utf8)
        output.appendLittleEndian(UInt32(clamping: fields.count))
        for field in fields {
            let text = "\(Self.uppercased(field.name.utf8))=\(field.value)"
            output.appendLittleEndian(UInt32(clamping: text.utf8.count))
            output.append(contentsOf: text.utf8)
        }
        return output
    }

    /// "Artist - Title"; the title alone without an artist; nil without a title.
    var streamTitle: String? {
        guard let title = value("TITLE") else { return nil }
        guard let artist = value("ARTIST") else { return title }
        return "\(artist) - \(title)"
    }

    /// The first value that is not empty among the fields named `name`.
    func value(_ name: String) -> String? {
        fields.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// A field's name with its ASCII letters in upper case. Names are ASCII (Vorbis I §5.2.2), and the case rules of
    /// Unicode would take long for a hostile name.
    private static func uppercased(_ name: some Sequence<UInt8>) -> String {
        String(decoding: name.map { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 ? $0 - 0x20 : $0 }, as: UTF8.self)
    }

    private static func length(from rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= 4 else { return nil }
        let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(4)
        return length
    }

    private static func text(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let length = length(from: &rest), length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }
}

extension [UInt8] {
    /// Appends a big-endian integer.
    mutating func appendBigEndian<Value: FixedWidthInteger>(_ value: Value) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends a little-endian integer.
    mutating func appendLittleEndian<Value: FixedWidthInteger>(_ value: Value) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
