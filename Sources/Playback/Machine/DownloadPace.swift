// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

/// How fast the audio of a file arrives, and how much must be buffered so that it does not run out before the download
/// is complete.
///
/// The rate is seconds of audio per second, over the last ``window`` of time in which the download was not held back.
/// The rest of the file takes `rest / rate` to arrive, so the buffered audio and the rest together have to play for at
/// least that long.
package struct DownloadPace: Hashable, Sendable {
    private struct Sample: Hashable {
        var at: Duration
        var media: Duration
    }

    /// How long the download has run, without the time in which it was held back.
    private var passed = Duration.zero
    /// The time at which audio last arrived; nil after the download was held back.
    private var last: MonotonicInstant?
    private var samples: [Sample] = []

    /// Arrivals older than this do not count towards the rate.
    private static let window = Duration.seconds(10)
    private static let spacing = Duration.milliseconds(200)
    /// The shortest time over which a rate is measured.
    private static let least = Duration.milliseconds(400)
    /// How much must be buffered until the rate is measured. A fast server sends that much at once, and a slow server
    /// may begin with a burst.
    private static let unmeasured = Duration.seconds(3)
    /// The longest wait for the first sound; an underrun later on is better than a longer wait.
    private static let longestWait = Duration.seconds(20)

    /// Measures the pace of the file, which has arrived up to the media time `media`.
    package mutating func arrived(_ media: Duration, at now: MonotonicInstant) {
        if let last { passed += max(.zero, now - last) }
        last = now
        if let newest = samples.last, passed - newest.at < Self.spacing, samples.count > 1 {
            samples[samples.count - 1].media = media
            return
        }
        samples.append(Sample(at: passed, media: media))
        while samples.count > 2, passed - samples[1].at > Self.window { samples.removeFirst() }
    }

    /// Stops the clock, because the download is held back: the time until the next arrival does not count.
    package mutating func heldBack() { last = nil }

    /// Seconds of audio per second; nil until measured.
    package var rate: Double? {
        guard let first = samples.first, let newest = samples.last, newest.at - first.at >= Self.least else {
            return nil
        }
        return (newest.media - first.media).inSeconds / (newest.at - first.at).inSeconds
    }

    /// How much audio must be buffered while `rest` is still to arrive; zero if `rest` is unknown.
    package func needed(rest: Duration?) -> Duration {
        guard let rest, rest > .zero else { return .zero }
        guard let rate, samples.count > 2 else { return Self.unmeasured }
        let sure = sureRate
        guard sure < 1 else { return .zero }
        // The audio that arrives during the longest wait, at this rate.
        let most = Self.longestWait.inSeconds * max(rate, 0.001)
        let needed = rest.inSeconds * (1 / max(0.001, sure) - 1) + longestPause.inSeconds * rate
        return .nanoseconds(Int64(min(needed, most) * 1e9))
    }

    /// The rate without the largest lump of audio. A server that limits the rate may send one lump early: nginx, for
    /// example, counts whole seconds of the clock.
    private var sureRate: Double {
        guard let first = samples.first, let newest = samples.last, newest.at > first.at else { return 0 }
        let largest = zip(samples, samples.dropFirst()).map { $1.media - $0.media }.max() ?? .zero
        return (newest.media - first.media - largest).inSeconds / (newest.at - first.at).inSeconds
    }

    /// The longest time between two arrivals. A server that limits the rate sends in lumps, and the buffered audio has
    /// to last until the next lump.
    private var longestPause: Duration {
        zip(samples, samples.dropFirst()).map { $1.at - $0.at }.max() ?? .zero
    }
}
