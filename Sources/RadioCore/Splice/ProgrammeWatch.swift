// SPDX-License-Identifier: MIT

package import Instants

/// Detects, after a gap, that the programme comes back at the place where it was lost. A pure value.
///
/// Some servers greet each connection with an advert and then send everything since. The advert counts as a gap when it
/// comes, but the gap closes when the end of the audio heard before it comes again. Only frames that were heard before
/// are held back, and only while they come in the same order; strange frames pass at once.
package struct ProgrammeWatch: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Hold this many of the newest frames, including the current one, and let older ones pass.
        case hold(Int)
        /// This many of the newest frames, including the current one, were heard before the gap; the next frame
        /// continues from there.
        case returned(Int)
    }

    private var trail: FrameTrail
    private let ends: MonotonicInstant

    /// How long after a gap the programme may come back.
    private static let length = Duration.seconds(90)
    /// How much longer a programme that has come back by then is followed: as long as frames are remembered. Otherwise
    /// a silence that was there before the gap as well would be followed for ever.
    private static let longest = Duration.seconds(120)

    /// `memory` holds the frames heard before the gap; `now` is when the gap was found.
    package init(after memory: FrameMemory, now: MonotonicInstant) {
        trail = FrameTrail(memory)
        ends = now + Self.length
    }

    /// Whether the watch is over.
    package func isOver(_ now: MonotonicInstant) -> Bool {
        now >= ends + Self.longest || now >= ends && !trail.isFollowing
    }

    /// The playing time of the frames since the gap that were not heard before it.
    package var strange: Duration { trail.strange }

    /// The newest frames, if they repeat what was heard before the gap.
    package var repeated: FrameRun? { trail.repeated }

    /// Removes the newest frames, which will be added again.
    package mutating func forget(_ newest: FrameRun) { trail.forget(newest) }

    /// Adds the next frame after the gap.
    package mutating func add(_ mark: FrameMark) -> Verdict {
        trail.add(mark)
        return trail.hasReachedEnd ? .returned(trail.run) : .hold(trail.run)
    }
}
