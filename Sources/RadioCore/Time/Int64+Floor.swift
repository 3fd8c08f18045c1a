// SPDX-License-Identifier: MIT

extension Int64 {
    /// The quotient and remainder of a division that rounds down, so that the remainder is never negative. Calendars
    /// need this. The divisor must be positive.
    package func dividedRoundingDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
