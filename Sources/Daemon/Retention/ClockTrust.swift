// SPDX-License-Identifier: MIT

import Instants

/// Decides whether the wall clock is trusted, so that recordings may be deleted for their age.
///
/// If the wall clock is years ahead, for example after a flat battery, all recordings could be deleted before a time
/// server corrects it. So a clock that has leapt forward by days is trusted only after a day without another leap, even
/// if the daemon is restarted meanwhile.
struct ClockTrust {
    private var last: (wall: WallInstant, now: MonotonicInstant)?
    /// The instant since which the clock has run steadily; nil if unknown.
    private var steadySince: MonotonicInstant?

    /// A step of the clock by at least this much counts as a leap. Smaller steps do not, because a machine may sleep,
    /// or the daemon may stand still, for up to that long.
    private static let leap = Duration.seconds(2 * 86_400)
    private static let probation = Duration.seconds(86_400)

    /// 2026-01-01. No earlier time can be right.
    private static let earliest = WallInstant(nanoseconds: 1_767_225_600_000_000_000)

    /// Whether a clock that shows this time has been set.
    static func isSet(_ wall: WallInstant) -> Bool { wall >= earliest }

    /// Takes over what an earlier run of the daemon left: the time at which it ended, and the time since which its
    /// clock had run steadily. `steadySince` is nil if the latter is unknown, as after a run of an earlier version; the
    /// clock of such a run is trusted.
    mutating func note(lastRun: WallInstant, steadySince: WallInstant?, wall: WallInstant, now: MonotonicInstant) {
        guard wall - lastRun < Self.leap else { return }
        let steady = steadySince.map { min(max(.zero, wall - $0), Self.probation) } ?? Self.probation
        self.steadySince = now - steady
    }

    /// The time since which the clock has run steadily, to be stored for the next run; nil if unknown.
    func steadySince(wall: WallInstant, now: MonotonicInstant) -> WallInstant? { steadySince.map { wall - (now - $0) } }

    /// Compares how far the two clocks have advanced since the last call, to notice a leap. Call it often.
    mutating func look(wall: WallInstant, now: MonotonicInstant) {
        let hasLeapt = last.map { wall - $0.wall - (now - $0.now) >= Self.leap } ?? false
        if hasLeapt || steadySince == nil { steadySince = now }
        last = (wall, now)
    }

    func isBelieved(at now: MonotonicInstant) -> Bool { steadySince.map { now - $0 >= Self.probation } ?? false }
}
