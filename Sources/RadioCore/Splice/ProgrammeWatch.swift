// SPDX-License-Identifier: MIT

package import Instants

/// After a gap: notices when the programme comes back at the place where it was lost. A pure value.
///
/// Some servers greet each connection with an advert and then send everything since. The advert is a gap when it comes,
/// but the gap closes when the end of what was heard before it is heard again. Only frames that were heard before are
/// held back, and only while they come in the same sequence; strange ones pass at once.
package struct ProgrammeWatch: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Hold this many of the newest frames, the present one among them, and let older ones pass.
        case hold(Int)
        /// This many of the newest frames, the present one among them, were heard before the gap; the next one goes on
        /// from there.
        case returned(Int)
    }

    private var trail: FrameTrail
    private let ends: MonotonicInstant

    /// How long after a gap the programme may come back.
    private static let length = Duration.seconds(90)
    /// A programme that has come back by then is followed for as long as frames are remembered, and no longer: a
    /// silence that was there before the gap as well would be followed for ever.
    private static let longest = Duration.seconds(120)

    /// `memory`: the frames heard before the gap. `now`: when the gap was found.
    package init(after memory: FrameMemory, now: MonotonicInstant) {
        trail = FrameTrail(memory)
        ends = now + Self.length
    }

    /// Whether nothing more is to be expected.
    package func isOver(_ now: MonotonicInstant) -> Bool {
        now >= ends + Self.longest || now >= ends && !trail.isFollowing
    }

    /// How long the frames since the gap play that were not heard before it.
    package var strange: Duration { trail.strange }

    /// The newest frames, if they repeat what was heard before the gap.
    package var repeated: FrameRun? { trail.repeated }

    /// Takes back the newest frames, which will be added again.
    package mutating func forget(_ newest: FrameRun) { trail.forget(newest) }

    /// The next frame after the gap.
    package mutating func add(_ mark: FrameMark) -> Verdict {
        trail.add(mark)
        return trail.hasReachedEnd ? .returned(trail.run) : .hold(trail.run)
    }
}
