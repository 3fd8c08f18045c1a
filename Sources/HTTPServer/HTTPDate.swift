// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// The value of the `Date` field, formatted at most once a second.
struct HTTPDate {
    private var second: Int64?
    private var text = ""

    mutating func text(_ now: WallInstant) -> String {
        let second = now.nanoseconds / 1_000_000_000
        if second != self.second {
            self.second = second
            text = CivilTime(now, utcOffset: 0).httpDate
        }
        return text
    }
}
