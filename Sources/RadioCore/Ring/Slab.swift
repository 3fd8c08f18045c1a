// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// A fixed block of memory that holds whole frames of one format, about a second of them.
///
/// Only the loop's thread appends to it. Bytes below ``committed`` never change and never move, so a ``SlabSlice`` that
/// was created on the loop may be read on any thread.
///
/// Sendable, unchecked. Proof: `base` and `capacity` are constants. Only the loop's thread writes memory at and above
/// `committed`, and only it accesses `content`, which holds `committed` and the frame table. Another thread reads only
/// the bytes of a `SlabSlice` that was handed over through a lock (the writer's queue) after these bytes were written.
/// `deinit` runs when the last slice is gone.
package final class Slab: @unchecked Sendable {
    package let format: StreamFormat
    package let capacity: Int
    /// The position of the slab's first frame.
    package let position: Position
    private let base: UnsafeMutableRawPointer
    /// All mutable state is in one property, because Swift checks each property access for exclusivity.
    private var content = Content()

    private struct Content {
        var committed = 0
        var frames: [Entry] = []
        var samples: Int64 = 0
        var isSealed = false

        mutating func take(_ facts: FrameFacts, upTo end: Int) {
            committed = end
            samples += Int64(UInt32(clamping: facts.samples))
            frames.append(
                Entry(
                    end: UInt32(end), backReference: UInt16(clamping: facts.backReference), samplesEnd: samples))
        }
    }

    /// An entry of the frame table.
    private struct Entry {
        /// The offset of the frame's end.
        var end: UInt32
        var backReference: UInt16
        /// The samples of all frames up to and including this one.
        var samplesEnd: Int64
    }

    package init(format: StreamFormat, capacity: Int, position: Position = Position(), expectedFrames: Int = 48) {
        self.format = format
        self.capacity = capacity
        self.position = position
        content.frames.reserveCapacity(expectedFrames)
        // The alignment of `malloc`, so that a new slab can reuse the memory of a freed one.
        base = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        base.deallocate()
    }

    /// The number of bytes filled so far. Loop thread only.
    package var committed: Int { content.committed }
    /// The samples of all frames so far. Loop thread only.
    package var samples: Int64 { content.samples }
    /// Whether the slab takes no more frames. Loop thread only.
    package var isSealed: Bool { content.isSealed }

    package var frameCount: Int { content.frames.count }

    /// The playing time of all frames so far.
    package var duration: Duration { .samples(samples, at: format.sampleRate) }

    /// Appends a copy of one whole frame, and returns ``samples``; nil if the frame does not fit or the slab is sealed.
    /// Loop thread only.
    package func append(_ frame: UnsafeRawBufferPointer, _ facts: FrameFacts) -> Int64? {
        append(FrameBatch(facts, length: frame.count), from: 0, frame).map { _ in samples }
    }

    /// Appends copies of the frames of `batch` from index `first` on, until the slab is full or holds `limit` samples,
    /// and returns the copied frames; nil if not even the first frame fits or the slab is sealed. Loop thread only.
    package func append(
        _ batch: FrameBatch, from first: Int, _ bytes: UnsafeRawBufferPointer, limit: Int64 = .max
    ) -> Chunk? {
        fill(&content, batch, first, bytes, limit)
    }

    private func fill(
        _ content: inout Content, _ batch: FrameBatch, _ first: Int, _ bytes: UnsafeRawBufferPointer, _ limit: Int64
    ) -> Chunk? {
        guard !content.isSealed, first < batch.count, let source = bytes.baseAddress else { return nil }
        let (frames, start, samples) = (content.frames.count, content.committed, content.samples)
        let from = batch.range(of: first).lowerBound
        var next = first
        while next < batch.count, content.samples < limit {
            let end = start + batch.range(of: next).upperBound - from
            guard end <= capacity else { break }
            content.take(batch[next], upTo: end)
            next += 1
        }
        guard next > first else { return nil }
        (base + start).copyMemory(from: source + from, byteCount: content.committed - start)
        var position = position
        position.frames += Int64(frames)
        position.bytes += Int64(start)
        position.samples = position.samples.addingSaturated(samples)
        return Chunk(
            slab: self, frames: frames..<content.frames.count, bytes: start..<content.committed, position: position,
            samples: content.samples - samples)
    }

    /// The byte range of a frame. Loop thread only.
    package func range(ofFrame index: Int) -> Range<Int> { start(ofFrame: index)..<Int(content.frames[index].end) }

    /// The offset of a frame, or of the next frame to come. Loop thread only.
    func start(ofFrame index: Int) -> Int { index == 0 ? 0 : Int(content.frames[index - 1].end) }

    /// The samples of a range of frames. Loop thread only.
    package func samples(ofFrames range: Range<Int>) -> Int64 {
        samples(before: range.upperBound) - samples(before: range.lowerBound)
    }

    private func samples(before index: Int) -> Int64 { index == 0 ? 0 : content.frames[index - 1].samplesEnd }

    /// Whether a decoder that starts at this frame plays it whole. Loop thread only.
    func isPlayedWhole(_ index: Int) -> Bool { content.frames[index].backReference == 0 }

    /// Stops the slab from taking more frames. Loop thread only.
    package func seal() {
        content.isSealed = true
    }

    /// Calls `body` with the bytes of each frame in a range. Loop thread only.
    package func forEachFrame(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void) {
        var start = start(ofFrame: range.lowerBound)
        for frame in content.frames[range] {
            withBytes(start..<Int(frame.end), body)
            start = Int(frame.end)
        }
    }

    /// Calls `body` with the bytes at `range`, which must lie below ``committed``.
    package func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity, "slab range \(range) of \(capacity)")
        return body(UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
    }
}

/// A range of committed bytes of a slab, to be read on any thread.
package struct SlabSlice: Sendable {
    package let slab: Slab
    package let range: Range<Int>

    /// Creates a slice of committed bytes. Loop thread only.
    package init(_ slab: Slab, _ range: Range<Int>) {
        precondition(range.upperBound <= slab.committed, "slice \(range) of \(slab.committed) committed bytes")
        self.slab = slab
        self.range = range
    }

    package var count: Int { range.count }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        slab.withBytes(range, body)
    }
}
