// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// A station's bounded store of recent audio: a queue of slabs, filled at one end and dropped at the other.
///
/// Confined to the loop's thread. Consumers are ``RingCursor``s; one whose slab has been dropped is *overrun* and has
/// to skip. A slab that somebody still holds (the writer's queue) lives on after the ring let it go.
package struct Ring {
    /// How much audio is kept, at the least, behind the newest frame.
    package var depth: Duration {
        didSet { if depth < oldValue { trim() } }
    }
    /// Memory at most, whatever the depth: frames of strangers may claim to last for no time at all.
    package var mostBytes = Self.usualMostBytes {
        didSet { if mostBytes < oldValue { trim() } }
    }
    /// Where the first frame of all stands, or will stand.
    package let start: Position
    /// Where the next frame will stand.
    package private(set) var position: Position
    package private(set) var format: StreamFormat?
    private var slabs: [Slab] = []
    /// Number of `slabs[0]`, counted since the station came up.
    private var firstSlab: Int64 = 0
    /// Audio in all slabs but the last, which is still growing.
    private var sealedDuration: Duration = .zero
    /// Bytes of memory of all slabs.
    private var capacity = 0
    private var nextCapacity: Int

    /// Bytes of a first slab, before the bit rate is known: a second at 128 kbit/s.
    private static let firstCapacity = 17 * 1024
    /// Enough for minutes of any radio.
    package static let usualMostBytes = 32 << 20
    private static let sizeStep = 1024
    private static let slabCapacities = 4 * 1024...1024 * 1024

    /// A ring whose first frame stands at `start`: all counts go on from there.
    package init(depth: Duration = .seconds(1), from start: Position = Position()) {
        self.depth = depth
        self.start = start
        position = start
        nextCapacity = Self.firstCapacity
    }

    /// Frames from now on have this format. Samples count from where the ring begins, and from 0 in each later format.
    package mutating func begin(_ format: StreamFormat) {
        sealLast()
        if self.format != nil { position.samples = 0 }
        self.format = format
    }

    /// Copies one whole frame in and returns the slab that took it; nil before the first ``begin(_:)``.
    package mutating func append(_ frame: UnsafeRawBufferPointer, _ facts: FrameFacts) -> Slab? {
        append(FrameBatch(facts, length: frame.count), from: 0, frame)?.slab
    }

    /// Copies whole frames in, from the one numbered `first` on, as many as the slab takes, and returns them; nil
    /// before the first ``begin(_:)``.
    package mutating func append(
        _ batch: FrameBatch, from first: Int, _ bytes: UnsafeRawBufferPointer
    ) -> Chunk? {
        guard let format, first < batch.count else { return nil }
        let second = Int64(format.sampleRate)
        var chunk = slabs.last?.append(batch, from: first, bytes, limit: second)
        if chunk == nil {
            let slab = addSlab(format, atLeast: batch.range(of: first).count)
            chunk = slab.append(batch, from: first, bytes, limit: second)
        }
        guard let chunk else { return nil }
        position.frames += Int64(chunk.frames.count)
        position.bytes += Int64(chunk.bytes.count)
        position.samples = position.samples.addingSaturated(chunk.samples)
        if chunk.slab.samples >= second { sealLast() }
        return chunk
    }

    private mutating func addSlab(_ format: StreamFormat, atLeast bytes: Int) -> Slab {
        sealLast()
        // The table of a slab starts as large as the one before it, so that it is allocated once.
        let frames = slabs.last.map { $0.frameCount + 2 } ?? 48
        let slab = Slab(
            format: format, capacity: max(nextCapacity, bytes), position: position, expectedFrames: frames)
        slabs.append(slab)
        capacity += slab.capacity
        trim()
        return slab
    }

    private mutating func sealLast() {
        guard let last = slabs.last, !last.isSealed else { return }
        last.seal()
        sealedDuration += last.duration
        nextCapacity = Self.capacity(after: last)
    }

    /// Room for a second at the pace of a slab, and some for the next one's larger frames.
    private static func capacity(after slab: Slab) -> Int {
        guard slab.samples > 0 else { return slab.capacity }
        let second = Double(slab.committed) * Double(slab.format.sampleRate) / Double(slab.samples)
        let wanted = second * 1.06 + 512
        guard wanted < Double(slabCapacities.upperBound) else { return slabCapacities.upperBound }
        // Slabs have like sizes, so that the memory of a freed slab fits a new one.
        let rounded = (Int(wanted) + sizeStep - 1) / sizeStep * sizeStep
        return min(max(slabCapacities.lowerBound, rounded), slabCapacities.upperBound)
    }

    /// Lets go of slabs that lie deeper than `depth`, or that are too many; the newest slab always stays.
    private mutating func trim() {
        var drop = 0
        while drop < slabs.count - 1,
            sealedDuration - slabs[drop].duration >= depth || capacity > mostBytes
        {
            sealedDuration -= slabs[drop].duration
            capacity -= slabs[drop].capacity
            drop += 1
        }
        guard drop > 0 else { return }
        slabs.removeFirst(drop)
        firstSlab += Int64(drop)
    }
}

// MARK: - Cursors

extension Ring {
    /// The cursor of a consumer that wants only what comes from now on.
    package var liveEdge: RingCursor {
        guard let last = slabs.last else { return RingCursor(slab: firstSlab, offset: 0) }
        return RingCursor(slab: firstSlab + Int64(slabs.count) - 1, offset: last.committed)
    }

    /// The cursor of a joiner: the newest frame that is at least `behind` back and can be played from its start.
    ///
    /// Where less is kept, the oldest frame of the current format. Among the frames of the second before that place a
    /// frame without back reference is preferred, because a decoder plays it whole.
    package func joinPoint(behind: Duration) -> RingCursor {
        var remaining = behind
        var index = slabs.count
        while index > 0 {
            let slab = slabs[index - 1]
            guard slab.format == format else { break }
            index -= 1
            if slab.duration >= remaining {
                return RingCursor(slab: firstSlab + Int64(index), offset: slab.joinOffset(behind: remaining))
            }
            remaining -= slab.duration
        }
        guard index < slabs.count else { return liveEdge }
        return RingCursor(
            slab: firstSlab + Int64(index), offset: slabs[index].joinOffset(behind: slabs[index].duration))
    }

    /// Whether the ring has dropped what the cursor wants next.
    package func isOverrun(_ cursor: RingCursor) -> Bool {
        cursor.slab < firstSlab
    }

    /// The committed bytes at a cursor, in one piece; nil at the live edge or for an overrun cursor.
    ///
    /// Moves the cursor on to the next slab where this one is used up.
    package func bytes(at cursor: inout RingCursor) -> SlabSlice? {
        while true {
            let index = Int(cursor.slab - firstSlab)
            guard index >= 0, index < slabs.count else { return nil }
            let slab = slabs[index]
            if cursor.offset < slab.committed { return SlabSlice(slab, cursor.offset..<slab.committed) }
            guard index + 1 < slabs.count else { return nil }
            cursor = RingCursor(slab: cursor.slab + 1, offset: 0)
        }
    }

    /// How much audio lies between a cursor and the newest frame.
    package func lag(of cursor: RingCursor) -> Duration {
        var lag = Duration.zero
        let first = max(0, Int(cursor.slab - firstSlab))
        guard first < slabs.count else { return lag }
        for index in first..<slabs.count {
            let slab = slabs[index]
            lag += firstSlab + Int64(index) == cursor.slab ? slab.duration(from: cursor.offset) : slab.duration
        }
        return lag
    }

    /// The position of the frame at, or around, a cursor.
    package func position(of cursor: RingCursor) -> Position {
        let index = Int(cursor.slab - firstSlab)
        guard index >= 0, index < slabs.count else { return index < 0 ? (slabs.first?.position ?? position) : position }
        return slabs[index].position(at: cursor.offset)
    }
}

// MARK: - Frames

extension Ring {
    /// The number of the oldest frame that is kept; of the next one where none is.
    package var oldestFrame: Int64 { (slabs.first?.position ?? position).frames }

    /// The frame with this number and all that follow it in its slab; nil where the ring does not have it.
    package func chunk(from frame: Int64) -> Chunk? {
        guard let slab = slabs.last(where: { $0.position.frames <= frame }) else { return nil }
        let index = Int(frame - slab.position.frames)
        guard index < slab.frameCount else { return nil }
        return Chunk(
            slab: slab, frames: 0..<slab.frameCount, bytes: 0..<slab.committed, position: slab.position,
            samples: slab.samples
        ).subchunk(index..<slab.frameCount)
    }

    /// The number of the frame at which `behind` or more of audio is left; the oldest one where less is kept.
    package func frame(behind: Duration) -> Int64 {
        var remaining = behind
        for slab in slabs.reversed() {
            guard slab.duration >= remaining else {
                remaining -= slab.duration
                continue
            }
            return slab.position.frames + Int64(slab.frameIndex(behind: remaining))
        }
        return oldestFrame
    }

    /// How long the frames play from this one on, up to the newest; those that are not kept do not count.
    package func duration(from frame: Int64) -> Duration {
        var duration = Duration.zero
        for slab in slabs.reversed() {
            guard slab.position.frames < frame else {
                duration += slab.duration
                continue
            }
            let index = Int(min(Int64(slab.frameCount), frame - slab.position.frames))
            return duration + .samples(slab.samples(ofFrames: index..<slab.frameCount), at: slab.format.sampleRate)
        }
        return duration
    }

    /// Copies of the newest frames of the current format, at most `count`, the newest last.
    package func lastFrames(_ count: Int) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        for slab in slabs.reversed() {
            guard slab.format == format else { break }
            for index in (0..<slab.frameCount).reversed() {
                guard frames.count < count else { return frames.reversed() }
                frames.append(slab.withBytes(slab.range(ofFrame: index)) { Array($0) })
            }
        }
        return frames.reversed()
    }
}
