// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport

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
