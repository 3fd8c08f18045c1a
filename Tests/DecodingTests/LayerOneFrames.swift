// SPDX-License-Identifier: MIT

import RadioCore

/// MPEG audio of layer I, for which there is no encoder: eight subbands of noise (ISO 11172-3 §2.4.1.5).
enum LayerOneFrames {
    /// `secondByte` contains the version: 0xFF is MPEG-1 at 384 kbit/s, 0xF7 MPEG-2 at 224 kbit/s.
    static func make(_ count: Int, channels: Int, secondByte: UInt8) -> [UInt8] {
        var random = RadioCore.SplitMix64(seed: 3)
        let isFirst = secondByte & 8 != 0
        // The bit rates have index 12 in the tables of MPEG-1 and MPEG-2; the sample rates are 48 and 24 kHz.
        let length = isFirst ? 12 * 384_000 / 48_000 * 4 : 12 * 192_000 / 24_000 * 4
        var bytes: [UInt8] = []
        for _ in 0..<count {
            var bits = BitWriter()
            bits.put(0xFF, 8)
            bits.put(UInt64(secondByte), 8)
            bits.put(12 << 4 | 1 << 2, 8)
            bits.put(channels == 1 ? 0xC0 : 0, 8)
            // Samples of four bits in the lowest eight of 32 subbands.
            for band in 0..<32 {
                for _ in 0..<channels { bits.put(band < 8 ? 3 : 0, 4) }
            }
            for _ in 0..<8 * channels { bits.put(UInt64(18) + random.next() % UInt64(20), 6) }
            for _ in 0..<12 * 8 * channels { bits.put(random.next() % UInt64(15), 4) }
            bytes += bits.padded(to: length)
        }
        return bytes
    }
}

/// Writes bits, the highest bit of a number first.
struct BitWriter {
    private(set) var bits: [Bool] = []

    mutating func put(_ value: UInt64, _ count: Int) {
        for place in (0..<count).reversed() { bits.append(value >> UInt64(place) & 1 == 1) }
    }

    /// Writes the first `count` bits of `bytes`.
    mutating func put(_ bytes: some Collection<UInt8>, bits count: Int) {
        for (index, byte) in bytes.enumerated() {
            for place in 0..<8 where index * 8 + place < count { bits.append(byte >> UInt8(7 - place) & 1 == 1) }
        }
    }

    var bytes: [UInt8] { padded(to: 0) }

    func padded(to length: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(length, (bits.count + 7) / 8))
        for (index, bit) in bits.enumerated() where bit { bytes[index / 8] |= 0x80 >> UInt8(index % 8) }
        return bytes
    }
}
