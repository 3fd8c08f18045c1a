// SPDX-License-Identifier: MIT

/// Measures tags between MPEG audio frames, without reading them.
enum TagSkipper {
    enum Answer: Equatable {
        /// No tag begins here.
        case none
        /// A tag may begin here: its header is incomplete.
        case incomplete
        /// A tag begins here; `length` is in bytes, header and footer included.
        case tag(length: Int)
    }

    /// Looks for a tag at the front of `bytes`.
    ///
    /// ID3v2, ID3v1, APEv1/v2 and Lyrics3 are recognized by their first bytes. The length is what the tag claims, up to
    /// 4 GiB; the caller decides whether it is plausible.
    static func look(_ bytes: UnsafeRawBufferPointer) -> Answer {
        switch bytes.first {
        case UInt8(ascii: "I"): id3v2(bytes)
        case UInt8(ascii: "T"): id3v1(bytes)
        case UInt8(ascii: "A"): ape(bytes)
        case UInt8(ascii: "L"): lyrics(bytes)
        default: .none
        }
    }

    private static func id3v2(_ bytes: UnsafeRawBufferPointer) -> Answer {
        guard matches(bytes, "ID3") else { return .none }
        guard bytes.count >= ID3v2Header.length else { return .incomplete }
        return ID3v2Header(bytes).map { .tag(length: $0.tagLength) } ?? .none
    }

    private static func id3v1(_ bytes: UnsafeRawBufferPointer) -> Answer {
        guard matches(bytes, "TAG") else { return .none }
        return bytes.count >= 3 ? .tag(length: 128) : .incomplete
    }

    private static func ape(_ bytes: UnsafeRawBufferPointer) -> Answer {
        guard matches(bytes, "APETAGEX") else { return .none }
        guard bytes.count >= 32 else { return .incomplete }
        let size = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
        let flags = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
        // The size counts items and footer, not the header. If this is a footer, its items have been passed already.
        let isHeader = flags & 0x2000_0000 != 0
        return .tag(length: isHeader ? 32 + size : 32)
    }

    /// Whether `bytes` begin with the items of a tag without a header (APEv1). The tag's footer states where they
    /// begin.
    static func hasAPEItems(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place + 32 <= bytes.count {
            if bytes[place] == UInt8(ascii: "A"), case let rest = UnsafeRawBufferPointer(rebasing: bytes[place...]),
                matches(rest, "APETAGEX")
            {
                let size = UInt32(littleEndian: rest.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
                return Int(size) == place + 32
            }
            place += 1
        }
        return false
    }

    /// Measures only the marker that introduces the lyrics, because the length of the lyrics is stated at their end.
    private static func lyrics(_ bytes: UnsafeRawBufferPointer) -> Answer {
        let mark: StaticString = "LYRICSBEGIN"
        guard matches(bytes, mark) else { return .none }
        return bytes.count >= mark.utf8CodeUnitCount ? .tag(length: mark.utf8CodeUnitCount) : .incomplete
    }

    /// Whether `bytes` begin with `mark`, or are the beginning of it.
    private static func matches(_ bytes: UnsafeRawBufferPointer, _ mark: StaticString) -> Bool {
        mark.withUTF8Buffer { mark in
            zip(bytes, mark).allSatisfy { $0 == $1 }
        }
    }
}
