// SPDX-License-Identifier: MIT

/// Checks whether a request is meant for this server. Protects against foreign pages that make a browser read what only
/// its user can reach (DNS rebinding), or send something (cross-site requests).
///
/// A name that an attacker can choose is not one of this server's names. An address is always accepted, because it
/// involves no name server.
package struct HostCheck: Hashable, Sendable {
    /// The server's names in lower case, in addition to addresses and `localhost`.
    package var names: Set<String>

    package init(names: Set<String> = []) {
        self.names = Set(names.map { $0.lowercased() })
    }

    /// Whether `Host` names this server. Requests without `Host` are accepted: browsers always send it.
    func accepts(host field: String?) -> Bool {
        guard let field else { return true }
        guard let host = Self.hostname(field) else { return false }
        return SocketAddress.Host(host) != nil || host == "localhost" || names.contains(String(host))
    }

    /// Whether an unsafe request comes from a page of this server, or from no page at all.
    ///
    /// Browsers send the page's site in `Sec-Fetch-Site`. Older browsers send `Origin`, which must then match `Host`.
    static func isSameOrigin(_ head: HTTPRequestHead) -> Bool {
        if let site = head["sec-fetch-site"] { return site == "same-origin" || site == "none" }
        guard let origin = head["origin"]?.lowercased() else { return true }
        guard let host = head["host"]?.lowercased() else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }

    /// The host in `Host`: without port and brackets, in lower case.
    private static func hostname(_ field: String) -> Substring? {
        let text = field.lowercased()[...]
        guard text.hasPrefix("[") else {
            let host = text.prefix { $0 != ":" }
            return isPort(text[host.endIndex...]) ? (host.hasSuffix(".") ? host.dropLast() : host) : nil
        }
        guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
        return text[text.index(after: text.startIndex)..<end]
    }

    /// Whether `text` is empty, or a colon and digits.
    private static func isPort(_ text: Substring) -> Bool {
        guard let first = text.utf8.first else { return true }
        return first == UInt8(ascii: ":") && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
