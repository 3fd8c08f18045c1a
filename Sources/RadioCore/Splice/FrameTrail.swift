// SPDX-License-Identifier: MIT

import Instants

/// Follows new frames along the heard ones, and counts how many of the newest, in sequence, may be the same. A value;
/// each frame costs the same.
struct FrameTrail: Sendable {
    private let heard: [UInt64]
    private let kinds: Set<UInt64>
    /// A stretch that was heard more than once is part of a loop or a jingle and tells no place.
    private let index: HeardIndex
    /// The number of frames added so far.
    private var count = 0
    /// The last eight of them.
    private var newest: [FrameMark] = []
    /// How many of the newest frames were heard at all.
    private var known = 0
    /// Where the newest frame stands, if that is known.
    private var place: Int?
    /// How many of the newest frames may be part of what was heard, in sequence. Until there are enough of them to
    /// tell, each frame that was heard at all may be.
    private(set) var run = 0
    /// The length of the run in nanoseconds, once its place is known.
    private var runLength: Int64 = 0
    /// How long the frames that were never heard play, in nanoseconds.
    private var unheard: Int64 = 0

    private static let enough = HeardIndex.length

    init(_ memory: FrameMemory) {
        let marks = memory.inOrder
        heard = marks.map(\.fingerprint)
        kinds = Set(heard)
        index = HeardIndex(marks)
    }

    /// Whether the newest frames are at a place in what was heard.
    var isFollowing: Bool { place != nil }

    /// The newest frame is the last one heard: the next one is new.
    var hasReachedEnd: Bool { place == heard.count - 1 }

    /// The run, if it is a repeat: it must begin with the first frame heard or with the first frame added. A run that
    /// begins elsewhere is, say, a jingle that is played again.
    var repeated: FrameRun? {
        guard let place, run == count || run == place + 1 else { return nil }
        return FrameRun(frames: run, length: .nanoseconds(runLength))
    }

    /// How long the frames so far that were never heard play.
    var strange: Duration { .nanoseconds(unheard) }

    /// Takes back the newest frames of the run, which will be added again.
    mutating func forget(_ frames: FrameRun) {
        count -= frames.frames
        run = max(0, run - frames.frames)
        runLength -= frames.length.wholeNanoseconds
        // A run shorter than a stretch has to be found again.
        place = run >= Self.enough ? place.map { $0 - frames.frames } : nil
        if frames.frames > 0 { (newest, known) = ([], 0) }
    }

    mutating func add(_ mark: FrameMark) {
        let frame = mark.fingerprint
        count += 1
        newest.append(mark)
        if newest.count > Self.enough { newest.removeFirst() }
        if kinds.contains(frame) {
            known = min(known + 1, Self.enough)
        } else {
            known = 0
            unheard += Int64(mark.nanoseconds)
        }
        if let next = place.map({ $0 + 1 }), next < heard.count, heard[next] == frame {
            place = next
            run += 1
            runLength += Int64(mark.nanoseconds)
        } else {
            place = found
            run = place == nil ? min(known, Self.enough - 1) : Self.enough
            runLength = newest.reduce(0) { $0 + Int64($1.nanoseconds) }
        }
    }

    /// Where the newest frames stand, if enough of them tell.
    private var found: Int? {
        guard known >= Self.enough, newest.count == Self.enough else { return nil }
        var sums = PrefixSums()
        for mark in newest { sums.append(mark.fingerprint) }
        return sums.isTelling(upTo: Self.enough) ? index.onlyPlace(of: sums.sum(0..<Self.enough)) : nil
    }
}
