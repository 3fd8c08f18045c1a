// SPDX-License-Identifier: MIT

/// What a command of SCTE-35 says about a break for adverts.
enum SpliceCommand: Hashable, Sendable {
    case begins, ends

    /// Reads a section; nil if it is none, is incomplete, or says nothing of breaks.
    init?(_ section: [UInt8]) {
        var bytes = SpliceBytes(section)
        guard bytes.next() == 0xFC, bytes.skip(12), let type = bytes.next() else { return nil }
        switch type {
        case 5:
            // splice_insert: whether it is cancelled, and whether the network is left.
            guard bytes.skip(4), let cancel = bytes.next(), cancel & 0x80 == 0, let flags = bytes.next() else {
                return nil
            }
            self = flags & 0x80 != 0 ? .begins : .ends
        case 6:
            // time_signal: a time, and then descriptors.
            guard let time = bytes.next(), bytes.skip(time & 0x80 != 0 ? 4 : 0), bytes.skip(2) else { return nil }
            while let tag = bytes.next(), let length = bytes.next(), let content = bytes.take(Int(length)) {
                guard tag == 2, let command = SpliceCommand(segmentation: content) else { continue }
                self = command
                return
            }
            return nil
        default: return nil
        }
    }

    /// Reads a section as lists write it: in hexadecimal digits behind `0x`, or in Base64.
    init?(text: some Collection<UInt8>) {
        guard text.count <= Self.longest else { return nil }
        guard text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8) else {
            guard let section = Base64.decode(text) else { return nil }
            self.init(section)
            return
        }
        let digits = text.dropFirst(2).compactMap(\.hexadecimal)
        guard digits.count == text.count - 2, digits.count.isMultiple(of: 2) else { return nil }
        self.init(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    /// The content of a segmentation descriptor. Its type is behind a list of components, a length and an identifier.
    private init?(segmentation content: [UInt8]) {
        var bytes = SpliceBytes(content)
        guard bytes.skip(8), let cancel = bytes.next(), cancel & 0x80 == 0, let flags = bytes.next() else { return nil }
        if flags & 0x80 == 0 {
            guard let components = bytes.next(), bytes.skip(6 * Int(components)) else { return nil }
        }
        guard bytes.skip(flags & 0x40 != 0 ? 6 : 1), let length = bytes.next(), bytes.skip(Int(length)) else {
            return nil
        }
        // Segmentation types (SCTE 35 §10.3.3.1): breaks, and the adverts, placement opportunities and advert blocks of
        // providers and distributors.
        switch bytes.next() {
        case 0x22, 0x30, 0x32, 0x34, 0x36, 0x44, 0x46: self = .begins
        case 0x23, 0x31, 0x33, 0x35, 0x37, 0x45, 0x47: self = .ends
        default: return nil
        }
    }

    private static let longest = 8_192
}

/// A reader of big-endian fields, from the first byte on.
private struct SpliceBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func next() -> UInt8? { rest.popFirst() }

    mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    mutating func take(_ count: Int) -> [UInt8]? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
