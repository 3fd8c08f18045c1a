// SPDX-License-Identifier: MIT

/// Parses the length of an item as playlists write it. Nil if the text is not a length, or if the length is not
/// positive: `-1` and `0` mean "unknown" and "endless".
package enum PlaylistLength {
    /// M3U and PLS: `215`, `214.8`.
    static func seconds(_ text: Substring) -> Duration? {
        guard let value = number(text) else { return nil }
        return duration(seconds: value)
    }

    /// XSPF: milliseconds.
    static func milliseconds(_ text: Substring) -> Duration? {
        guard let value = number(text) else { return nil }
        return duration(seconds: value / 1_000)
    }

    /// ASX: `01:02:03.5`, `2:03`.
    package static func clock(_ text: Substring) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            guard let value = number(part), index == parts.count - 1 || value == value.rounded() else { return nil }
            seconds = seconds * 60 + value
        }
        return duration(seconds: seconds)
    }

    private static let longestNumber = 16
    private static let mostSeconds = 3_600_000.0

    private static func number(_ text: Substring) -> Double? {
        let isPlain = text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
        guard isPlain, (1...longestNumber).contains(text.utf8.count) else { return nil }
        return Double(text)
    }

    private static func duration(seconds: Double) -> Duration? {
        guard seconds > 0, seconds <= mostSeconds else { return nil }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
}
