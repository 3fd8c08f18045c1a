// SPDX-License-Identifier: MIT

package import Instants

/// How much audio has to be buffered before playback starts: a little if audio arrives faster than it plays, more if it
/// does not, and twice as much after each underrun.
///
/// Playback stops when the buffer is empty and resumes at the watermark: with one threshold for both, a slow station
/// would stutter.
package struct BufferWatermark: Hashable, Sendable {
    /// The watermark: how much is required to begin or resume playback, unless audio arrives at once.
    package private(set) var high: Duration
    private var firstAudioAt: MonotonicInstant?
    private var lastChange: MonotonicInstant?
    private var hasPlayed = false

    /// How much is required to begin playback if it arrives within `atOnce` of the first audio.
    private static let least = Duration.milliseconds(600)
    /// The audio that arrives within this time of the first audio counts as arriving at once.
    private static let atOnce = Duration.milliseconds(100)
    private static let usual = Duration.seconds(1)
    private static let most = Duration.seconds(10)
    /// When there has been no underrun for this long, the watermark is halved.
    private static let calm = Duration.seconds(600)

    package init() { high = Self.usual }

    /// Begins to wait for enough audio, at the first audio of a programme or after a jump.
    package mutating func audioCame(at now: MonotonicInstant) {
        firstAudioAt = firstAudioAt ?? now
        lastChange = lastChange ?? now
    }

    /// Begins anew, as at the start. The watermark learned for the station stays.
    package mutating func restart() { (firstAudioAt, hasPlayed) = (nil, false) }

    /// Whether `ahead` is enough audio to start or resume.
    package mutating func isEnough(_ ahead: Duration, at now: MonotonicInstant) -> Bool {
        let comesAtOnce = firstAudioAt.map { now - $0 <= Self.atOnce } ?? false
        guard ahead >= (!hasPlayed && comesAtOnce ? Self.least : high) else { return false }
        hasPlayed = true
        return true
    }

    /// Doubles the watermark, because audio has run out: the station needs a larger buffer.
    package mutating func ranOut(at now: MonotonicInstant) {
        high = min(high * 2, Self.most)
        lastChange = now
    }

    /// Halves the watermark once audio has been playing for long.
    package mutating func played(at now: MonotonicInstant) {
        guard high > Self.usual, let last = lastChange, now - last >= Self.calm else { return }
        high = max(high / 2, Self.usual)
        lastChange = now
    }
}
