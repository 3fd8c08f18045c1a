// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// A fixed block of memory that holds whole frames of one format, about a second of them.
///
/// Filled at its end by the loop's thread only; bytes below ``committed`` never change and never move, so anyone who
/// got a ``SlabSlice`` from the loop may read it on any thread for as long as they hold it.
///
/// Sendable, unchecked. Proof: `base` and `capacity` are constants. The loop's thread alone writes memory at and above
/// `committed` and alone touches `content`, the mark and the frame table. Another thread learns of bytes only through
/// a `SlabSlice` that was handed over through a lock (the writer's queue), after those bytes were written, and reads
/// nothing but them. `deinit` runs when the last slice is gone.
package final class Slab: @unchecked Sendable {
    package let format: StreamFormat
    package let capacity: Int
    /// Position of the slab's first frame.
    package let position: Position
    private let base: UnsafeMutableRawPointer
    /// Everything that changes, in one property: Swift checks each access to one for exclusivity.
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

    /// A frame, as the table has it.
    private struct Entry {
        /// Offset of the first byte behind it.
        var end: UInt32
        var backReference: UInt16
        /// Samples of all frames up to and including it.
        var samplesEnd: Int64
    }

    package init(format: StreamFormat, capacity: Int, position: Position = Position(), expectedFrames: Int = 48) {
        self.format = format
        self.capacity = capacity
        self.position = position
        content.frames.reserveCapacity(expectedFrames)
        // malloc gives this alignment by itself, so the memory of a freed slab can serve the next one as it is.
        base = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        base.deallocate()
    }

    /// Bytes filled so far; loop thread only.
    package var committed: Int { content.committed }
    /// How many samples all frames so far play; loop thread only.
    package var samples: Int64 { content.samples }
    /// Whether the slab takes no more frames; loop thread only.
    package var isSealed: Bool { content.isSealed }

    package var frameCount: Int { content.frames.count }

    /// How long the slab's frames play.
    package var duration: Duration { .samples(samples, at: format.sampleRate) }

    /// Copies one whole frame to the end, and returns ``samples``; nil where it does not fit or the slab is sealed.
    /// Loop thread only.
    package func append(_ frame: UnsafeRawBufferPointer, _ facts: FrameFacts) -> Int64? {
        append(FrameBatch(facts, length: frame.count), from: 0, frame).map { _ in samples }
    }

    /// Copies frames to the end, from the one numbered `first` on, until the slab is full or plays for as many samples
    /// as `limit`, and returns them; nil where not even the first one fits or the slab is sealed. Loop thread only.
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

    /// Where a frame of this slab lies; loop thread only.
    package func range(ofFrame index: Int) -> Range<Int> { start(ofFrame: index)..<Int(content.frames[index].end) }

    /// Where a frame begins, or the next one will; loop thread only.
    func start(ofFrame index: Int) -> Int { index == 0 ? 0 : Int(content.frames[index - 1].end) }

    /// How many samples some of the frames play; loop thread only.
    package func samples(ofFrames range: Range<Int>) -> Int64 {
        samples(before: range.upperBound) - samples(before: range.lowerBound)
    }

    private func samples(before index: Int) -> Int64 { index == 0 ? 0 : content.frames[index - 1].samplesEnd }

    /// Whether a decoder that begins with this frame plays it whole; loop thread only.
    func isPlayedWhole(_ index: Int) -> Bool { content.frames[index].backReference == 0 }

    /// No more frames; loop thread only.
    package func seal() {
        content.isSealed = true
    }

    /// The bytes of some of the frames, one by one; loop thread only.
    package func forEachFrame(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void) {
        var start = start(ofFrame: range.lowerBound)
        for frame in content.frames[range] {
            withBytes(start..<Int(frame.end), body)
            start = Int(frame.end)
        }
    }

    /// Memory below the committed mark.
    package func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity, "slab range \(range) of \(capacity)")
        return body(UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
    }
}

/// Committed bytes of a slab, whole frames, to be read on any thread.
package struct SlabSlice: Sendable {
    package let slab: Slab
    package let range: Range<Int>

    /// Made on the loop's thread, of committed bytes only.
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
