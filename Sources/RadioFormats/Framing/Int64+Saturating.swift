// SPDX-License-Identifier: MIT

// What a stream claims must not stop the program, so sums over it end where 64 bits do.
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

    /// The nearest number; 0 where there is none.
    package init(clampingRounded value: Double) {
        self = Int64(exactly: value.rounded()) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
    }
}
