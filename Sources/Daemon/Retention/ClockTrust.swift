// SPDX-License-Identifier: MIT

import Instants

/// Decides whether the wall clock is trusted, so that recordings may be deleted for their age.
///
/// If the wall clock is years ahead, for example after a flat battery, all recordings could be deleted before a time
/// server corrects it. So a clock that has leapt forward by days is trusted only after a day without another leap, even
/// if the daemon is restarted meanwhile.
struct ClockTrust {
    private var last: (wall: WallInstant, now: MonotonicInstant)?
    /// Since when the clock has run steadily.
    private var steadySince: MonotonicInstant?

    /// A step of the clock by this much counts as a leap, because machines sleep, and daemons stand still, for less
    /// time than this.
    private static let leap = Duration.seconds(2 * 86_400)
    private static let probation = Duration.seconds(86_400)

    /// 2026-01-01. No earlier time can be right.
    private static let earliest = WallInstant(nanoseconds: 1_767_225_600_000_000_000)

    /// Whether a clock that shows this time has been set.
    static func isSet(_ wall: WallInstant) -> Bool { wall >= earliest }

    /// Notes when an earlier run of the daemon ended, and since when its clock had run steadily. `steadySince` is nil
    /// if that is unknown, as after a run of an earlier version; the clock of such a run is trusted.
    mutating func note(lastRun: WallInstant, steadySince: WallInstant?, wall: WallInstant, now: MonotonicInstant) {
        guard wall - lastRun < Self.leap else { return }
        let steady = steadySince.map { min(max(.zero, wall - $0), Self.probation) } ?? Self.probation
        self.steadySince = now - steady
    }

    /// Since when the clock has run steadily, for the next run; nil if unknown.
    func steadySince(wall: WallInstant, now: MonotonicInstant) -> WallInstant? { steadySince.map { wall - (now - $0) } }

    /// Compares the clocks. Call it often.
    mutating func look(wall: WallInstant, now: MonotonicInstant) {
        let hasLeapt = last.map { wall - $0.wall - (now - $0.now) >= Self.leap } ?? false
        if hasLeapt || steadySince == nil { steadySince = now }
        last = (wall, now)
    }

    func isBelieved(at now: MonotonicInstant) -> Bool { steadySince.map { now - $0 >= Self.probation } ?? false }
}
