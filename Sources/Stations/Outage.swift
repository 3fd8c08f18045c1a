// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// What is known of a break in a station until audio is back: a value.
struct Outage {
    /// When the audio stopped, in air time.
    private let at: WallInstant
    /// The same moment on the clock that never steps.
    private let since: MonotonicInstant
    /// How much later that is than the end of the delivered audio.
    private let held: Duration
    private let failure: Failure
    private var tried: [String] = []

    private static let triesRemembered = 20
    /// An overlap up to this may be an error of the station's clock.
    private static let mostOverlap = Duration.milliseconds(200)

    /// The delivered audio ends at `edge`, in air time; nil where that is not known. Audio that came after it, some of
    /// it maybe in a burst, is still held back and plays for `held`. A stall begins where that ends, not when it was
    /// noticed.
    init(
        _ failure: Failure, edge: WallInstant?, held: Duration, clocks: (now: MonotonicInstant, wall: WallInstant)
    ) {
        self.failure = failure
        let edge = min(clocks.wall, edge ?? clocks.wall)
        at = min(clocks.wall, edge + held)
        self.held = at - edge
        since = clocks.now - (clocks.wall - at)
    }

    /// An attempt to get the audio back has failed.
    mutating func note(_ failure: Failure) {
        if tried.count < Self.triesRemembered { tried.append(failure.entry) }
    }

    /// The gap, now that audio is back: `seam` says how it lies beside what was heard. What was held back is delivered
    /// by now.
    func gap(_ seam: Seam, until now: MonotonicInstant) -> Gap {
        // Nobody knows when a file's audio was at the edge, but the audio that comes now is dated all the same.
        let passed = seam.start.map { min($0, now) - since } ?? now - since
        var gap = gap(missing: seam.missing.map { $0 - held } ?? passed)
        gap.overlap = seam.overlap
        // Audio that aired before the break would consist of frames that were heard. Its frames differ, so it comes
        // from another encoder or from another time, and the clock cannot tell how much is missing.
        if seam.overlap > Self.mostOverlap { gap.length = nil }
        gap.repeats = seam.repeats
        gap.trimmedFrames = seam.trimmedFrames
        return gap
    }

    /// The gap where nothing says how long it is: all of the time that has passed is missing.
    func gap(until now: MonotonicInstant) -> Gap {
        gap(missing: now - since)
    }

    private func gap(missing length: Duration) -> Gap {
        Gap(at: at, length: max(.zero, length), cause: failure.message, tried: tried, failure: failure)
    }
}
