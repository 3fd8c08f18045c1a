// SPDX-License-Identifier: MIT

import RadioFormats

/// Durations as people write them: `1h30m`, `45s`, `500ms`, `90m`, `2d`.
///
/// A duration consists of whole numbers, each with its unit. Larger units come first, and each unit occurs at most
/// once. A bare number is an error, because it has no unit.
package enum HumanDuration {
    /// Why a text is not a duration. The description addresses the person who typed it.
    package enum ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        case empty
        case noUnit(String)
        case unknownUnit(String)
        case fraction(String)
        /// A unit occurs twice, or after a smaller unit.
        case order(String)
        case zero
        case negative
        /// More than about 292 years.
        case tooLong
        case malformed(String)
    }

    /// Parses a duration. It must be positive, a whole number of milliseconds, and at most what 64 bits of nanoseconds
    /// hold.
    package static func parse(_ text: String) throws(ParseError) -> Duration {
        var rest = Substring(text).utf8
        guard let first = rest.first else { throw .empty }
        guard first != UInt8(ascii: "-") else { throw .negative }
        var total: Int64 = 0
        var previous = Int64.max
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isDigit }
            rest = rest.dropFirst(digits.count)
            let letters = rest.prefix { !$0.isDigit }
            rest = rest.dropFirst(letters.count)
            guard !digits.isEmpty else { throw .malformed(text) }
            guard !letters.isEmpty else { throw .noUnit(text) }
            guard let unit = units.first(where: { $0.name == String(Substring(letters)) }) else {
                let name = String(Substring(letters))
                throw [".", ","].contains(name) ? .fraction(text) : .unknownUnit(name)
            }
            guard unit.milliseconds < previous else { throw .order(text) }
            previous = unit.milliseconds
            guard let number = Int64(String(Substring(digits))) else { throw .tooLong }
            let (part, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
            let (sum, overflow2) = total.addingReportingOverflow(part)
            guard !overflow, !overflow2, sum <= longest else { throw .tooLong }
            total = sum
        }
        guard total > 0 else { throw .zero }
        return .milliseconds(total)
    }

    /// The text of a duration as ``parse(_:)`` reads it, such as `1h30m`. The duration is truncated to whole
    /// milliseconds; below one millisecond, the text is `0s`. The text of a negative duration begins with a minus sign.
    package static func print(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let milliseconds = overflow ? (seconds < 0 ? Int64.min : .max) : product + attoseconds / 1_000_000_000_000_000
        var rest = milliseconds.magnitude
        var text = milliseconds < 0 ? "-" : ""
        for unit in units where rest >= UInt64(unit.milliseconds) {
            let (count, left) = rest.quotientAndRemainder(dividingBy: UInt64(unit.milliseconds))
            text += "\(count)\(unit.name)"
            rest = left
        }
        return milliseconds == 0 ? "0s" : text
    }

    private static let longest = Int64.max / 1_000_000
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]
}

extension HumanDuration.ParseError {
    package var description: String {
        switch self {
        case .empty: "a duration is missing: write for example 90m, 1h30m, 45s or 500ms"
        case .noUnit(let text):
            text.allSatisfy(\.isWholeNumber)
                ? "\"\(text)\" has no unit: write \(text)s for seconds, \(text)m for minutes or \(text)h for hours"
                : "the last number of \"\(text)\" has no unit: use d, h, m, s or ms"
        case .unknownUnit(let unit): "\"\(unit)\" is not a unit of time: use d, h, m, s or ms"
        case .fraction(let text): "\"\(text)\" has a fraction: write whole numbers, as in 1h30m or 500ms"
        case .order(let text): "\"\(text)\" must name each unit once, the largest first, as in 1d2h30m"
        case .zero: "a duration must be longer than zero"
        case .negative: "a duration cannot be negative"
        case .tooLong: "the duration is too long"
        case .malformed(let text): "\"\(text)\" is not a duration: write for example 90m, 1h30m, 45s or 500ms"
        }
    }
}
