// SPDX-License-Identifier: MIT

package import Instants

/// Decides when to try a station again: a pure table of delays.
///
/// The first try is due at once. Then a try is due every 0.5 s for 5 s, and after that at intervals of 1, 2, 2.5, 2.5 …
/// s. After ten minutes, the intervals grow up to 60 s. Each delay varies by 20 % either way, but stays below 2.8 s for
/// the first ten minutes: frames are held for two seconds before a gap, and a station's audio should be delivered
/// within five seconds of its return. A failure that needs a person is retried every 5 minutes. A server's
/// `Retry-After` is obeyed up to 10 minutes.
///
/// An outage is over when audio has arrived for some seconds (``recovered()``): the next outage begins with a try at
/// once. The growth of the slow delays is forgotten only after a minute of audio (``succeeded()``).
package struct Backoff: Sendable {
    /// The number of tries in the current outage.
    package private(set) var attempts = 0
    /// When the current outage began; nil if there is none.
    package private(set) var outageBegan: MonotonicInstant?
    private var random: SplitMix64
    /// The number of tries since the quick tries were over.
    private var slowAttempts = 0

    private static let quickDelay = Duration.milliseconds(500)
    private static let quickPeriod = Duration.seconds(5)
    private static let slowDelays: [Duration] = [.seconds(1), .seconds(2)]
    private static let calmDelay = Duration.milliseconds(2_500)
    private static let patience = Duration.seconds(600)
    private static let longest = Duration.seconds(60)
    package static let personDelay = Duration.seconds(300)
    package static let longestRetryAfter = Duration.seconds(600)

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// How long to leave an address alone after `failure`; nil if the failure does not determine a time.
    package static func hold(after failure: Failure?) -> Duration? {
        guard let failure else { return nil }
        if failure.failureClass.needsPerson { return personDelay }
        return failure.retryAfter.map { min(max($0, quickDelay), longestRetryAfter) }
    }

    /// The delay before the next try, after a try that failed or was closed by the server.
    ///
    /// `delivered` is how long that try delivered audio, and is subtracted from the delay. A station that is cut off
    /// every few seconds is therefore tried again at once, while a station that closes after one frame is not hammered.
    package mutating func delay(at now: MonotonicInstant, delivered: Duration = .zero) -> Duration {
        let began = outageBegan ?? now
        outageBegan = began
        attempts += 1
        if attempts == 1 { return .zero }
        return max(.zero, nextDelay(outage: now - began) - delivered)
    }

    private mutating func nextDelay(outage: Duration) -> Duration {
        if outage < Self.quickPeriod { return jittered(Self.quickDelay) }
        defer { slowAttempts += 1 }
        if slowAttempts < Self.slowDelays.count { return jittered(Self.slowDelays[slowAttempts]) }
        // The delay grows to a tenth of the time by which the outage has exceeded the patience.
        let grown = min(Self.longest, (outage - Self.patience) / 10)
        return grown > Self.calmDelay ? jittered(grown) : jittered(Self.calmDelay, atMost: 1.12)
    }

    /// Ends the outage, after some seconds of audio.
    package mutating func recovered() {
        attempts = 0
        outageBegan = nil
    }

    /// Forgets all earlier failures, after a minute of good audio.
    package mutating func succeeded() {
        recovered()
        slowAttempts = 0
    }

    /// Starts over, because the cause may be gone: the next try is due at once, and quick tries follow it.
    package mutating func restart(at now: MonotonicInstant) {
        attempts = 1
        outageBegan = now
        slowAttempts = 0
    }

    private mutating func jittered(_ delay: Duration, atMost: Double = 1.2) -> Duration {
        delay * Double.random(in: 0.8...atMost, using: &random)
    }
}
