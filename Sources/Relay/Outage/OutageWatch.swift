// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// Knows when a station is away: that it has been silent for longer than is usual for it. A value without I/O.
struct OutageWatch {
    private var lastAudio: MonotonicInstant?
    private var pauses = RecentPauses()
    /// What comes next was not sent in one go with what came before it.
    private var hasBrokenOff = false

    /// No station is away before it has been silent for so long.
    private static let least = Duration.seconds(1)
    /// The same while it is not known yet how it sends: in lumps of 64 KiB, say, of which one lasts for four seconds.
    private static let leastAtFirst = Duration.seconds(5)
    private static let timeToLearn = Duration.seconds(8)
    /// Stations that send in large lumps pause between them; for one to be late is no outage.
    private static let usualPauses = 2
    /// No station's way of sending, but something that went wrong.
    private static let longestUsual = Duration.seconds(10)

    /// Audio has come.
    mutating func heard(_ now: MonotonicInstant) {
        let pause = silence(now)
        if !hasBrokenOff, pause <= Self.longestUsual { pauses.add(pause) }
        hasBrokenOff = false
        lastAudio = now
    }

    /// What comes next comes on another connection, or after a gap: how long it takes says nothing of what is usual.
    mutating func brokeOff() { hasBrokenOff = true }

    /// Whether it is away; false before the first audio.
    func isAway(_ now: MonotonicInstant) -> Bool {
        let least = pauses.time < Self.timeToLearn ? Self.leastAtFirst : Self.least
        return silence(now) > max(least, pauses.usual * Self.usualPauses)
    }

    /// For how long no audio has come.
    func silence(_ now: MonotonicInstant) -> Duration {
        lastAudio.map { now - $0 } ?? .zero
    }
}

/// The pauses of the last half minute or so.
private struct RecentPauses {
    /// How long all pauses together were.
    private(set) var time = Duration.zero
    /// The longest but one: lumps come again, and a stall does not. In the first half minute the longest, for there may
    /// have been one lump only. The mean would say little: what comes in lumps comes in many pieces each.
    ///
    /// Kept, because it is asked for at each turn of each listener, and changes only with audio.
    private(set) var usual = Duration.zero
    private var (now, before) = (Longest(), Longest())
    private var end = span

    private static let span = Duration.seconds(30)

    private struct Longest {
        var first = Duration.zero
        var second = Duration.zero

        mutating func add(_ pause: Duration) {
            second = max(second, min(first, pause))
            first = max(first, pause)
        }
    }

    mutating func add(_ pause: Duration) {
        time += pause
        if time > end {
            (before, now) = (now, Longest())
            end = time + Self.span
        }
        now.add(pause)
        var both = now
        both.add(before.first)
        both.add(before.second)
        usual = time < Self.span ? both.first : both.second
    }
}
