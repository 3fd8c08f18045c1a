// SPDX-License-Identifier: MIT

import RadioFormats

/// Addresses of the web as a user writes them, without options.
enum PlainAddress {
    private static let longest = 4000

    /// Why a text is not an address. The description addresses the person who typed it. It does not quote the text,
    /// which may contain a password.
    struct ParseError: SafelyWorded, Hashable, Sendable, CustomStringConvertible {
        var description: String { "it must be an address that begins with https:// or http://" }
    }

    static func parse(_ text: String) throws(ParseError) -> String {
        let small = text.prefix(8).lowercased()
        guard let scheme = ["https://", "http://"].first(where: small.hasPrefix), text.utf8.count <= longest,
            text.utf8.count > scheme.utf8.count, !"/?#".contains(text.dropFirst(scheme.count).prefix(1)),
            !text.unicodeScalars.contains(where: { SafeText.isControl($0) || $0 == " " })
        else { throw ParseError() }
        return text
    }

    /// Whether the path of an address has anything but slashes.
    static func hasPath(_ address: String) -> Bool { URLReference(address).path.contains { $0 != "/" } }
}
