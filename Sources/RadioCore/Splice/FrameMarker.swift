// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// Marks the frames of a connection, and counts how long they play. A value.
package struct FrameMarker {
    /// How long the frames marked so far play.
    package private(set) var played = Duration.zero
    private var sampleRate = 1
    /// The length of the last frame. It is kept because nearly all are alike, and dividing costs more than all else
    /// here.
    private var length = FrameLength(samples: 0, sampleRate: 1)

    package init() {}

    /// The frames that follow have this format.
    package mutating func begin(_ format: StreamFormat) {
        sampleRate = format.sampleRate
        length = FrameLength(samples: length.samples, sampleRate: sampleRate)
    }

    /// Marks frames; `bytes` are those of all of them.
    package mutating func mark(_ batch: inout FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        var alike = 0
        batch.update(in: bytes) { facts, frame in
            // The number is the stream's claim, and no sum of claims may overflow. The ring has 32 bits for it as well.
            facts.samples = min(facts.samples, Int(UInt32.max))
            if facts.samples != length.samples {
                played += length.duration * alike
                length = FrameLength(samples: facts.samples, sampleRate: sampleRate)
                alike = 0
            }
            alike += 1
            facts.mark = FrameMark(frame, nanoseconds: length.nanoseconds)
        }
        played += length.duration * alike
    }
}

/// How long a frame plays.
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
