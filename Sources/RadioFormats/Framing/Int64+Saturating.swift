// SPDX-License-Identifier: MIT

// No number that a stream states may crash the program, so arithmetic on such numbers saturates at 64 bits.
extension Int64 {
    /// The sum, clamped to the range of 64 bits.
    package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The product, clamped to the range of 64 bits.
    package func multipliedSaturated(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }

    /// The nearest integer, clamped to the range of 64 bits; 0 for NaN.
    package init(clampingRounded value: Double) {
        self = Int64(exactly: value.rounded()) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
    }
}
