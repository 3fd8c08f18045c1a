// SPDX-License-Identifier: MIT

import RadioFormats

/// Sizes as people write them: `50GB`, `500 MB`, `2TiB`. A whole number with its unit, in upper or lower case.
package enum HumanSize {
    /// Why a text is not a size. The description addresses the person who typed it.
    package enum ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        case malformed
        case noUnit
        case unknownUnit
        /// A million terabytes or more.
        case tooLarge

        package var description: String {
            switch self {
            case .malformed: "it must be a whole number with a unit, such as 500MB, 50GB or 2TiB"
            case .noUnit: "it has no unit: write for example 500MB, 50GB or 2TiB"
            case .unknownUnit: "its unit is not known: use kB, MB, GB or TB, or KiB, MiB, GiB or TiB"
            case .tooLarge: "it is more than any disk holds"
            }
        }
    }

    /// Parses a size, which may be zero. Returns it in bytes.
    package static func parse(_ text: String) throws(ParseError) -> Int64 {
        let digits = text.utf8.prefix { $0.isDigit }
        guard !digits.isEmpty else { throw .malformed }
        var unit = Substring(text.utf8.dropFirst(digits.count)).lowercased()
        if unit.hasPrefix(" ") { unit.removeFirst() }
        guard !unit.isEmpty else { throw .noUnit }
        guard let bytes = units[unit] else { throw .unknownUnit }
        guard let number = Int64(String(Substring(digits))) else { throw .tooLarge }
        let (size, overflow) = number.multipliedReportingOverflow(by: bytes)
        guard !overflow, size < largest else { throw .tooLarge }
        return size
    }

    private static let largest: Int64 = 1_000_000_000_000_000_000
    private static let units: [String: Int64] = [
        "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
        "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    ]
}
