// SPDX-License-Identifier: MIT

package import Instants

/// Detects, after gaps, that the programme resumes at a place where it was lost. A pure value.
///
/// Some servers begin each connection with an advert and then send everything that aired meanwhile. When the advert
/// arrives, a gap is reported before it. That gap is withdrawn when the last frames delivered before the gap arrive
/// again. Only frames that were delivered before the gap are held back, and only while they arrive in the same order;
/// all other frames pass at once.
package struct ProgrammeWatch: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Hold this many of the newest frames, including the current one, and let older ones pass.
        case hold(Int)
        /// The newest frames were delivered up to a gap, before which ``FrameMemory/count`` frames were. The last `new`
        /// of them continue from there; the `heard` before these were delivered.
        case returned(count: Int, heard: Int, new: Int)
    }

    private let memory: FrameMemory
    private let kinds: Set<UInt64>
    private var matcher: FrameMatcher
    /// The number of the newest consecutive frames that were delivered at any place, while these are too few to
    /// determine a place.
    private var known = 0
    /// The first of the frames that are followed.
    private var runStart = 0
    private let ends: MonotonicInstant

    /// How long after a gap the programme may resume.
    private static let length = Duration.seconds(90)
    /// How long repeated frames are still followed after the end of ``length``, if the repetition began within
    /// ``length``. Frames are remembered for at least that time. Without a limit, a silence that also preceded the
    /// gap would be followed for ever.
    private static let longest = Duration.seconds(120)

    /// Begins the watch. `memory` holds the frames delivered before the gap; `now` is when the gap was found.
    package init(after memory: FrameMemory, now: MonotonicInstant) {
        (self.memory, matcher, ends) = (memory, FrameMatcher(memory), now + Self.length)
        kinds = Set(memory.inOrder.map(\.fingerprint))
    }

    /// Whether the newest frame was delivered before the gap, at any place.
    package var isNewestKnown: Bool { known > 0 }

    /// Whether the watch is over.
    package func isOver(_ now: MonotonicInstant) -> Bool {
        now >= ends + Self.longest || now >= ends && matcher.followed == nil
    }

    /// The newest frames, if they repeat frames delivered before the gap. A repetition begins with the oldest
    /// remembered frame, behind a gap, or with the first frame added. What begins elsewhere may be a jingle that is
    /// played again.
    package var repeated: (frames: Int, length: Duration)? {
        guard let offset = matcher.followed,
            runStart == 0 || runStart + offset == 0 || memory.isGap(before: memory.forgotten + runStart + offset)
        else { return nil }
        let length = matcher.time(ofFrame: matcher.count) - matcher.time(ofFrame: runStart)
        return (matcher.count - runStart, length)
    }

    /// Begins anew: the newest frames will be added again.
    package mutating func restart() { (matcher, known, runStart) = (FrameMatcher(memory), 0, 0) }

    /// Adds the next frame after the gap.
    package mutating func add(_ mark: FrameMark) -> Verdict {
        if let followed = matcher.followed, matcher.alignment(followed).drop == matcher.count { matcher.follow(nil) }
        let before = matcher.followed
        matcher.add(mark)
        let count = matcher.count
        known = kinds.contains(mark.fingerprint) ? min(known + 1, HeardIndex.length - 1) : 0
        if let before, matcher.followed != before {
            let place = memory.forgotten + before + count - 1
            if memory.isGap(before: place) { return .returned(count: place, heard: count - 1 - runStart, new: 1) }
        }
        guard let followed = matcher.followed else { return .hold(known) }
        if followed != before { runStart = count - HeardIndex.length }
        guard matcher.alignment(followed).drop == count else { return .hold(count - runStart) }
        return .returned(count: memory.count, heard: count - runStart, new: 0)
    }
}
