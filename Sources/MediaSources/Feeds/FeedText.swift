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
        PlaylistLength.clock(trimmed(text)[...])
    }

    /// RFC 822 as podcasts write it, or RFC 3339.
    static func date(_ text: String) -> WallInstant? {
        let text = trimmed(text)
        return (CivilTime(looseRFC822: text) ?? CivilTime(rfc3339: text))?.instant
    }

    static func trimmed(_ text: String) -> String {
        String(text.unicodeScalars.trimmed { $0.value <= 0x20 })
    }
}
