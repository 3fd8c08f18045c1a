// SPDX-License-Identifier: MIT

import RadioFormats

extension CivilTime {
    /// Parses the date of a list (EXT-X-PROGRAM-DATE-TIME): RFC 3339, an offset without a colon, or none at all, which
    /// means UTC.
    package init?(listDate text: String) {
        var text = text
        let tail = Array(text.utf8.suffix(6))
        if tail.count == 6, let sign = tail.dropFirst().first, "+-".utf8.contains(sign) {
            text.insert(":", at: text.utf8.index(text.endIndex, offsetBy: -2))
        } else if let last = tail.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last),
            !tail.starts(with: "+".utf8), !tail.starts(with: "-".utf8)
        {
            text += "Z"
        }
        self.init(rfc3339: text)
    }
}
