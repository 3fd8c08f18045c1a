// SPDX-License-Identifier: MIT

import Instants

/// The audio received but not yet heard: how much of it is needed, and how fast it is played.
struct Cushion {
    private var watermark = BufferWatermark()
    private var drift = DriftControl()

    /// See ``DriftControl/correction``.
    var correction: Double { drift.correction }

    /// Begins to fill at the first audio of a programme.
    mutating func begin(at now: MonotonicInstant) { watermark.audioCame(at: now) }

    /// Begins anew, because the audio heard next is of another programme.
    mutating func restart() {
        watermark.restart()
        drift.resettle()
    }

    /// Begins anew at another place of the programme, whose audio is available.
    mutating func jump(at now: MonotonicInstant) {
        watermark.restart()
        watermark.audioCame(at: now)
        drift.resettle()
    }

    /// Measures the cushion anew, because its size has changed for a known reason, such as a pause.
    mutating func resettle() { drift.resettle() }

    /// Raises the watermark, because the audio has run out.
    mutating func ranOut(at now: MonotonicInstant) {
        watermark.ranOut(at: now)
        drift.resettle()
    }

    /// Lowers the watermark if audio has been playing for long.
    mutating func played(at now: MonotonicInstant) { watermark.played(at: now) }

    /// Whether `ahead` is enough audio to start or resume.
    mutating func isEnough(_ ahead: Duration, at now: MonotonicInstant) -> Bool { watermark.isEnough(ahead, at: now) }

    /// Observes a station's cushion. Returns the rate correction in parts per million, if it changes.
    mutating func observe(_ ahead: Duration, at now: MonotonicInstant) -> Double? { drift.observe(ahead, at: now) }
}
