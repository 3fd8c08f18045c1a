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
        var ends: [UInt32] = []
        var facts: [FrameFacts] = []
        var samples: Int64 = 0
        var isSealed = false
    }

    /// What the table keeps for each frame besides where it lies.
    package struct FrameFacts: Sendable, Hashable {
        package var samples: UInt32
        package var backReference: UInt16
        package init(samples: UInt32, backReference: UInt16) {
            self.samples = samples
            self.backReference = backReference
        }
    }

    package init(format: StreamFormat, capacity: Int, position: Position = Position(), expectedFrames: Int = 48) {
        self.format = format
        self.capacity = capacity
        self.position = position
        content.ends.reserveCapacity(expectedFrames)
        content.facts.reserveCapacity(expectedFrames)
        // malloc gives this alignment by itself, so the memory of a freed slab can serve the next one as it is.
        base = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        base.deallocate()
    }

    /// Bytes filled so far; loop thread only.
    package var committed: Int { content.committed }
    /// For each frame where it ends; loop thread only.
    package var ends: [UInt32] { content.ends }
    /// For each frame how many samples it plays and what a joiner must know; loop thread only.
    package var facts: [FrameFacts] { content.facts }
    /// How many samples all frames so far play; loop thread only.
    package var samples: Int64 { content.samples }
    /// Whether the slab takes no more frames; loop thread only.
    package var isSealed: Bool { content.isSealed }

    package var frameCount: Int { content.ends.count }

    /// How long the slab's frames play.
    package var duration: Duration { .samples(samples, at: format.sampleRate) }

    /// Where frame `index` of this slab lies; loop thread only.
    package func range(ofFrame index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
    }

    /// Copies one whole frame to the end, and returns ``samples``; nil where it does not fit or the slab is sealed.
    /// Loop thread only.
    package func append(_ frame: UnsafeRawBufferPointer, _ facts: FrameFacts) -> Int64? {
        fill(&content, frame, facts)
    }

    private func fill(_ content: inout Content, _ frame: UnsafeRawBufferPointer, _ facts: FrameFacts) -> Int64? {
        guard !content.isSealed, frame.count <= capacity - content.committed, let source = frame.baseAddress else {
            return nil
        }
        (base + content.committed).copyMemory(from: source, byteCount: frame.count)
        content.committed += frame.count
        content.ends.append(UInt32(content.committed))
        content.facts.append(facts)
        content.samples += Int64(facts.samples)
        return content.samples
    }

    /// No more frames; loop thread only.
    package func seal() {
        content.isSealed = true
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
