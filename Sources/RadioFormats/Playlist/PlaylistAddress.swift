// SPDX-License-Identifier: MIT

/// Reads an address as playlists and feeds write it, by hand or by scripts.
package enum PlaylistAddress {
    /// The address as a URL reference: without quotes, angle brackets, tags and line breaks around or in it, and with
    /// references of HTML resolved. An address without a scheme that names a port, or begins with `www.`, gets one;
    /// `icy:` is http.
    package static func read(_ text: String) -> String {
        var address = text
        if address.utf8.contains(UInt8(ascii: "<")) { address = beforeTag(address) }
        if address.utf8.contains(UInt8(ascii: "&")) { address = HTMLText.plain(address) }
        address = unquoted(address)
        address.unicodeScalars.removeAll { $0 == "\n" || $0 == "\r" || $0 == "\t" }
        let host = address.prefix { !"/?#".contains($0) }
        guard host.contains(":") || host.lowercased().hasPrefix("www.") else { return address }
        return AddressText(address).withScheme
    }

    /// The text before a tag such as `<br>`; the text inside `<http://…>`.
    private static func beforeTag(_ text: String) -> String {
        let inner = text.first == "<" ? text.dropFirst() : text[...]
        return Playlist.trimmed(inner.prefix { $0 != "<" && $0 != ">" })
    }

    /// Removes the quotes that some writers put around an address.
    static func unquoted(_ text: String) -> String {
        guard text.utf8.count > 1, let quote = text.utf8.first, quote == text.utf8.last,
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { return Playlist.trimmed(text[...]) }
        return Playlist.trimmed(text.dropFirst().dropLast())
    }
}
