// SPDX-License-Identifier: MIT

/// Parses the length of an item as playlists write it. Nil if the text is not a length, or if the length is not
/// positive: `-1` and `0` mean "unknown" and "endless".
enum PlaylistLength {
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
    static func clock(_ text: Substring) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for part in parts {
            guard let value = number(part) else { return nil }
            seconds = seconds * 60 + value
        }
        return duration(seconds: seconds)
    }

    private static let longestNumber = 16
    private static let mostSeconds = 3_600_000.0

    private static func number(_ text: Substring) -> Double? {
        let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard isPlain, (1...longestNumber).contains(text.utf8.count) else { return nil }
        return Double(text)
    }

    private static func duration(seconds: Double) -> Duration? {
        guard seconds > 0, seconds <= mostSeconds else { return nil }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
}
