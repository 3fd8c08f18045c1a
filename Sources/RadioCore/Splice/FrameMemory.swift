// SPDX-License-Identifier: MIT

import Instants

/// The fingerprints and playing times of the frames delivered last: a ring of two minutes, or more if the station sends
/// a longer burst, and never more than ``mostFrames``.
package struct FrameMemory: Sendable {
    /// A place before which audio is missing.
    package struct Break: Hashable, Sendable {
        /// The number of all frames before it.
        let frame: Int
        /// The longest that the missing audio can be; nil if unknown.
        let length: Duration?
    }

    /// The playing time to remember, in nanoseconds: at least two minutes, which is more than the 90 s within which
    /// ``ProgrammeWatch`` finds a programme again.
    private var depth: Int64 = 120_000_000_000
    /// Vorbis frames may be as short as three milliseconds.
    private static let mostFrames = 1 << 15

    private var fingerprints: [UInt64] = []
    private var lengths = FrameLengths()
    /// The index of the oldest frame, once the ring is full.
    private var oldest = 0
    /// The playing time of all frames in nanoseconds.
    private var heard: Int64 = 0
    private var isFull = false
    /// The number of frames so far.
    package private(set) var count = 0
    /// Where audio is missing, oldest first.
    package private(set) var breaks: [Break] = []

    /// The ring grows by this many frames at a time. A process may have a thousand rings, so no ring reserves more
    /// memory than that in advance.
    private static let growth = 512

    package init() {}

    package var isEmpty: Bool { fingerprints.isEmpty }

    /// Takes the next frame, and forgets the oldest frame once the ring is full.
    package mutating func append(_ mark: FrameMark) {
        heard += Int64(mark.nanoseconds)
        count += 1
        guard isFull else {
            let size = fingerprints.count
            if size == fingerprints.capacity { fingerprints.reserveCapacity(size + Self.growth) }
            lengths.set(mark.nanoseconds, at: size, of: size)
            fingerprints.append(mark.fingerprint)
            isFull = heard >= depth || fingerprints.count >= Self.mostFrames
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

    /// Whether all of these frames are remembered, in any order.
    package func contains(_ marks: [FrameMark]) -> Bool {
        let known = Set(fingerprints)
        return marks.allSatisfy { known.contains($0.fingerprint) }
    }

    /// The fingerprints of the remembered frames before and after a place, which is `back` frames before the end.
    func sides(of back: Int) -> (before: Set<UInt64>, after: Set<UInt64>) {
        let all = inOrder.lazy.map(\.fingerprint)
        return (Set(all.dropLast(back)), Set(all.suffix(back)))
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

    /// Marks that this much audio, nil if unknown, is missing before the frame that is `back` frames before the end.
    package mutating func noteBreak(_ back: Int = 0, length: Duration?) {
        let new = Break(frame: count - back, length: length)
        if length == nil, isGap(before: new.frame) { return }
        breaks = breaks.filter { count - $0.frame <= fingerprints.count && $0.frame != new.frame } + [new]
        breaks.sort { $0.frame < $1.frame }
    }

    /// Remembers at least this playing time from now on, which must be enough for the station's burst: the next
    /// connection begins with one.
    package mutating func reach(_ time: Duration) {
        guard time.wholeNanoseconds > depth else { return }
        depth = time.wholeNanoseconds
        guard isFull, fingerprints.count < Self.mostFrames else { return }
        let marks = inOrder
        (fingerprints, lengths, oldest, isFull) = (marks.map(\.fingerprint), FrameLengths(), 0, false)
        for (place, mark) in marks.enumerated() { lengths.set(mark.nanoseconds, at: place, of: place) }
    }

    /// The frames that were appended since this value was `old`; nil if some of them are forgotten.
    func marks(since old: FrameMemory) -> [FrameMark]? {
        let new = count - old.count
        return new >= 0 && new <= fingerprints.count ? marks(from: new, count: new) : nil
    }

    /// The number of frames before the oldest remembered one.
    var forgotten: Int { count - fingerprints.count }

    /// The number of frames since the last gap; nil if there is none.
    var sinceBreak: Int? { breaks.last.map { count - $0.frame } }

    /// Whether there is a gap before a frame.
    func isGap(before frame: Int) -> Bool { breaks.contains { $0.frame == frame } }

    /// The most audio that can be missing before a frame; nil if none is. The last frame before a gap may be missing as
    /// well. `unknown` stands for a length that is not known.
    func missing(before frame: Int, unknown: Duration) -> Duration? {
        breaks.first { frame == $0.frame || frame == $0.frame - 1 }.map { $0.length ?? unknown }
    }

    /// The longest audio that is missing within the newest `time`; nil if none is.
    func longestBreak(within time: Duration, unknown: Duration) -> Duration? {
        breaks.filter { duration(since: $0.frame) <= time }.map { $0.length ?? unknown }.max()
    }

    /// The playing time of the frames since the one before which this many frames were.
    private func duration(since frame: Int) -> Duration {
        marks(from: min(count - frame, fingerprints.count), count: fingerprints.count).reduce(.zero) {
            $0 + $1.duration
        }
    }

    /// All remembered frames, oldest first.
    package var inOrder: [FrameMark] {
        return (Array(oldest..<fingerprints.count) + Array(0..<oldest)).map { index in
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
