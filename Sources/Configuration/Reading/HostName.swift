// SPDX-License-Identifier: MIT

import RadioFormats

/// Names of this machine as browsers send them.
enum HostName {
    /// Why a text is not a host name. The description addresses the person who typed it.
    struct ParseError: SafelyWorded, Hashable, Sendable, CustomStringConvertible {
        var description: String { "it must be a host name such as radio.example, without a port" }
    }

    /// Parses a name, without a dot at its end. Returns it in lower case.
    static func parse(_ text: String) throws(ParseError) -> String {
        let name = text.lowercased()
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy(isLabel) else { throw ParseError() }
        return name
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
    }
}
