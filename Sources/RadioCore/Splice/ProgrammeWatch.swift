// SPDX-License-Identifier: MIT

package import Instants

/// After a gap: notices when the programme comes back at the place where it was lost. A pure value.
///
/// Some servers greet each connection with an advert and then send everything since. The advert is a gap when it
/// comes, but the gap closes when the end of what was heard before it is heard again. Only frames that were heard
/// before are held back, and only for as long as they go on being those; strange ones pass at once.
package struct ProgrammeWatch: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Hold the newest so many frames, this one among them, and let older ones pass.
        case hold(Int)
        /// The newest so many frames, this one among them, were heard before the gap; the next one goes on from there.
        case returned(Int)
    }

    private var trail: FrameTrail
    private let ends: MonotonicInstant

    /// How long after a gap the programme may come back.
    private static let length = Duration.seconds(90)
    /// What has come back by then may go on for as long as is remembered. In a silence that was there before the gap as
    /// well it would go on for ever.
    private static let longest = Duration.seconds(120)

    /// What was heard before the gap, and when that was found to be one.
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

    /// The next frame after the gap.
    package mutating func add(_ mark: FrameMark) -> Verdict {
        trail.add(mark)
        return trail.hasReachedEnd ? .returned(trail.run) : .hold(trail.run)
    }
}
