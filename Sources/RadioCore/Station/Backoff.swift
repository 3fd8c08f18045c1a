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
/// What counts is whether audio progresses, however long a connection lives. A try that brought new audio for as long
/// as a quick delay is followed by a try at once, and some seconds of it end the outage. New audio that came all at
/// once, as a burst, only keeps the delays from growing: the station would be asked again and again for the same burst.
package struct Backoff: Sendable {
    /// When the current outage began; nil if there is none.
    private var outageBegan: MonotonicInstant?
    private var random: SplitMix64
    /// Whether audio has progressed since the last try.
    private var hasProgressed = false
    /// The number of tries since the quick tries were over.
    private var slowAttempts = 0

    static let quickDelay = Duration.milliseconds(500)
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

    /// Takes note of a connection that has ended, or that another one replaces: `audio` is the length of the new audio
    /// that it brought, `time` how long it delivered. Returns whether the next try is due at once.
    package mutating func delivered(_ audio: Duration, in time: Duration, _ now: MonotonicInstant) -> Bool {
        guard audio >= Self.quickDelay else { return false }
        outageBegan = outageBegan.map { max($0, now - Self.quickPeriod) }
        if time >= Self.quickDelay { hasProgressed = true }
        if min(audio, time) >= Self.quickPeriod { (slowAttempts, outageBegan) = (0, nil) }
        return time >= Self.quickDelay
    }

    /// The delay before the next try, after a try that failed or was closed by the server.
    package mutating func delay(at now: MonotonicInstant) -> Duration {
        defer { (outageBegan, hasProgressed) = (outageBegan ?? now, false) }
        guard let outageBegan else { return .zero }
        let delay = nextDelay(outage: now - outageBegan)
        return hasProgressed ? .zero : delay
    }

    private mutating func nextDelay(outage: Duration) -> Duration {
        if outage < Self.quickPeriod { return jittered(Self.quickDelay) }
        defer { slowAttempts += 1 }
        if slowAttempts < Self.slowDelays.count { return jittered(Self.slowDelays[slowAttempts]) }
        // The delay grows to a tenth of the time by which the outage has exceeded the patience.
        let grown = min(Self.longest, (outage - Self.patience) / 10)
        return grown > Self.calmDelay ? jittered(grown) : jittered(Self.calmDelay, atMost: 1.12)
    }

    /// Starts over, because the cause may be gone: the next try is due at once, and quick tries follow it.
    package mutating func restart(at now: MonotonicInstant) {
        (slowAttempts, outageBegan) = (0, now)
    }

    private mutating func jittered(_ delay: Duration, atMost: Double = 1.2) -> Duration {
        delay * Double.random(in: 0.8...atMost, using: &random)
    }
}
