// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport

/// Makes HE-AAC from AAC-LC, because there is no free encoder for HE-AAC. Each frame gets the element that carries
/// spectral band replication (ISO 14496-3 §4.4.2.8), with one band, and for HE-AAC v2 the header of parametric stereo
/// in it.
///
/// The rate and the frequencies are chosen so that there is one band of each kind: then nothing has to be coded.
enum HighEfficiency {
    /// `frames` are ADTS frames of AAC-LC, at 24 kHz.
    static func make(_ frames: [[UInt8]], channels: Int, hasParametricStereo: Bool = false) -> [UInt8] {
        frames.flatMap { frame -> [UInt8] in
            // A frame ends with the three one bits of the end element, and zero bits up to a whole byte.
            let zeros = frame.last?.trailingZeroBitCount ?? 0
            let header = frame[1] & 1 == 1 ? 7 : 9
            var bits = BitWriter()
            bits.put(frame[header...], bits: (frame.count - header) * 8 - zeros - 3)
            let extra = replication(channels, hasParametricStereo)
            // A fill element with its length in bytes.
            bits.put(6, 3)
            bits.put(UInt64(extra.count), 4)
            bits.put(extra, bits: extra.count * 8)
            bits.put(7, 3)
            let body = bits.bytes
            let length = header + body.count
            var head = Array(frame[..<header])
            head[3] = head[3] & 0xFC | UInt8(length >> 11)
            head[4] = UInt8(truncatingIfNeeded: length >> 3)
            head[5] = head[5] & 0x1F | UInt8(truncatingIfNeeded: length << 5)
            return head + body
        }
    }

    private static func replication(_ channels: Int, _ hasParametricStereo: Bool) -> [UInt8] {
        var bits = BitWriter()
        // The extension type and a header: resolution, first and last frequency, crossover, reserved. Frequencies are
        // spaced linearly, by two bands, and there is one noise band.
        for (value, count) in [(13, 4), (1, 1), (1, 1), (15, 4), (6, 4), (0, 3), (0, 2), (1, 1), (0, 1)] {
            bits.put(UInt64(value), count)
        }
        for (value, count) in [(0, 2), (1, 1), (0, 2)] { bits.put(UInt64(value), count) }
        // There are no reserved bits, and two channels are not coupled.
        bits.put(0, channels == 1 ? 1 : 2)
        // Each channel has one envelope of low resolution, coded along the frequencies.
        for _ in 0..<channels { bits.put(0, 5) }
        for _ in 0..<channels { bits.put(0, 2) }
        for _ in 0..<channels { bits.put(0, 2) }
        // The envelopes come first, then the noise.
        for _ in 0..<channels { bits.put(20, 7) }
        for _ in 0..<channels { bits.put(10, 5) }
        // No sines.
        bits.put(0, channels)
        bits.put(hasParametricStereo ? 1 : 0, 1)
        if hasParametricStereo {
            // Two bytes: the extension type, a header that enables nothing, and no envelopes.
            for (value, count) in [(2, 4), (2, 2), (1, 1), (0, 3), (0, 1), (0, 2), (0, 7)] {
                bits.put(UInt64(value), count)
            }
        }
        return bits.bytes
    }
}
