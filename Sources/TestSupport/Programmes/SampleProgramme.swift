// SPDX-License-Identifier: MIT

import RadioCore

/// MPEG audio frames that all differ and have the same length, so frame `n` starts at byte `n * frameLength`. Use it
/// for tests that count bytes; for tests in which time matters, use ``Broadcast``.
package struct SampleProgramme: Sendable {
    package let bytes: [UInt8]
    package let frameLength: Int

    /// Creates `frames` frames of layer III at 128 kbit/s, joint stereo, without padding.
    package init(_ frames: Int, sampleRate: SampleRate = .cd, seed: UInt64 = 1) {
        var random = SplitMix64(seed: seed)
        frameLength = sampleRate.frameLength
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frames * sampleRate.frameLength)
        for _ in 0..<frames {
            // The payload has no sync word. Its back references are like those of an encoder.
            var body = random.bytes(sampleRate.frameLength - 4).map { $0 == 0xFF ? 0x7F : $0 }
            body[0] &= 0x3F
            bytes += sampleRate.header + body
        }
        self.bytes = bytes
    }

    package enum SampleRate: Sendable {
        case cd, dat

        package var hertz: Int { self == .cd ? 44_100 : 48_000 }
        package var frameLength: Int { self == .cd ? 417 : 384 }
        var header: [UInt8] { [0xFF, 0xFB, self == .cd ? 0x90 : 0x94, 0x44] }
    }

    /// The bytes of some frames.
    package func frames(_ range: Range<Int>) -> [UInt8] {
        Array(bytes[range.lowerBound * frameLength..<range.upperBound * frameLength])
    }

    /// The number of the first frame that starts at or after a byte.
    package func frame(atOrAfter byte: Int) -> Int64 {
        Int64((byte + frameLength - 1) / frameLength)
    }
}
