// SPDX-License-Identifier: MIT

/// Follows new frames along the heard ones, and counts how many of the newest, in sequence, may be the same. A value;
/// each frame costs the same.
struct FrameTrail: Sendable {
    private let heard: [UInt64]
    private let kinds: Set<UInt64>
    /// Stretches that were heard more than once are a loop or a jingle, part of the programme however often they come,
    /// and tell no place.
    private let stretches: HeardStretches
    /// The newest frames, as many as a stretch has.
    private var newest: [UInt64] = []
    /// How many of the newest frames were heard at all.
    private var known = 0
    /// Where the newest frame stands, if that is known.
    private var place: Int?
    /// How many of the newest frames may be part of what was heard, in sequence. Until there are enough of them to
    /// tell, each frame that was heard at all may be.
    private(set) var run = 0
    /// How long the frames that were never heard play, in nanoseconds.
    private var unheard: Int64 = 0

    private static let enough = HeardStretches.length

    init(_ memory: FrameMemory) {
        let marks = memory.inOrder
        heard = marks.map(\.fingerprint)
        kinds = Set(heard)
        stretches = HeardStretches(marks)
    }

    /// Whether the newest frames are at a place in what was heard.
    var isFollowing: Bool { place != nil }

    /// The newest frame is the last one heard: the next one is new.
    var hasReachedEnd: Bool { place == heard.count - 1 }

    /// How long the frames so far that were never heard play.
    var strange: Duration { .nanoseconds(unheard) }

    mutating func add(_ mark: FrameMark) {
        let frame = mark.fingerprint
        newest.append(frame)
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
        } else {
            place = found
            run = place == nil ? min(known, Self.enough - 1) : Self.enough
        }
    }

    /// Where the newest frames stand, if enough of them tell.
    private var found: Int? {
        guard known >= Self.enough, newest.count == Self.enough else { return nil }
        var sums = PrefixSums()
        for number in newest { sums.append(number) }
        return sums.isTelling(upTo: Self.enough) ? stretches.onlyPlace(of: sums.sum(0..<Self.enough)) : nil
    }
}
