// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// What is known of a break in a station until audio is back: a value.
struct Outage {
    /// When the audio stopped, in air time.
    private let at: WallInstant
    /// The same moment on the clock that never steps.
    private let since: MonotonicInstant
    private let failure: Failure
    private var tried: [String] = []

    private static let triesRemembered = 20

    /// The audio stopped at `edge`, the air time of what came last; nil where that is not known. A stall began then, not
    /// when somebody noticed.
    init(_ failure: Failure, edge: WallInstant?, clocks: (now: MonotonicInstant, wall: WallInstant)) {
        self.failure = failure
        at = min(clocks.wall, edge ?? clocks.wall)
        since = clocks.now - (clocks.wall - at)
    }

    /// A try to get it back has failed.
    mutating func note(_ failure: Failure) {
        if tried.count < Self.triesRemembered { tried.append(failure.entry) }
    }

    /// Audio is back, and this much is missing.
    func gap(_ length: Duration) -> Gap {
        Gap(at: at, length: length, cause: failure.message, tried: tried, failure: failure)
    }

    /// The same where nothing says how much: as much as time has passed.
    func gap(until now: MonotonicInstant) -> Gap {
        gap(max(.zero, now - since))
    }
}
