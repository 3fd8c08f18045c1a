// SPDX-License-Identifier: MIT

import Instants

/// The deadline after which a station without audio is given up, if there is one.
struct GiveUp: Sendable {
    /// How long the station is tried; nil means for ever.
    let time: Duration?
    private(set) var deadline: MonotonicInstant?

    init(after time: Duration?) {
        self.time = time
    }

    /// Starts the time anew: the deadline is ``time`` after `now`.
    mutating func begin(_ now: MonotonicInstant) { deadline = time.map { now + $0 } }

    /// Extends the deadline by `lost`, a time for which the station is not to blame.
    mutating func forgive(_ lost: Duration) { deadline = deadline.map { $0 + lost } }
}
