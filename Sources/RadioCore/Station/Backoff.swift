// SPDX-License-Identifier: MIT

package import Instants

/// When to try a station again: a pure table of delays.
///
/// At once, then every 0.5 s for 5 s, then after 1, 2, 2.5, 2.5 … s, and after ten minutes more and more slowly, up to
/// 60 s. Each delay varies by 20 % either way, but stays below 2.8 s for the first ten minutes: before a gap frames are
/// held for two seconds, and a station is to be heard within five seconds of its return. A failure that needs a person
/// is retried every 5 minutes. A server's `Retry-After` is obeyed up to 10 minutes.
///
/// An outage is over when audio has come for some seconds (``recovered()``): the next begins with a try at once. How
/// far the slow delays have grown is forgotten only after a minute of audio (``succeeded()``).
package struct Backoff: Sendable {
    /// Tries in the present outage.
    package private(set) var attempts = 0
    /// When the outage began; nil while all is well.
    package private(set) var outageBegan: MonotonicInstant?
    private var random: SplitMix64
    /// Tries since the quick ones were over.
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

    /// For how long the address that failed with `failure` is to be left alone, where the failure tells.
    package static func hold(after failure: Failure?) -> Duration? {
        guard let failure else { return nil }
        if failure.failureClass.needsPerson { return personDelay }
        return failure.retryAfter.map { min(max($0, quickDelay), longestRetryAfter) }
    }

    /// The delay before the next try, after one that failed or was closed by the server.
    ///
    /// `delivered` is for how long that try brought audio. The time counts as waited: a station that is cut every few
    /// seconds is back at once each time, one that closes after a frame is not hammered.
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
        // A tenth of how long the outage has lasted beyond the patience.
        let grown = min(Self.longest, (outage - Self.patience) / 10)
        return grown > Self.calmDelay ? jittered(grown) : jittered(Self.calmDelay, atMost: 1.12)
    }

    /// Some seconds of audio: the outage is over.
    package mutating func recovered() {
        attempts = 0
        outageBegan = nil
    }

    /// A minute of good audio: forgets all trouble.
    package mutating func succeeded() {
        recovered()
        slowAttempts = 0
    }

    /// The cause may be gone: the next try comes at once, and quick ones follow it.
    package mutating func restart(at now: MonotonicInstant) {
        attempts = 1
        outageBegan = now
        slowAttempts = 0
    }

    private mutating func jittered(_ delay: Duration, atMost: Double = 1.2) -> Duration {
        delay * Double.random(in: 0.8...atMost, using: &random)
    }
}
