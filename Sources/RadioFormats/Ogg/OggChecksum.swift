// SPDX-License-Identifier: MIT

/// The checksum of Ogg pages (RFC 3533 §6): a ``CRC32`` that begins with zero.
enum OggChecksum {
    /// The checksum of a whole page, with its checksum field taken as zero. The page must have at least 27 bytes.
    static func of(page: UnsafeRawBufferPointer) -> UInt32 {
        let field = OggPage.checksumField
        var crc = CRC32.update(0, UnsafeRawBufferPointer(rebasing: page[..<field.lowerBound]))
        crc = withUnsafeBytes(of: UInt32(0)) { CRC32.update(crc, $0) }
        return CRC32.update(crc, UnsafeRawBufferPointer(rebasing: page[field.upperBound...]))
    }
}
