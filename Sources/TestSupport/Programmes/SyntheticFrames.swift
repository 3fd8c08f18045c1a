// SPDX-License-Identifier: MIT

import RadioCore

/// Generates the frames of an ``MPEGShape`` in order, with the padding that an encoder would add.
struct SyntheticFrames {
    var shape: MPEGShape
    private var random: SplitMix64
    private var leftover = 0

    init(_ shape: MPEGShape, seed: UInt64) {
        self.shape = shape
        random = SplitMix64(seed: seed)
    }

    /// Appends a unique frame whose payload is noise without a sync word. The frame's main data starts in the frame
    /// itself, because noise does not describe the free space of earlier frames.
    mutating func appendNoise(to bytes: inout [UInt8]) {
        let length = appendHeader(to: &bytes)
        var rest = length - 4
        let start = bytes.count
        while rest > 0 {
            // No byte is 0xFF, so there is no sync word.
            let word = random.next() & 0x7F7F_7F7F_7F7F_7F7F
            withUnsafeBytes(of: word) { bytes.append(contentsOf: $0.prefix(rest)) }
            rest -= 8
        }
        bytes[start] = 0
        bytes[start + 1] &= 0x7F
    }

    /// Appends a frame as an encoder produces it for digital silence. All such frames are equal except for padding.
    mutating func appendSilence(to bytes: inout [UInt8]) {
        let length = appendHeader(to: &bytes)
        bytes.append(contentsOf: repeatElement(0, count: length - 4))
    }

    /// Appends a header and returns the length of its frame.
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
