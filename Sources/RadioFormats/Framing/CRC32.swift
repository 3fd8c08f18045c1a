// SPDX-License-Identifier: MIT

/// The CRC-32 of Ogg pages: polynomial 0x04C11DB7, most significant bit first, without any inversion.
enum CRC32 {
    /// Takes eight bytes per step, with eight tables (Kounavis and Berry's "slicing by 8").
    static func update(_ crc: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        tables.withUnsafeBufferPointer { table in
            var crc = crc
            var index = 0
            while index + 8 <= bytes.count {
                let high = crc ^ UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
                let low = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self))
                crc =
                    table[7 << 8 | Int(high >> 24)] ^ table[6 << 8 | Int(high >> 16 & 0xFF)]
                    ^ table[5 << 8 | Int(high >> 8 & 0xFF)] ^ table[4 << 8 | Int(high & 0xFF)]
                    ^ table[3 << 8 | Int(low >> 24)] ^ table[2 << 8 | Int(low >> 16 & 0xFF)]
                    ^ table[1 << 8 | Int(low >> 8 & 0xFF)] ^ table[Int(low & 0xFF)]
                index += 8
            }
            while index < bytes.count {
                crc = crc << 8 ^ table[Int(UInt8(crc >> 24) ^ bytes[index])]
                index += 1
            }
            return crc
        }
    }

    /// Table `k` holds the effect of a byte on the checksum when `k` more bytes follow it.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = []
        tables.reserveCapacity(8 * 256)
        for byte in 0..<256 as Range<UInt32> {
            var crc = byte << 24
            for _ in 0..<8 { crc = crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ 0x04C1_1DB7 }
            tables.append(crc)
        }
        for index in 256..<8 * 256 {
            let before = tables[index - 256]
            tables.append(before << 8 ^ tables[Int(before >> 24)])
        }
        return tables
    }()
}
