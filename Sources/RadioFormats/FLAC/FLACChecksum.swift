// SPDX-License-Identifier: MIT

/// The CRC-8 of a frame's header (RFC 9639 §9.1.8): polynomial 0x07, most significant bit first.
enum FLACHeaderChecksum {
    /// Returns zero if `header` ends with its checksum byte and is undamaged.
    static func of(_ header: UnsafeRawBufferPointer) -> UInt8 {
        header.reduce(0) { table[Int($0 ^ $1)] }
    }

    private static let table: [UInt8] = (0..<256 as Range<UInt16>).map { byte in
        (0..<8).reduce(UInt8(byte)) { crc, _ in crc & 0x80 == 0 ? crc << 1 : crc << 1 ^ 0x07 }
    }
}

/// The running CRC-16 of a stream (RFC 9639 §9.3), in a form that finds frames: the bytes between two places are a
/// frame with a correct checksum exactly if ``mark`` is equal at both places. So each byte is read once, however many
/// places might begin a frame.
///
/// Let `crc(p)` be the CRC of all bytes before place `p`. The bytes from `s` to `p` then have the checksum `crc(p) −
/// crc(s)·x^8(p − s)`. It is zero if `crc(p)·x^−8p` equals `crc(s)·x^−8s`. Division by x is possible because the
/// polynomial (0x18005) has a constant term.
struct FLACFrameChecksum {
    private var crc: UInt16 = 0
    /// x^−8n after n bytes.
    private var scale: UInt16 = 1

    /// The checksum of some bytes.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt16 {
        var checksum = Self()
        checksum.take(bytes)
        return checksum.crc
    }

    var mark: UInt16 { Self.product(crc, scale) }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        Self.tables.withUnsafeBufferPointer { tables in
            var (crc, scale) = (crc, scale)
            for byte in bytes {
                crc = crc << 8 ^ tables[Int(UInt8(crc >> 8) ^ byte)]
                scale = scale >> 8 ^ tables[256 | Int(scale & 0xFF)]
            }
            (self.crc, self.scale) = (crc, scale)
        }
    }

    private static func product(_ one: UInt16, _ other: UInt16) -> UInt16 {
        (0..<16).reversed().reduce(0) { sum, bit in timesX(sum) ^ (other >> bit & 1 == 0 ? 0 : one) }
    }

    private static func timesX(_ value: UInt16) -> UInt16 {
        value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x8005
    }

    private static func dividedByX(_ value: UInt16) -> UInt16 {
        value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xC002
    }

    /// The first 256 entries: what the byte shifted out at the top adds in a multiplication by x^8. The others: what
    /// the byte shifted out at the bottom adds in a division by x^8.
    private static let tables: [UInt16] =
        (0..<256 as Range<UInt16>).map { byte in (0..<8).reduce(byte << 8) { value, _ in timesX(value) } }
        + (0..<256 as Range<UInt16>).map { byte in (0..<8).reduce(byte) { value, _ in dividedByX(value) } }
}
