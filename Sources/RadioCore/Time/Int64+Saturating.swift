// SPDX-License-Identifier: MIT

extension Int64 {
    /// The sum, or the end of what 64 bits hold: for what a stream claims, which must not stop the program.
    package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
