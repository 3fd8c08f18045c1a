// SPDX-License-Identifier: MIT

/// The ten bytes with which an ID3v2 tag begins: all that is needed to skip it.
package struct ID3v2Header: Hashable, Sendable {
    package static let length = 10

    /// The version: 2, 3 or 4 for ID3v2.2, 2.3 or 2.4.
    package var version: UInt8
    package var flags: UInt8
    /// The bytes between header and footer, as the tag claims: up to 256 MiB, and not to be trusted.
    package var bodyLength: Int

    /// Parses the first ten bytes of a tag; nil if `bytes` do not begin with a tag. Further bytes are ignored.
    package init?(_ bytes: some IndexedBytes) {
        guard bytes.count >= Self.length, bytes[0] == 0x49, bytes[1] == 0x44, bytes[2] == 0x33 else { return nil }
        guard 2...4 ~= bytes[3], bytes[4] != 0xFF, let bodyLength = bytes.synchsafe(at: 6) else { return nil }
        version = bytes[3]
        flags = bytes[5]
        self.bodyLength = bodyLength
    }

    /// The size of the whole tag in bytes, as it claims: header, body, and the footer that only 2.4 has.
    package var tagLength: Int { Self.length + bodyLength + (hasFooter ? Self.length : 0) }

    var isUnsynchronised: Bool { flags & 0x80 != 0 }
    var hasExtendedHeader: Bool { version > 2 && flags & 0x40 != 0 }
    /// Whether the tag is compressed. ID3v2.2 has the flag, but no scheme was ever defined for it.
    var isCompressed: Bool { version == 2 && flags & 0x40 != 0 }
    var hasFooter: Bool { version == 4 && flags & 0x10 != 0 }
}

extension IndexedBytes {
    /// An integer of four bytes with seven bits each; nil if one of the bytes has its top bit set. The caller must make
    /// sure that the bytes exist.
    func synchsafe(at offset: Int) -> Int? {
        let value = bigEndian(at: offset, count: 4)
        guard value & 0x8080_8080 == 0 else { return nil }
        return (value >> 3 & 0xFE0_0000) | (value >> 2 & 0x1F_C000) | (value >> 1 & 0x3F80) | (value & 0x7F)
    }

    /// A big-endian integer of up to seven bytes. The caller must make sure that the bytes exist.
    func bigEndian(at offset: Int, count: Int) -> Int {
        var value = 0
        for index in offset..<offset + count { value = value << 8 | Int(self[index]) }
        return value
    }
}
