// SPDX-License-Identifier: MIT

/// Reads the fields of a box one after the other, most significant byte first. Throws where they end too early.
struct MP4Fields {
    /// The bytes that have not been read.
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func bytes(_ count: Int) throws(DemuxProblem) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .malformed("a box is cut short") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func skip(_ count: Int) throws(DemuxProblem) { _ = try bytes(count) }

    /// An unsigned integer of some bytes. One beyond `Int.max` is malformed.
    mutating func integer(_ count: Int) throws(DemuxProblem) -> Int {
        let value = try bytes(count).bigEndian(at: 0, count: count)
        guard value >= 0 else { throw .malformed("a field of a box is too large") }
        return value
    }

    /// The version and the flags with which many boxes begin.
    mutating func versionAndFlags() throws(DemuxProblem) -> (version: Int, flags: Int) {
        (try integer(1), try integer(3))
    }

    /// A text that ends with a zero byte.
    mutating func text() throws(DemuxProblem) -> String {
        guard let end = rest.firstIndex(of: 0) else { throw .malformed("a text in a box has no end") }
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    /// The next inner box; nil if there is none. Bytes too few for a box are ignored: QuickTime ends lists with zeros.
    mutating func box() throws(DemuxProblem) -> (type: MP4BoxType, fields: MP4Fields)? {
        guard let head = try MP4BoxHead(rest) else { return nil }
        try skip(head.length)
        return (head.type, MP4Fields(try bytes(head.content ?? rest.count)))
    }

    /// The content of the first inner box of a type; nil if there is none.
    func first(_ type: MP4BoxType) throws(DemuxProblem) -> MP4Fields? {
        var inner = self
        while let box = try inner.box() {
            if box.type == type { return box.fields }
        }
        return nil
    }

    /// The content of an inner box that must be there.
    func needed(_ type: MP4BoxType) throws(DemuxProblem) -> MP4Fields {
        guard let fields = try first(type) else { throw .malformed("the box \(type) is missing") }
        return fields
    }
}
