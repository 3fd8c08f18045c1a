// SPDX-License-Identifier: MIT

/// The ten bytes with which an ID3v2 tag begins: all that is needed to pass over it.
package struct ID3v2Header: Hashable, Sendable {
    package static let length = 10

    /// 2, 3 or 4.
    package var version: UInt8
    package var flags: UInt8
    /// Bytes between header and footer, as the tag claims (up to 256 MiB; a stranger's word).
    package var bodyLength: Int

    /// Nil where these are not the first ten bytes of a tag. Further bytes are not looked at.
    package init?(_ bytes: some IndexedBytes) {
        guard bytes.count >= Self.length, bytes[0] == 0x49, bytes[1] == 0x44, bytes[2] == 0x33 else { return nil }
        guard 2...4 ~= bytes[3], bytes[4] != 0xFF, let bodyLength = bytes.synchsafe(at: 6) else { return nil }
        version = bytes[3]
        flags = bytes[5]
        self.bodyLength = bodyLength
    }

    /// Bytes of the whole tag, as it claims: header, body, and the footer that only 2.4 knows.
    package var tagLength: Int { Self.length + bodyLength + (hasFooter ? Self.length : 0) }

    var isUnsynchronised: Bool { flags & 0x80 != 0 }
    var hasExtendedHeader: Bool { version > 2 && flags & 0x40 != 0 }
    /// A scheme of compression that 2.2 announced and nobody defined.
    var isCompressed: Bool { version == 2 && flags & 0x40 != 0 }
    var hasFooter: Bool { version == 4 && flags & 0x10 != 0 }
}

extension IndexedBytes {
    /// Four bytes of seven bits each; nil where one of them has its top bit set. The caller has checked that they
    /// exist.
    func synchsafe(at offset: Int) -> Int? {
        let value = bigEndian(at: offset, count: 4)
        guard value & 0x8080_8080 == 0 else { return nil }
        return (value >> 3 & 0xFE0_0000) | (value >> 2 & 0x1F_C000) | (value >> 1 & 0x3F80) | (value & 0x7F)
    }

    /// Up to seven bytes, the first one weighing most. The caller has checked that they exist.
    func bigEndian(at offset: Int, count: Int) -> Int {
        var value = 0
        for index in offset..<offset + count { value = value << 8 | Int(self[index]) }
        return value
    }
}
