// SPDX-License-Identifier: MIT

/// The fingerprints and playing times of the frames delivered last: a ring of two minutes, and never more than
/// ``mostFrames``.
package struct FrameMemory: Sendable {
    /// Two minutes in nanoseconds: more than the 90 s within which ``ProgrammeWatch`` finds a programme again.
    private static let depth: Int64 = 120_000_000_000
    /// Vorbis frames may be as short as three milliseconds.
    private static let mostFrames = 1 << 15

    private var fingerprints: [UInt64] = []
    private var lengths = FrameLengths()
    /// The index of the oldest frame, once the ring is full.
    private var oldest = 0
    /// The playing time of all frames in nanoseconds.
    private var heard: Int64 = 0
    private var isFull = false
    /// The number of frames so far, and before which of these audio is missing.
    private var total = 0
    package private(set) var breaks: [Int] = []

    /// The ring grows by this many frames at a time. A process may have a thousand rings, so no ring reserves more
    /// memory than that in advance.
    private static let growth = 512

    package init() {}

    package var isEmpty: Bool { fingerprints.isEmpty }

    /// Takes the next frame, and forgets the oldest frame once the ring is full.
    package mutating func append(_ mark: FrameMark) {
        heard += Int64(mark.nanoseconds)
        total += 1
        guard isFull else {
            let count = fingerprints.count
            if count == fingerprints.capacity { fingerprints.reserveCapacity(count + Self.growth) }
            lengths.set(mark.nanoseconds, at: count, of: count)
            fingerprints.append(mark.fingerprint)
            isFull = heard >= Self.depth || fingerprints.count >= Self.mostFrames
            return
        }
        heard -= Int64(lengths[oldest])
        fingerprints[oldest] = mark.fingerprint
        lengths.set(mark.nanoseconds, at: oldest, of: fingerprints.count)
        oldest += 1
        if oldest == fingerprints.count { oldest = 0 }
    }

    /// Appends the frames that have a fingerprint.
    package mutating func append(_ batch: FrameBatch) {
        for index in 0..<batch.count {
            if let mark = batch[index].mark { append(mark) }
        }
    }

    /// The playing time of the remembered frames.
    package var duration: Duration { .nanoseconds(heard) }

    /// At most `count` of the remembered frames, in order. The first is `back` frames before the end.
    package func marks(from back: Int, count: Int) -> [FrameMark] {
        let all = fingerprints.count
        guard back <= all else { return [] }
        return (all - back..<min(all, all - back + count)).map { place in
            let index = (oldest + place) % all
            return FrameMark(fingerprint: fingerprints[index], nanoseconds: lengths[index])
        }
    }

    /// Marks that audio is missing before the frame that is `back` frames before the end.
    package mutating func noteBreak(_ back: Int = 0) {
        breaks = breaks.filter { total - $0 <= fingerprints.count } + [total - back]
    }

    /// Whether audio is missing somewhere before the newest `count` frames, and after the frame before these.
    func hasBreak(inNewest count: Int) -> Bool { breaks.contains { total - $0 < count } }

    /// All remembered frames, oldest first.
    package var inOrder: [FrameMark] {
        let count = fingerprints.count
        return (Array(oldest..<count) + Array(0..<oldest)).map { index in
            FrameMark(fingerprint: fingerprints[index], nanoseconds: lengths[index])
        }
    }
}

/// The playing times of frames in nanoseconds: a single number while all are equal, as they usually are.
private struct FrameLengths: Sendable {
    private var common: UInt32 = 0
    /// Empty while all are equal.
    private var each: [UInt32] = []

    subscript(index: Int) -> UInt32 { each.isEmpty ? common : each[index] }

    /// Sets the playing time at `index` of `count`; appends it if `index` equals `count`.
    mutating func set(_ length: UInt32, at index: Int, of count: Int) {
        if count == 0 { common = length }
        if each.isEmpty {
            guard length != common else { return }
            each = Array(repeating: common, count: count)
        }
        if index < each.count { each[index] = length } else { each.append(length) }
    }
}
