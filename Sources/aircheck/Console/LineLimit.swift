// SPDX-License-Identifier: MIT

import Instants

/// Bounds how many lines of one kind are said in a minute, and counts what is left out: a value.
struct LineLimit {
    /// How many lines were left out since the last one that was said.
    private(set) var leftOut = 0
    private var minuteBegan: MonotonicInstant?
    private var said = 0

    private static let most = 10
    private static let minute = Duration.seconds(60)

    /// Whether another line is to be said. What was left out before it is to be said first: ``takeLeftOut()``.
    mutating func admits(at now: MonotonicInstant) -> Bool {
        if minuteBegan.map({ now - $0 >= Self.minute }) ?? true { (minuteBegan, said) = (now, 0) }
        guard said < Self.most else {
            leftOut += 1
            return false
        }
        said += 1
        return true
    }

    /// How many lines were left out; from now on it is none.
    mutating func takeLeftOut() -> Int {
        defer { leftOut = 0 }
        return leftOut
    }
}
