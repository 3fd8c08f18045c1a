// SPDX-License-Identifier: MIT

package import Instants

/// How fast the audio of a file comes, and how much of it has to be at hand so that it does not run out before the file
/// has come to its end. A value.
///
/// The rate is seconds of audio for each second of time, over the last ``window`` in which the download was not held
/// back. What is needed follows from it: while the rest of the file comes `rest / rate` passes, so what is at hand and
/// the rest have to play for as long.
package struct DownloadPace: Hashable, Sendable {
    private struct Sample: Hashable {
        var at: Duration
        var media: Duration
    }

    /// Time in which it was not held back, and the last moment that counts.
    private var passed = Duration.zero
    private var last: MonotonicInstant?
    private var samples: [Sample] = []

    /// Deliveries older than this do not count towards the rate.
    private static let window = Duration.seconds(10)
    private static let spacing = Duration.milliseconds(200)
    /// Within so short a time nothing is measured.
    private static let least = Duration.milliseconds(400)
    /// The rate may fall, too.
    private static let margin = 1.1
    /// Nobody waits longer for a first sound: rather a break later on.
    private static let longestWait = Duration.seconds(20)

    package init() {}

    /// So much of the file has come so far.
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

    /// The download is held back from now on: the time does not count until the next arrival.
    package mutating func heldBack() { last = nil }

    /// Seconds of audio for each second; nil while that is not known.
    package var rate: Double? {
        guard let first = samples.first, let newest = samples.last, newest.at - first.at >= Self.least else {
            return nil
        }
        return (newest.media - first.media).inSeconds / (newest.at - first.at).inSeconds
    }

    /// What has to be at hand where so much is still to come. Where nobody knows how much that is, nothing follows.
    package func needed(rest: Duration?) -> Duration {
        guard let rate, rate < 1, let rest, rest > .zero else { return .zero }
        let safe = max(0.001, rate / Self.margin)
        // It is never waited for longer than that, at this rate.
        let most = Self.longestWait.inSeconds * max(rate, 0.001)
        return .nanoseconds(Int64(min(rest.inSeconds * (1 / safe - 1), most) * 1e9))
    }
}
