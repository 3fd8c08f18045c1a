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
    private var length = FrameLength(samples: 0, sampleRate: 1)

    package init() {}

    /// Sets the format of the frames that follow.
    package mutating func begin(_ format: StreamFormat) {
        sampleRate = format.sampleRate
        length = FrameLength(samples: length.samples, sampleRate: sampleRate)
    }

    /// Fingerprints the frames of `batch`; `bytes` holds the bytes of all frames.
    package mutating func mark(_ batch: inout FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        var alike = 0
        batch.update(in: bytes) { facts, frame in
            // This number comes from the stream. It is clamped so that no sum of such numbers overflows; the ring
            // stores 32 bits, too.
            facts.samples = min(facts.samples, Int(UInt32.max))
            if facts.samples != length.samples {
                played += length.duration.scaled(Int64(alike))
                length = FrameLength(samples: facts.samples, sampleRate: sampleRate)
                alike = 0
            }
            alike += 1
            facts.mark = FrameMark(frame, nanoseconds: length.nanoseconds)
        }
        played += length.duration.scaled(Int64(alike))
    }
}

/// The length of a frame, in samples and in time.
private struct FrameLength {
    let samples: Int
    let duration: Duration
    let nanoseconds: UInt32

    init(samples: Int, sampleRate: Int) {
        self.samples = samples
        duration = .samples(Int64(samples), at: sampleRate)
        nanoseconds = UInt32(clamping: duration.wholeNanoseconds)
    }
}
