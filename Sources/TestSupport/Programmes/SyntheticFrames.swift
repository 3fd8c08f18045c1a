// SPDX-License-Identifier: MIT

import RadioCore

/// Makes the frames of an ``MPEGShape`` one after the other, with the padding that an encoder would give them.
struct SyntheticFrames {
    var shape: MPEGShape
    private var random: SplitMix64
    private var leftover = 0

    init(_ shape: MPEGShape, seed: UInt64) {
        self.shape = shape
        random = SplitMix64(seed: seed)
    }

    /// A frame like no other: noise in which there is no sync. Its main data begins in the frame itself, as noise says
    /// nothing of how much room the frames before it left.
    mutating func appendNoise(to bytes: inout [UInt8]) {
        let length = appendHeader(to: &bytes)
        var rest = length - 4
        let start = bytes.count
        while rest > 0 {
            // No byte of 0xFF, so no sync.
            let word = random.next() & 0x7F7F_7F7F_7F7F_7F7F
            withUnsafeBytes(of: word) { bytes.append(contentsOf: $0.prefix(rest)) }
            rest -= 8
        }
        bytes[start] = 0
        bytes[start + 1] &= 0x7F
    }

    /// A frame as an encoder makes it of digital silence: all alike but for the padding.
    mutating func appendSilence(to bytes: inout [UInt8]) {
        let length = appendHeader(to: &bytes)
        bytes.append(contentsOf: repeatElement(0, count: length - 4))
    }

    /// Returns the length of the frame that the header begins.
    private mutating func appendHeader(to bytes: inout [UInt8]) -> Int {
        let rates = shape.rates
        let rate = rates.count == 1 ? rates[0] : rates[Int(random.next() % UInt64(rates.count))]
        var (length, rest) = shape.length(bitRate: rate)
        rest += leftover
        let isPadded = rest >= shape.sampleRate
        if isPadded {
            rest -= shape.sampleRate
            length += 1
        }
        leftover = rest
        bytes += shape.header(bitRate: rate, isPadded: isPadded)
        return length
    }
}
