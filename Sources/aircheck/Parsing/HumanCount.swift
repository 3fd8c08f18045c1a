// SPDX-License-Identifier: MIT

/// A count as users write it: a whole number small enough that sums and products of counts do not overflow.
package enum HumanCount {
    private static let largest = 1_000_000_000

    /// Why a text is not a count. The description addresses the person who typed it.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String { "it must be a whole number from 1 to \(HumanCount.largest)" }
    }

    /// Parses a count in decimal digits.
    package static func parse(_ text: String) throws(ParseError) -> Int {
        guard let count = Int(text), (1...largest).contains(count) else { throw ParseError() }
        return count
    }
}
