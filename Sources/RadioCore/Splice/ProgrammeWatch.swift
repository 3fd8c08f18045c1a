// SPDX-License-Identifier: MIT

package import Instants

/// Detects, after a gap, that the programme resumes at the place where it was lost. A pure value.
///
/// Some servers begin each connection with an advert and then send everything that aired meanwhile. When the advert
/// arrives, a gap is reported before it. That gap is withdrawn when the last frames delivered before the gap arrive
/// again. Only frames that were delivered before the gap are held back, and only while they arrive in the same order;
/// all other frames pass at once.
package struct ProgrammeWatch: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Hold this many of the newest frames, including the current one, and let older ones pass.
        case hold(Int)
        /// This many of the newest frames, including the current one, were delivered before the gap; the next frame
        /// continues from there.
        case returned(Int)
    }

    private var trail: FrameTrail
    private let ends: MonotonicInstant

    /// How long after a gap the programme may resume.
    private static let length = Duration.seconds(90)
    /// How long repeated frames are still followed after the end of ``length``, if the repetition began within
    /// ``length``. It is the time for which frames are remembered. Without a limit, a silence that also preceded the
    /// gap would be followed for ever.
    private static let longest = Duration.seconds(120)

    /// Begins the watch. `memory` holds the frames delivered before the gap; `now` is when the gap was found.
    package init(after memory: FrameMemory, now: MonotonicInstant) {
        trail = FrameTrail(memory)
        ends = now + Self.length
    }

    /// Whether the watch is over.
    package func isOver(_ now: MonotonicInstant) -> Bool {
        now >= ends + Self.longest || now >= ends && !trail.isFollowing
    }

    /// The playing time of the frames since the gap that were not delivered before it.
    package var strange: Duration { trail.strange }

    /// The newest frames, if they repeat frames delivered before the gap.
    package var repeated: FrameRun? { trail.repeated }

    /// Removes the newest frames, which will be added again.
    package mutating func forget(_ newest: FrameRun) { trail.forget(newest) }

    /// Adds the next frame after the gap.
    package mutating func add(_ mark: FrameMark) -> Verdict {
        trail.add(mark)
        return trail.hasReachedEnd ? .returned(trail.run) : .hold(trail.run)
    }
}
