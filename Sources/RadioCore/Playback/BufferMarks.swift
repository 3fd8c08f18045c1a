// SPDX-License-Identifier: MIT

package import Instants

/// How much audio has to be at hand before it is heard: a little where it comes faster than it plays, more where it
/// does not, and more again after each time that it ran out. A value.
///
/// Playing stops where nothing is left, and begins again at the mark: with one threshold for both, a slow station would
/// stutter.
package struct BufferMarks: Hashable, Sendable {
    /// What has to be at hand where audio does not come at once.
    package private(set) var high: Duration
    private var firstAudioAt: MonotonicInstant?
    private var lastChange: MonotonicInstant?
    private var hasPlayed = false

    /// Enough where more is coming at once.
    private static let least = Duration.milliseconds(600)
    /// Audio counts as coming at once for so long after its first frame.
    private static let atOnce = Duration.milliseconds(100)
    private static let usual = Duration.seconds(1)
    private static let most = Duration.seconds(10)
    /// After so long without running out the mark is halved.
    private static let calm = Duration.seconds(600)

    package init() { high = Self.usual }

    /// The first audio of a programme, or of a place that was jumped to, has come.
    package mutating func audioCame(at now: MonotonicInstant) {
        firstAudioAt = firstAudioAt ?? now
        lastChange = lastChange ?? now
    }

    /// What is heard next begins anew, as at the start; what was learned of the station stays.
    package mutating func restart() { (firstAudioAt, hasPlayed) = (nil, false) }

    /// Whether so much is enough to be heard.
    package mutating func isEnough(_ ahead: Duration, at now: MonotonicInstant) -> Bool {
        let comesAtOnce = firstAudioAt.map { now - $0 <= Self.atOnce } ?? false
        guard ahead >= (!hasPlayed && comesAtOnce ? Self.least : high) else { return false }
        hasPlayed = true
        return true
    }

    /// Audio ran out: the station needs more.
    package mutating func ranOut(at now: MonotonicInstant) {
        high = min(high * 2, Self.most)
        lastChange = now
    }

    /// Time has passed with sound in it.
    package mutating func played(at now: MonotonicInstant) {
        guard high > Self.usual, let last = lastChange, now - last >= Self.calm else { return }
        high = max(high / 2, Self.usual)
        lastChange = now
    }
}
