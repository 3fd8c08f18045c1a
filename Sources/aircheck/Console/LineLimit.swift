// SPDX-License-Identifier: MIT

import Instants

/// Limits lines of one kind to ten a minute, and counts the suppressed lines.
struct LineLimit {
    /// Lines suppressed since the last ``takeLeftOut()``.
    private(set) var leftOut = 0
    private var minuteBegan: MonotonicInstant?
    private var said = 0

    private static let most = 10
    private static let minute = Duration.seconds(60)

    /// Whether another line may be printed. Print the suppressed count (``takeLeftOut()``) before that line.
    mutating func admits(at now: MonotonicInstant) -> Bool {
        if minuteBegan.map({ now - $0 >= Self.minute }) ?? true { (minuteBegan, said) = (now, 0) }
        guard said < Self.most else {
            leftOut += 1
            return false
        }
        said += 1
        return true
    }

    /// Returns the number of suppressed lines and resets it to zero.
    mutating func takeLeftOut() -> Int {
        defer { leftOut = 0 }
        return leftOut
    }
}
