// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// What is known of an outage until audio returns.
struct Outage {
    /// When the audio stopped at the station's edge. It is converted to a wall-clock time only for the gap, by the
    /// clock as set then.
    private var since: MonotonicInstant
    private let failure: Failure
    /// Whether a supposed file broke off. Then its rest is missing, however little time has passed, unless what follows
    /// proves to be a station.
    private let isOfFile: Bool
    /// The failures of the attempts, each with the number of attempts that failed so.
    private var tried: [(entry: String, count: Int)] = []

    /// The maximum number of different failures that are remembered.
    private static let triesRemembered = 20
    /// An overlap up to this length may be an error of the station's clock.
    private static let mostOverlap = Duration.milliseconds(200)

    /// `edge` is the air time at which the delivered audio ends; nil if unknown. `held` is the playing time of later
    /// audio that is still held back, possibly part of a burst. The outage begins where the held audio ends, not when
    /// the stall was noticed.
    init(_ failure: Failure, edge: WallInstant?, held: Duration, clock: ClockReading, isOfFile: Bool = false) {
        self.failure = failure
        self.isOfFile = isOfFile
        let edge = min(clock.wall, edge ?? clock.wall)
        since = clock.instant(of: min(clock.wall, edge + held))
    }

    /// Counts a failed attempt to get the audio back.
    mutating func note(_ failure: Failure) {
        if let index = tried.firstIndex(where: { $0.entry == failure.entry }) { return tried[index].count += 1 }
        if tried.count < Self.triesRemembered { tried.append((failure.entry, 1)) }
    }

    /// Begins later by audio that another gap, before the held audio, accounts for.
    mutating func note(missing: Duration) {
        since = since + missing
    }

    /// The gap, once audio is back and the held audio has been delivered. `seam` describes how the new audio relates to
    /// the old; `isPaced`: whether the new audio arrives at real-time pace, as a station's does.
    func gap(_ seam: Seam, isPaced: Bool, until clock: ClockReading) -> Gap {
        let passed = seam.start.map { min($0, clock.now) - since } ?? clock.now - since
        var gap = gap(missing: seam.missing ?? passed, clock)
        gap.overlap = seam.overlap
        // The overlap says that the new audio is from before the break, but its frames differ from the frames already
        // delivered. So they come from another encoder or another time, and the clock cannot tell how much is missing.
        if seam.overlap > Self.mostOverlap || seam.isTrimmed || isOfFile && !isPaced { gap.length = nil }
        gap.repeats = seam.repeats
        return gap
    }

    /// The gap if nothing reveals its length. All of the time since the audio stopped then counts as missing, unless
    /// that audio was a file's.
    func gap(until clock: ClockReading) -> Gap {
        var gap = gap(missing: clock.now - since, clock)
        if isOfFile { gap.length = nil }
        return gap
    }

    private func gap(missing length: Duration, _ clock: ClockReading) -> Gap {
        Gap(
            at: clock.wall(at: since), length: max(.zero, length), cause: failure.message,
            tried: tried.map { $0.count > 1 ? "\($0.entry) (\($0.count) times)" : $0.entry }, failure: failure)
    }
}
