// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport

/// Distinct MPEG audio frames: layer III at 128 kbit/s and 44.1 kHz, joint stereo, without padding.
func frames(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    return (0..<count).flatMap { _ in
        // No sync word in the payload.
        var body = random.bytes(frameLength - 4).map { $0 == 0xFF ? 0x7F : $0 }
        body[0] &= 0x3F
        return [0xFF, 0xFB, 0x90, 0x44] + body
    }
}

let frameLength = 417
/// The data rate of these frames in real time, rounded.
let bytesPerSecond = 16_000
