// SPDX-License-Identifier: MIT

/// A URL or relative reference in its five parts (RFC 3986), enough to resolve the references of a playlist.
package struct URLReference: Hashable, Sendable {
    /// The scheme in lower case. The schemes that players write for a station over plain HTTP are read as `http`.
    package var scheme: String?
    /// User, host and port as written.
    package var authority: String?
    package var path: String
    package var query: String?
    package var fragment: String?

    /// Parses any text (RFC 3986, appendix B). Percent-encodes blanks, control characters and other characters that may
    /// not stand in a URL, because playlists are written by hand.
    package init(_ text: String) {
        var rest = Substring(Self.encoded(text))
        if let colon = rest.firstIndex(where: { ":/?#".contains($0) }), rest[colon] == ":",
            Self.isScheme(rest[..<colon])
        {
            scheme = rest[..<colon].lowercased()
            if let name = scheme, Self.playersSchemes.contains(name) { scheme = "http" }
            rest = rest[rest.index(after: colon)...]
        }
        if let hash = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if rest.hasPrefix("//") {
            let end = rest.dropFirst(2).firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<end].dropFirst(2))
            rest = rest[end...]
        }
        path = String(rest)
    }

    /// The reference resolved against `base` (RFC 3986 §5.2.2). The path of `base` must already be resolved.
    package func resolved(against base: URLReference) -> URLReference {
        var target = self
        guard scheme == nil else {
            target.path = resolvedPath
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = resolvedPath
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.hasPrefix("/") {
            target.path = resolvedPath
        } else if base.authority != nil, base.path.isEmpty {
            target.path = Self.path(path[...], in: "/")
        } else {
            target.path = Self.path(path[...], in: Self.folder(of: base.path[...]))
        }
        return target
    }

    /// The path without `.` and `..` segments.
    private var resolvedPath: String {
        path.hasPrefix("/") ? Self.path(path.dropFirst(), in: "/") : Self.path(path[...], in: "")
    }

    /// The parts joined again (§5.3).
    package var text: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// Whether the reference is http or https, with a host.
    package var isWebAddress: Bool {
        guard scheme == "http" || scheme == "https", let authority else { return false }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return !host.isEmpty && !host.hasPrefix(":")
    }

    /// Whether the authority contains a user, with or without a password.
    package var hasUser: Bool { authority?.contains("@") ?? false }

    /// The extension of the last path segment, in lower case; nil if there is none.
    package var pathExtension: String? {
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let found = name[name.index(after: dot)...].lowercased()
        return found.isEmpty ? nil : found
    }

    /// A path resolved against a folder (§5.2.4). The folder ends in a slash or is empty, and contains no `.` or `..`
    /// segments. Only the path is split, because the folder may be long, and a playlist may refer to it a thousand
    /// times.
    private static func path(_ path: Substring, in folder: Substring) -> String {
        var folder = folder
        var kept: [Substring] = []
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Substring.init)
        for part in parts {
            switch part {
            case ".": break
            case ".." where kept.isEmpty: if folder != "/" { folder = Self.folder(of: folder.dropLast()) }
            case "..": kept.removeLast()
            default: kept.append(part)
            }
        }
        // If the last segment is `.` or `..`, the path names a folder and must end in a slash.
        if let last = parts.last, last == "." || last == "..", !kept.isEmpty { kept.append("") }
        return String(folder) + kept.joined(separator: "/")
    }

    /// The part of a path up to its last slash.
    private static func folder(of path: Substring) -> Substring {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path.prefix(0) }
        return path[...slash]
    }

    /// Schemes of Winamp, VLC and the like for a station over plain HTTP.
    static let playersSchemes: Set = ["icy", "icyx", "shout", "shoutcast"]

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    private static func encoded(_ text: String) -> String {
        PercentEncoding.encoded(text.utf8) { 0x21...0x7e ~= $0 && !WebAddress.unsafe.contains($0) }
    }
}
