// SPDX-License-Identifier: MIT

import RadioFormats

/// Names of time zones. They become paths of files.
enum ZoneName {
    private static let longest = 64

    /// Whether the text has the form of a name: letters, digits and `+ - _` between slashes.
    static func isPlain(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return text.utf8.count <= longest && parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy(isPlain) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || "+-_".utf8.contains(byte) }
}
