// SPDX-License-Identifier: MIT

import RadioFormats

/// Names of time zones. They become paths of files.
package enum ZoneName {
    /// The maximum length of a name in bytes.
    package static let longest = 100

    /// Whether the text has the form of a name: letters, digits and `+ - _` between slashes.
    package static func isPlain(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return text.utf8.count <= longest
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isDigit || "+-_".utf8.contains($0) }
            }
    }
}
