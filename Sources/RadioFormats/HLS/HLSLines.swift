// SPDX-License-Identifier: MIT

/// The lines of an HLS playlist that mean something. Lines end with LF, CR or both.
struct HLSLines<Bytes: IndexedBytes> {
    enum Line {
        /// A tag: its name without the `#`, and the value behind the colon, which may be empty.
        case tag(String, Bytes.SubSequence)
        /// An address, as written.
        case address(Bytes.SubSequence)
    }

    /// The most bytes of a tag. A longer line is ignored, unless it is an address.
    static var longestTag: Int { 64 << 10 }

    private var rest: Bytes.SubSequence

    init(_ bytes: Bytes) {
        rest = bytes[...]
        if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
    }

    /// How many addresses follow.
    var addressCount: Int {
        var (lines, count) = (self, 0)
        while let line = lines.nextLine() { count += line.first == UInt8(ascii: "#") ? 0 : 1 }
        return count
    }

    /// The next tag or address. Comments and empty lines are skipped.
    mutating func next() -> Line? {
        while let line = nextLine() {
            guard line.first == UInt8(ascii: "#") else { return .address(line) }
            guard line.count <= Self.longestTag, line.dropFirst().starts(with: "EXT".utf8) else { continue }
            let name = line.dropFirst().prefix { $0 != UInt8(ascii: ":") }
            let value = line[name.endIndex...].dropFirst().trimmed { $0 <= 0x20 }
            return .tag(String(decoding: name, as: UTF8.self), value)
        }
        return nil
    }

    /// The next line that is not blank, without blanks around it.
    private mutating func nextLine() -> Bytes.SubSequence? {
        while !rest.isEmpty {
            let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? rest.endIndex
            let line = rest[..<end].trimmed { $0 <= 0x20 }
            rest = rest[end...].dropFirst()
            if !line.isEmpty { return line }
        }
        return nil
    }
}
