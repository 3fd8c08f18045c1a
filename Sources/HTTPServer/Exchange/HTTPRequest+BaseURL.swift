// SPDX-License-Identifier: MIT

import RadioFormats

extension HTTPRequest {
    /// The scheme, host and port by which the client reached this server, and the path under which its proxy serves us;
    /// nil if unknown. An address that begins so works for that client.
    ///
    /// Only a trusted proxy's statement counts: `X-Forwarded-Proto`, `-Host`, `-Port` and `-Prefix`. In a list, the
    /// last item is the proxy's, because each proxy appends to what the client sent.
    var baseURL: String? {
        origin.map { $0 + (forwarded("prefix", Self.pathCharacters).flatMap(Self.prefix) ?? "") }
    }

    private var origin: String? {
        let isSecure = forwarded("proto")?.lowercased() == "https"
        let scheme = isSecure ? "https://" : "http://"
        guard let host = forwarded("host") ?? head["host"], !host.isEmpty else { return nil }
        guard let port = forwarded("port").flatMap({ UInt16($0) }), port != (isSecure ? 443 : 80), !Self.hasPort(host)
        else { return scheme + host }
        return "\(scheme)\(host):\(port)"
    }

    private static let hostCharacters = ".-_:[]"
    private static let pathCharacters = ".-_~/"

    /// A path without its last slash; nil if it is none that can stand before another path.
    private static func prefix(_ text: String) -> String? {
        let path = text.hasSuffix("/") ? text.dropLast() : text[...]
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.hasPrefix("/"), !parts.contains(where: { ["", ".", ".."].contains($0) }) else { return nil }
        return String(path)
    }

    /// The last item of an `X-Forwarded-` field of a trusted proxy; nil if it has other characters than letters, digits
    /// and those of `marks`.
    private func forwarded(_ name: String, _ marks: String = hostCharacters) -> String? {
        guard isFromProxy, let value = head.fields.last(where: { $0.name == "x-forwarded-" + name })?.value,
            let item = value.split(separator: ",", omittingEmptySubsequences: false).last?.withoutBlanks
        else { return nil }
        let isPlain = item.utf8.allSatisfy { $0.isLetter || $0.isDigit || marks.utf8.contains($0) }
        return item.isEmpty || !isPlain ? nil : String(item)
    }

    /// Whether a host is followed by a port; the colons of an IPv6 address stand in brackets.
    private static func hasPort(_ host: String) -> Bool {
        host.drop { $0 != "]" }.contains(":") || (!host.hasPrefix("[") && host.contains(":"))
    }
}
