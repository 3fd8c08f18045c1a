// SPDX-License-Identifier: MIT

import Instants

/// Until when a station without audio is tried, where that has an end: a value.
struct GiveUp: Sendable {
    /// Nil: it is never given up.
    let time: Duration?
    private(set) var deadline: MonotonicInstant?

    init(after time: Duration?) {
        self.time = time
    }

    /// The time begins anew.
    mutating func begin(_ now: MonotonicInstant) { deadline = time.map { now + $0 } }

    /// Some of it was not the station's doing.
    mutating func forgive(_ lost: Duration) { deadline = deadline.map { $0 + lost } }
}
