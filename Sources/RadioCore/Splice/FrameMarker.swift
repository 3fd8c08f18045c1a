// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// Fingerprints the frames of a connection, and adds up their playing time.
package struct FrameMarker {
    /// The playing time of the frames fingerprinted so far.
    package private(set) var played = Duration.zero
    private var sampleRate = 1
    /// The length of the last frame, cached: nearly all frames have the same length, and the division costs more than
    /// all else here.
    private var last = (samples: -1, length: Duration.zero, nanoseconds: UInt32(0))

    package init() {}

    /// Sets the format of the frames that follow.
    package mutating func begin(_ format: StreamFormat) {
        sampleRate = format.sampleRate
        last.samples = -1
    }

    /// Fingerprints the frames of `batch`; `bytes` holds the bytes of all frames.
    package mutating func mark(_ batch: inout FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        batch.update(in: bytes) { facts, frame in
            // This number comes from the stream. It is clamped so that no sum of such numbers overflows; the ring
            // stores 32 bits, too.
            facts.samples = min(facts.samples, Int(UInt32.max))
            if facts.samples != last.samples {
                let length = Duration.samples(Int64(facts.samples), at: sampleRate)
                last = (facts.samples, length, UInt32(clamping: length.wholeNanoseconds))
            }
            played += last.length
            facts.mark = FrameMark(frame, nanoseconds: last.nanoseconds)
        }
    }
}
