// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// Parses the texts of feeds.
enum FeedText {
    /// A title for display, repaired as other titles; nil if nothing is left.
    static func title(_ text: String) -> String? {
        let title = TitleText.repaired(text)
        return title.isEmpty ? nil : title
    }

    /// `3600`, `62.5`, `59:59` or `1:02:03`; nil for anything else, and for more than 1,000 hours.
    static func duration(_ text: String) -> Duration? {
        let parts = trimmed(text).split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts.allSatisfy({ $0.utf8.count <= 12 }) else { return nil }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            let isPlain = part.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
            guard isPlain, let value = Double(part), index == parts.count - 1 || value == value.rounded() else {
                return nil
            }
            seconds = seconds * 60 + value
        }
        guard seconds > 0, seconds <= 3_600_000 else { return nil }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    /// RFC 822 as podcasts write it, or RFC 3339.
    static func date(_ text: String) -> WallInstant? {
        let text = trimmed(text)
        return (CivilTime(looseRFC822: text) ?? CivilTime(rfc3339: text))?.instant
    }

    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let last = scalars.lastIndex(where: { $0.value > 0x20 }) else { return "" }
        return String(scalars[...last].drop { $0.value <= 0x20 })
    }
}
