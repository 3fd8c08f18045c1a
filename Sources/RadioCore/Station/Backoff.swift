// SPDX-License-Identifier: MIT

package import Instants

/// When to try a station again: a pure table of delays.
///
/// At once, then every 0.5 s for 5 s, then 1, 2, 4, 5, 5 … s, after ten minutes growing to 60 s, each ± 20 %. What
/// needs a person is retried every 5 minutes; what the server asks for (`Retry-After`) is obeyed up to 10 minutes.
package struct Backoff: Sendable {
    /// Tries without good audio since ``outageBegan``.
    package private(set) var attempts = 0
    /// When the present trouble began; nil while all is well.
    package private(set) var outageBegan: MonotonicInstant?
    private var random: SplitMix64
    /// Tries since the quick ones were over.
    private var slowAttempts = 0

    private static let quickDelay = Duration.milliseconds(500)
    private static let quickPeriod = Duration.seconds(5)
    private static let slowDelays: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(5)]
    private static let patience = Duration.seconds(600)
    private static let longest = Duration.seconds(60)
    package static let personDelay = Duration.seconds(300)
    package static let longestRetryAfter = Duration.seconds(600)

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// For how long the address that a try failed at with `failure` is to be left alone, where that is for it to say;
    /// nil where ``delay(at:)`` is to be asked.
    package mutating func hold(after failure: Failure?, at now: MonotonicInstant) -> Duration? {
        guard let failure else { return nil }
        let hold: Duration
        if failure.failureClass.needsPerson {
            hold = Self.personDelay
        } else if let asked = failure.retryAfter {
            hold = min(max(asked, Self.quickDelay), Self.longestRetryAfter)
        } else {
            return nil
        }
        outageBegan = outageBegan ?? now
        attempts += 1
        return hold
    }

    /// The delay before the next try, after one that failed or was closed by the server.
    package mutating func delay(at now: MonotonicInstant) -> Duration {
        let began = outageBegan ?? now
        outageBegan = began
        attempts += 1
        if attempts == 1 { return .zero }
        let outage = now - began
        if outage < Self.quickPeriod { return jittered(Self.quickDelay) }
        defer { slowAttempts += 1 }
        if slowAttempts < Self.slowDelays.count { return jittered(Self.slowDelays[slowAttempts]) }
        guard outage > Self.patience else { return jittered(.seconds(5)) }
        // From 5 s up to 60 s, a tenth of how long the outage has lasted beyond the patience.
        return jittered(min(Self.longest, max(.seconds(5), (outage - Self.patience) / 10)))
    }

    /// A minute of good audio: forgets all trouble.
    package mutating func succeeded() {
        attempts = 0
        slowAttempts = 0
        outageBegan = nil
    }

    private mutating func jittered(_ delay: Duration) -> Duration {
        delay * Double.random(in: 0.8...1.2, using: &random)
    }
}

extension Failure.Class {
    /// Whether only a person can mend it (credentials, a bad certificate).
    package var needsPerson: Bool {
        switch self {
        case .unauthorized, .certificate: true
        default: false
        }
    }

    /// Whether trying again can never help: the request itself is wrong.
    package var isFinal: Bool {
        switch self {
        case .usage, .configuration: true
        default: false
        }
    }
}
