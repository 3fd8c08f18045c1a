// SPDX-License-Identifier: MIT

/// What a piece of a programme sounds like: a frame, or some frames that follow each other.
package struct SoundWindow: Sendable, Hashable {
    /// The number of the frame in which the window begins.
    package var frame: Int64
    /// Where the window begins, in samples of the programme's format: see ``Position/samples``.
    package var instant: Int64
    /// Where the window begins: the playing time since the programme is listened to.
    package var start: Duration
    package var length: Duration
    package var loudness: Loudness
    /// How often the loudest channel changes its sign in a second.
    package var crossings: Double

    package init(
        frame: Int64, instant: Int64 = 0, start: Duration, length: Duration, loudness: Loudness, crossings: Double = 0
    ) {
        (self.frame, self.instant) = (frame, instant)
        (self.start, self.length) = (start, length)
        self.loudness = loudness
        self.crossings = crossings
    }

    package var end: Duration { start + length }

    /// Adds the window that follows.
    package mutating func append(_ next: SoundWindow) {
        let share = next.length / (length + next.length)
        loudness.merge(next.loudness, share: Float(share))
        crossings += (next.crossings - crossings) * share
        length += next.length
    }
}
