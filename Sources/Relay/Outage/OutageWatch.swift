// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// Detects that a station is unavailable: silent for longer than is usual for it. A value without I/O.
struct OutageWatch {
    private(set) var lastAudio: MonotonicInstant?
    /// When the audio began that has not been interrupted by an outage since; nil before the first audio.
    private(set) var beganAt: MonotonicInstant?
    /// How the station delivers, if it says so.
    var lumps: AudioLumps?
    private var pauses = RecentPauses()
    /// Whether the next audio does not continue the audio before it.
    private var hasBrokenOff = false

    /// The minimum silence that counts as an outage.
    private static let least = Duration.seconds(1)
    /// The minimum silence that counts as an outage while the sending pattern is unknown: a lump of 64 KiB, for
    /// example, can last for four seconds.
    private static let leastAtFirst = Duration.seconds(5)
    private static let timeToLearn = Duration.seconds(8)
    /// Silence counts as an outage after this multiple of the usual pause: large lumps may be late.
    private static let usualPauses = 2
    /// A longer pause is a fault, not a sending pattern.
    private static let longestUsual = Duration.seconds(10)

    /// Ends the current silence at the arrival of audio, and learns its length.
    mutating func heard(_ now: MonotonicInstant) {
        let pause = silence(now)
        if lastAudio == nil || isAway(now) { beganAt = now }
        if !hasBrokenOff, pause <= Self.longestUsual { pauses.add(pause) }
        hasBrokenOff = false
        lastAudio = now
    }

    /// Does not learn the next silence, because the audio after it follows a gap or a new connection.
    mutating func brokeOff() { hasBrokenOff = true }

    /// Whether the station is unavailable; false before the first audio.
    func isAway(_ now: MonotonicInstant) -> Bool {
        if let lumps { return silence(now) > max(lumps.longestPause, pauses.usual * 3 / 2) }
        let least = pauses.time < Self.timeToLearn ? Self.leastAtFirst : Self.least
        return silence(now) > max(least, pauses.usual * Self.usualPauses)
    }

    /// The time since the last audio.
    func silence(_ now: MonotonicInstant) -> Duration {
        lastAudio.map { now - $0 } ?? .zero
    }
}

/// The pauses of the last half minute or so.
private struct RecentPauses {
    /// The sum of all pauses.
    private(set) var time = Duration.zero
    /// The second longest pause: pauses between lumps recur, and a stall usually does not. In the first half minute it
    /// is the longest pause, because there may have been only one pause between lumps. The mean would be too small,
    /// because each lump arrives in many pieces.
    ///
    /// Stored, because it is read at each turn of each listener and changes only with audio.
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
