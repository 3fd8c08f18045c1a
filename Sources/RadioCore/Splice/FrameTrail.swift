// SPDX-License-Identifier: MIT

import Instants

/// Follows new frames along the frames delivered earlier, and counts how many of the newest consecutive frames may be
/// repetitions of earlier ones. The cost per frame is constant.
struct FrameTrail: Sendable {
    private let heard: [UInt64]
    private let kinds: Set<UInt64>
    /// Finds where a run of eight frames was delivered. If that was more than once, the run belongs to a loop or a
    /// jingle, and has no place.
    private let index: HeardIndex
    /// The number of frames added so far.
    private var count = 0
    /// The last eight frames added.
    private var newest: [FrameMark] = []
    /// How many of the newest consecutive frames occur anywhere among the frames delivered earlier; at most eight.
    private var known = 0
    /// The place of the newest frame among the frames delivered earlier; nil if unknown.
    private var place: Int?
    /// How many of the newest consecutive frames may repeat frames delivered earlier. While these are too few to
    /// determine a place, a frame counts if it was delivered at any place.
    private(set) var run = 0
    /// The length of the run in nanoseconds, once its place is known.
    private var runLength: Int64 = 0
    /// The playing time, in nanoseconds, of the added frames that were not delivered earlier.
    private var unheard: Int64 = 0

    private static let enough = HeardIndex.length

    init(_ memory: FrameMemory) {
        let marks = memory.inOrder
        heard = marks.map(\.fingerprint)
        kinds = Set(heard)
        index = HeardIndex(marks)
    }

    /// Whether the place of the newest frame is known.
    var isFollowing: Bool { place != nil }

    /// Whether the newest frame is at the end of the frames delivered earlier, so that the next frame continues them.
    var hasReachedEnd: Bool { place == heard.count - 1 }

    /// The run, if it is a repetition; otherwise nil. A repetition starts with the oldest remembered frame or with the
    /// first frame added. A run that starts elsewhere may be a jingle that is played again.
    var repeated: FrameRun? {
        guard let place, run == count || run == place + 1 else { return nil }
        return FrameRun(frames: run, length: .nanoseconds(runLength))
    }

    /// The playing time of the added frames that were not delivered earlier.
    var strange: Duration { .nanoseconds(unheard) }

    /// Removes the newest frames of the run, which will be added again.
    mutating func forget(_ frames: FrameRun) {
        count -= frames.frames
        run = max(0, run - frames.frames)
        runLength -= frames.length.wholeNanoseconds
        // If the run is now too short to determine a place, the place must be found again.
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

    /// The place of the newest frame, if the newest eight frames determine its place.
    private var found: Int? {
        guard known >= Self.enough, newest.count == Self.enough else { return nil }
        let numbers = newest.lazy.map(\.fingerprint)
        return HeardIndex.areTelling(numbers) ? index.onlyPlace(of: PrefixSums.sum(of: numbers)) : nil
    }
}
