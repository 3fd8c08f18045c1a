// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// What is known of a break in a station until audio is back: a value.
struct Outage {
    /// When the audio stopped, in air time.
    private let at: WallInstant
    /// The same moment on the clock that never steps.
    private let since: MonotonicInstant
    /// How far that is behind the end of what was delivered.
    private let held: Duration
    private let failure: Failure
    private var tried: [String] = []

    private static let triesRemembered = 20

    /// What was delivered ends at `edge`, in air time; nil where that is not known. Behind it came audio that is held
    /// back still and plays for `held`, some of it maybe at once. A stall began then, not when somebody noticed.
    init(
        _ failure: Failure, edge: WallInstant?, held: Duration, clocks: (now: MonotonicInstant, wall: WallInstant)
    ) {
        self.failure = failure
        let edge = min(clocks.wall, edge ?? clocks.wall)
        at = min(clocks.wall, edge + held)
        self.held = at - edge
        since = clocks.now - (clocks.wall - at)
    }

    /// A try to get it back has failed.
    mutating func note(_ failure: Failure) {
        if tried.count < Self.triesRemembered { tried.append(failure.entry) }
    }

    /// Audio is back, and stands beside what was heard like this. What was held back is delivered by now, too.
    func gap(_ seam: Seam, until now: MonotonicInstant) -> Gap {
        // Of what was heard as a file nobody knows when it was at the edge; what comes now is dated all the same.
        let passed = seam.start.map { min($0, now) - since } ?? now - since
        var gap = gap(missing: seam.missing.map { $0 - held } ?? passed)
        gap.overlap = seam.overlap
        gap.repeats = seam.repeats
        gap.trimmedFrames = seam.trimmedFrames
        return gap
    }

    /// The same where nothing says how long: all of the time that has passed is missing.
    func gap(until now: MonotonicInstant) -> Gap {
        gap(missing: now - since)
    }

    private func gap(missing length: Duration) -> Gap {
        Gap(at: at, length: max(.zero, length), cause: failure.message, tried: tried, failure: failure)
    }
}
