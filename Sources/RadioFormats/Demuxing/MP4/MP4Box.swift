// SPDX-License-Identifier: MIT

/// The type of a box: four characters.
struct MP4BoxType: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let code: UInt32

    init(_ code: Int) { self.code = UInt32(truncatingIfNeeded: code) }

    init(stringLiteral text: StaticString) {
        code = text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// Whether a file may begin with a box of this type, as far as its characters show.
    var isPlausible: Bool { bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0xA9 } }

    var description: String { String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }, as: UTF8.self) }

    private var bytes: [UInt8] { withUnsafeBytes(of: code.bigEndian) { Array($0) } }
}

/// The head of a box (ISO/IEC 14496-12 §4.2).
struct MP4BoxHead {
    let type: MP4BoxType
    /// The bytes of the head itself.
    let length: Int
    /// The bytes of the content; nil if the box reaches to the end of the file.
    let content: Int?

    /// The bytes of a head without a long size.
    static let shortLength = 8
    /// The bytes of a head with a long size.
    static let longLength = 16

    /// Parses the head at the front of some bytes; nil if more of them are needed.
    init?(_ bytes: ArraySlice<UInt8>) throws(DemuxProblem) {
        guard bytes.count >= Self.shortLength else { return nil }
        type = MP4BoxType(bytes.bigEndian(at: 4, count: 4))
        var size = bytes.bigEndian(at: 0, count: 4)
        length = size == 1 ? Self.longLength : Self.shortLength
        if size == 1 {
            guard bytes.count >= length else { return nil }
            guard let long = Int(exactly: UInt64(truncatingIfNeeded: bytes.bigEndian(at: 8, count: 8))) else {
                throw .malformed("a box of \(type) is too long")
            }
            size = long
        } else if size == 0 {
            content = nil
            return
        }
        guard size >= length else { throw .malformed("a box of \(type) is shorter than its head") }
        content = size - length
    }
}
