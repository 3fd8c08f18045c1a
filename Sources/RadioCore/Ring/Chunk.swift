// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// A place in a station's stream, counted since the station came up. Frames and bytes never decrease.
package struct Position: Hashable, Sendable {
    package var frames: Int64
    package var bytes: Int64
    /// Media time: the samples since the last ``StreamEvent/format(_:at:)``, at the current format's rate.
    package var samples: Int64

    package init(frames: Int64 = 0, bytes: Int64 = 0, samples: Int64 = 0) {
        self.frames = frames
        self.bytes = bytes
        self.samples = samples
    }
}

/// One or more whole frames, contiguous and immutable, as sinks receive them.
package struct Chunk: Sendable {
    package let slab: Slab
    /// The indexes of the frames in the slab.
    package let frames: Range<Int>
    /// The byte range of these frames in the slab.
    package let bytes: Range<Int>
    /// The position of the first frame.
    package let position: Position
    /// The samples of all frames together.
    package let samples: Int64

    /// Joins this chunk with `next`, which must follow it in the same slab.
    package func joined(_ next: Chunk) -> Chunk {
        Chunk(
            slab: slab, frames: frames.lowerBound..<next.frames.upperBound,
            bytes: bytes.lowerBound..<next.bytes.upperBound, position: position, samples: samples + next.samples)
    }

    package var format: StreamFormat { slab.format }
    /// The bytes, as a slice that the writer's thread may read.
    package var slice: SlabSlice { SlabSlice(slab, bytes) }
    package var duration: Duration { .samples(samples, at: format.sampleRate) }

    /// The part of the chunk at `range`, in frames counted from the chunk's first. Loop thread only.
    package func subchunk(_ range: Range<Int>) -> Chunk {
        let lower = frames.lowerBound + range.lowerBound
        let upper = frames.lowerBound + range.upperBound
        precondition(lower <= upper && upper <= frames.upperBound, "frames \(range) of a chunk of \(frames.count)")
        var from = position
        from.frames += Int64(range.lowerBound)
        from.bytes += Int64(slab.start(ofFrame: lower) - bytes.lowerBound)
        from.samples = from.samples.addingSaturated(slab.samples(ofFrames: frames.lowerBound..<lower))
        return Chunk(
            slab: slab, frames: lower..<upper, bytes: slab.start(ofFrame: lower)..<slab.start(ofFrame: upper),
            position: from, samples: slab.samples(ofFrames: lower..<upper))
    }
}
