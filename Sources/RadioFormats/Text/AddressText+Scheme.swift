// SPDX-License-Identifier: MIT

extension AddressText {
    /// The address with the scheme that people leave out: `radio.example:8000/live` is read as
    /// `http://radio.example:8000/live`. So is an address with a scheme that players write for plain HTTP (`icy://`). A
    /// byte of an address that is not UTF-8 (``PathText``) is percent-encoded. Any other text is returned unchanged.
    ///
    /// A text without a scheme counts as an address if it begins with a host that has a port or a dot, with `localhost`
    /// and a port or path, or with an IPv6 address in brackets. A bare word may be a station's ID, and `song.mp3` is a
    /// file.
    package var withScheme: String {
        let address = PathText.replacingRawBytes(in: text) { PercentEncoding.encoded([$0]) { _ in false } }
        guard isAddress else { return isHostAndPath ? "http://" + address : text }
        guard let colon = address.firstIndex(of: ":"),
            URLReference.playersSchemes.contains(address[..<colon].lowercased())
        else { return address }
        return "http" + address[colon...]
    }

    private var isHostAndPath: Bool {
        let server = text.prefix { !"/?#".contains($0) }
        let rest = text.dropFirst(server.count)
        // A user and a password may contain colons, so the host begins after the last `@`.
        let isUserGiven = server.contains("@")
        let hostAndPort = server.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard let (host, port) = Self.split(hostAndPort), !server.lowercased().hasPrefix("mailto:") else {
            return false
        }
        if host.hasPrefix("[") { return Self.isAddressInBrackets(host) }
        guard Self.isHostName(host) else { return false }
        if port != nil { return true }
        if host.lowercased() == "localhost" { return isUserGiven || !rest.isEmpty }
        guard host.contains(".") else { return false }
        return !rest.isEmpty || isUserGiven || !Self.isFileName(host)
    }

    /// Splits the text into host and port; nil if the text after the host is not a port.
    private static func split(_ text: Substring) -> (host: Substring, port: Int?)? {
        let closing = text.hasPrefix("[") ? text.firstIndex(of: "]") ?? text.startIndex : text.startIndex
        guard let colon = text[closing...].firstIndex(of: ":") else { return (text, nil) }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy(\.isDigit), let port = Int(digits), (1...65_535).contains(port) else { return nil }
        return (text[..<colon], port)
    }

    private static func isAddressInBrackets(_ host: Substring) -> Bool {
        guard host.hasSuffix("]"), host.contains(":") else { return false }
        return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || ":.%".contains($0) }
    }

    /// Whether the text consists of labels separated by dots. A dot at the end and letters outside ASCII are allowed.
    private static func isHostName(_ host: Substring) -> Bool {
        let host = host.hasSuffix(".") ? host.dropLast() : host
        guard (1...253).contains(host.utf8.count) else { return false }
        return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.first != "-"
                && label.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 >= 0x80 || "-_".utf8.contains($0) }
        }
    }

    /// Whether a host with dots, given without user, port and path, is more likely the name of a file.
    private static func isFileName(_ host: Substring) -> Bool {
        guard let ending = host.split(separator: ".").last else { return false }
        return fileEndings.contains(ending.lowercased())
    }

    /// Endings of audio files, playlists and other files, none of which is a top-level domain.
    private static let fileEndings: Set<String> = [
        "mp1", "mp2", "mp3", "mp4", "m4a", "m4b", "aac", "adts", "ogg", "oga", "opus", "flac", "wav", "aiff", "wma",
        "m3u", "m3u8", "pls", "xspf", "asx", "xml", "rss", "atom", "json", "toml", "txt", "part", "pcm", "webm", "mka",
    ]
}
