// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// The audio at hand before it is heard: how much has to be there, and how fast it is to be used up. A value.
struct Cushion {
    private var marks = BufferMarks()
    private var drift = DriftControl()

    /// See ``DriftControl/correction``.
    var correction: Double { drift.correction }

    /// The first audio of a programme has come.
    mutating func begin(at now: MonotonicInstant) { marks.audioCame(at: now) }

    /// What is heard next is of another programme.
    mutating func restart() {
        marks.restart()
        drift.resettle()
    }

    /// Playing goes on at another place of the programme, which is at hand.
    mutating func jump(at now: MonotonicInstant) {
        marks.restart()
        marks.audioCame(at: now)
        drift.resettle()
    }

    /// Its size is another one from now on, as after a pause.
    mutating func resettle() { drift.resettle() }

    /// It is used up.
    mutating func ranOut(at now: MonotonicInstant) {
        marks.ranOut(at: now)
        drift.resettle()
    }

    /// Time has passed with sound in it.
    mutating func played(at now: MonotonicInstant) { marks.played(at: now) }

    /// Whether so much is enough to be heard.
    mutating func isEnough(_ ahead: Duration, at now: MonotonicInstant) -> Bool { marks.isEnough(ahead, at: now) }

    /// What a station's cushion is now; returns a correction of the rate where that changes.
    mutating func observe(_ ahead: Duration, at now: MonotonicInstant) -> Double? { drift.observe(ahead, at: now) }
}
