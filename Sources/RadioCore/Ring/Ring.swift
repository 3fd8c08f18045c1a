// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// A station's bounded store of recent audio: a queue of slabs, filled at one end and dropped at the other.
///
/// Consumers hold a ``RingCursor``; a cursor whose slab has been dropped is *overrun* and must skip ahead. A dropped
/// slab stays alive while another owner, such as the writer's queue, holds it.
package struct Ring {
    /// How much of the newest audio to keep at least, within ``mostBytes``.
    package var depth: Duration {
        didSet { if depth < oldValue { trim() } }
    }
    /// The most memory to use, whatever the depth, because a hostile stream may claim that its frames have no duration.
    package var mostBytes = Self.usualMostBytes {
        didSet { if mostBytes < oldValue { trim() } }
    }
    /// The position of the very first frame.
    package let start: Position
    /// The position of the next frame.
    package private(set) var position: Position
    package private(set) var format: StreamFormat?
    private var slabs: [Slab] = []
    /// The number of `slabs[0]`, counted since the station came up.
    private var firstSlab: Int64 = 0
    /// The playing time of all sealed slabs.
    private var sealedDuration: Duration = .zero
    /// The memory of all slabs in bytes.
    private var capacity = 0
    private var nextCapacity: Int

    /// The size in bytes of the first slab, which is created before the bit rate is known: a second at 128 kbit/s.
    private static let firstCapacity = 17 * 1024
    /// The usual limit in bytes: enough for minutes of any radio stream.
    package static let usualMostBytes = 32 << 20
    private static let sizeStep = 1024
    private static let slabCapacities = 4 * 1024...1024 * 1024

    /// Creates a ring whose first frame has the position `start`; all counts continue from there.
    package init(depth: Duration = .seconds(1), from start: Position = Position()) {
        self.depth = depth
        self.start = start
        position = start
        nextCapacity = Self.firstCapacity
    }

    /// Sets the format of the frames that follow. In the first format, samples count from ``start`` on; in each later
    /// format, from 0.
    package mutating func begin(_ format: StreamFormat) {
        sealLast()
        if self.format != nil { position.samples = 0 }
        self.format = format
    }

    /// Copies one whole frame into the ring and returns its slab; nil before the first ``begin(_:)``.
    package mutating func append(_ frame: UnsafeRawBufferPointer, _ facts: FrameFacts) -> Slab? {
        append(FrameBatch(facts, length: frame.count), from: 0, frame)?.slab
    }

    /// Copies frames of `batch` into the ring, from index `first` on and as many as fit into one slab, and returns the
    /// copied frames; nil before the first ``begin(_:)``.
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
        // Reserves as many table entries as the previous slab needed, so that the table is allocated once.
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

    /// The capacity for a second at the byte rate of `slab`, with some reserve for larger frames.
    private static func capacity(after slab: Slab) -> Int {
        guard slab.samples > 0 else { return slab.capacity }
        let second = Double(slab.committed) * Double(slab.format.sampleRate) / Double(slab.samples)
        let wanted = second * 1.06 + 512
        guard wanted < Double(slabCapacities.upperBound) else { return slabCapacities.upperBound }
        // Rounded up, so that the memory of a freed slab fits a new one.
        let rounded = (Int(wanted) + sizeStep - 1) / sizeStep * sizeStep
        return min(max(slabCapacities.lowerBound, rounded), slabCapacities.upperBound)
    }

    /// Drops the oldest slabs that ``depth`` does not need, and further slabs while their total size exceeds
    /// ``mostBytes``. Always keeps the newest slab.
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
    /// The cursor of a consumer that wants only future frames.
    package var liveEdge: RingCursor {
        guard let last = slabs.last else { return RingCursor(slab: firstSlab, offset: 0) }
        return RingCursor(slab: firstSlab + Int64(slabs.count) - 1, offset: last.committed)
    }

    /// The cursor of a new consumer: the newest frame from which at least `behind` of audio is left.
    ///
    /// If the ring holds less, the cursor is at the oldest frame of the current format. An earlier frame of the same
    /// slab (which holds about a second) is preferred if it has no back reference, because a decoder plays such a frame
    /// whole.
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

    /// Whether the ring has dropped the cursor's next bytes.
    package func isOverrun(_ cursor: RingCursor) -> Bool {
        cursor.slab < firstSlab
    }

    /// The committed bytes from a cursor to the end of its slab; nil at the live edge or for an overrun cursor.
    ///
    /// If the cursor is at the end of its slab, moves it to the next slab.
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

    /// The playing time from a cursor to the live edge; dropped audio does not count.
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

    /// The position of the frame at a cursor, or of the frame that contains it.
    package func position(of cursor: RingCursor) -> Position {
        let index = Int(cursor.slab - firstSlab)
        guard index >= 0, index < slabs.count else { return index < 0 ? (slabs.first?.position ?? position) : position }
        return slabs[index].position(at: cursor.offset)
    }
}

// MARK: - Frames

extension Ring {
    /// The number of the oldest frame in the ring, or of the next frame if the ring is empty.
    package var oldestFrame: Int64 { (slabs.first?.position ?? position).frames }

    /// The frame with number `frame` and all that follow it in its slab; nil if the ring does not hold it.
    package func chunk(from frame: Int64) -> Chunk? {
        guard let slab = slabIndex(ofFrame: frame).map({ slabs[$0] }) else { return nil }
        let index = Int(frame - slab.position.frames)
        guard index < slab.frameCount else { return nil }
        return Chunk(
            slab: slab, frames: 0..<slab.frameCount, bytes: 0..<slab.committed, position: slab.position,
            samples: slab.samples
        ).subchunk(index..<slab.frameCount)
    }

    /// The cursor of the frame with number `frame`: of the oldest one if the ring has dropped it, and the live edge if
    /// it is still to come.
    package func cursor(ofFrame frame: Int64) -> RingCursor {
        guard frame < position.frames else { return liveEdge }
        guard let index = slabIndex(ofFrame: frame) else { return RingCursor(slab: firstSlab, offset: 0) }
        let slab = slabs[index]
        return RingCursor(
            slab: firstSlab + Int64(index), offset: slab.start(ofFrame: Int(frame - slab.position.frames)))
    }

    /// The index of the slab that has a frame, or that a later frame will be in; nil if the ring has dropped it.
    private func slabIndex(ofFrame frame: Int64) -> Int? {
        let next = (0..<slabs.count).firstByBisection { slabs[$0].position.frames > frame }
        return next > 0 ? next - 1 : nil
    }

    /// The number of the newest frame from which at least `behind` of audio is left, or the number of the oldest frame
    /// if the ring holds less.
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

    /// The playing time from `frame` to the live edge; dropped frames do not count.
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

    /// The memory in use, and the playing time of the frames in it.
    package var held: (bytes: Int, duration: Duration) {
        (capacity, sealedDuration + (slabs.last.map { $0.isSealed ? .zero : $0.duration } ?? .zero))
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
