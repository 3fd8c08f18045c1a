// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// Knows when a station is away: that it has been silent for longer than is usual for it. A value without I/O.
struct OutageWatch {
    private var lastAudio: MonotonicInstant?
    private var pause = DeliveryPause()

    /// No station is away before it has been silent for so long.
    private static let least = Duration.seconds(1)
    /// Stations that send in large lumps pause between them; for one to be late is no outage.
    private static let usualPauses = 2

    /// Audio has come.
    mutating func heard(_ now: MonotonicInstant) {
        if isAway(now) { pause.interrupted() }
        pause.delivered(now)
        lastAudio = now
    }

    /// Whether it is away; false before the first audio.
    func isAway(_ now: MonotonicInstant) -> Bool {
        silence(now) > max(Self.least, (pause.usual ?? .zero) * Self.usualPauses)
    }

    /// For how long no audio has come.
    func silence(_ now: MonotonicInstant) -> Duration {
        lastAudio.map { now - $0 } ?? .zero
    }
}
