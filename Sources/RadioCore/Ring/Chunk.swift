// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// How far a station has come: frames and bytes and samples since it came up. Never goes back.
package struct Position: Hashable, Sendable {
    package var frames: Int64
    package var bytes: Int64
    /// Media time in samples of the current format since the last ``StreamEvent/format(_:at:)``.
    package var samples: Int64

    package init(frames: Int64 = 0, bytes: Int64 = 0, samples: Int64 = 0) {
        self.frames = frames
        self.bytes = bytes
        self.samples = samples
    }
}

/// One or more whole frames, contiguous, immutable: what sinks get. Frames `frames` of `slab`.
package struct Chunk: Sendable {
    package let slab: Slab
    /// Which frames of the slab.
    package let frames: Range<Int>
    /// The bytes of exactly these frames in the slab.
    package let bytes: Range<Int>
    /// Position of the first frame.
    package let position: Position
    /// Samples in all of them.
    package let samples: Int64

    package init(slab: Slab, frames: Range<Int>, bytes: Range<Int>, position: Position, samples: Int64) {
        self.slab = slab
        self.frames = frames
        self.bytes = bytes
        self.position = position
        self.samples = samples
    }

    package var format: StreamFormat { slab.format }
    /// The bytes for the writer's thread.
    package var slice: SlabSlice { SlabSlice(slab, bytes) }
    package var duration: Duration { .samples(samples, at: format.sampleRate) }

    /// The chunk's frames from `first` (counted in the chunk) up to `last`, excluded. Loop thread only.
    package func subchunk(_ range: Range<Int>) -> Chunk {
        let lower = frames.lowerBound + range.lowerBound
        let upper = frames.lowerBound + range.upperBound
        precondition(lower <= upper && upper <= frames.upperBound, "frames \(range) of a chunk of \(frames.count)")
        let start = lower == 0 ? 0 : Int(slab.ends[lower - 1])
        let end = upper == 0 ? 0 : Int(slab.ends[upper - 1])
        var before: Int64 = 0
        for index in frames.lowerBound..<lower { before += Int64(slab.facts[index].samples) }
        var inside: Int64 = 0
        for index in lower..<upper { inside += Int64(slab.facts[index].samples) }
        let from = Position(
            frames: position.frames + Int64(range.lowerBound),
            bytes: position.bytes + Int64(start - bytes.lowerBound),
            samples: position.samples.addingSaturated(before))
        return Chunk(slab: slab, frames: lower..<upper, bytes: start..<end, position: from, samples: inside)
    }
}
