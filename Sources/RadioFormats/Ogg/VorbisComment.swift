// SPDX-License-Identifier: MIT

/// The list of comments that Vorbis, Opus and FLAC share (Vorbis I §5), without each codec's framing of it.
struct VorbisComment: Hashable {
    struct Field: Hashable {
        var name: String
        var value: String
    }

    var vendor = ""
    var fields: [Field] = []

    init(vendor: String = "", fields: [Field] = []) {
        self.vendor = vendor
        self.fields = fields
    }

    /// Creates the comments of a file or stream that Aircheck writes, in the order of `fields`.
    init(ownFields fields: [(String, String)]) {
        self.init(vendor: "Aircheck", fields: fields.map { Field(name: $0.0, value: $0.1) })
    }

    /// Parses a whole list: see ``VorbisCommentReader``.
    init(parsing bytes: ArraySlice<UInt8>) {
        var reader = VorbisCommentReader()
        reader.take(bytes)
        self = reader.comments
    }

    /// Adds a field in the form `NAME=value`; ignores other bytes.
    mutating func add(field: ArraySlice<UInt8>) {
        guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { return }
        fields.append(
            Field(
                name: Self.uppercased(field[..<equals]),
                // Comments are UTF-8, but some programs copy titles of an old charset into them.
                value: CharsetDecoder().decode(Array(field[(equals + 1)...]))))
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
        String(decoding: name.map { $0.isLetter ? $0 & ~0x20 : $0 }, as: UTF8.self)
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
