// SPDX-License-Identifier: MIT

/// Whether a request means this server: against pages of strangers that make a browser ask for what only its user may
/// reach (DNS rebinding), and against those that make it send something (cross-site requests).
///
/// Names that strangers choose are no names of ours. An address is always right, because no name server is asked for
/// it.
package struct HostCheck: Hashable, Sendable {
    /// Names of this server, in lower case, besides addresses and `localhost`.
    package var names: Set<String>

    package init(names: Set<String> = []) {
        self.names = Set(names.map { $0.lowercased() })
    }

    /// Whether `Host` names this server. A client that sends none is no browser.
    func accepts(host field: String?) -> Bool {
        guard let field else { return true }
        guard let host = Self.hostname(field) else { return false }
        return SocketAddress.Host(host) != nil || host == "localhost" || names.contains(String(host))
    }

    /// Whether a request that changes something comes from a page of this server, or from no page at all.
    ///
    /// Browsers say from where with `Sec-Fetch-Site`; older ones with `Origin`, which then must be the host asked for.
    static func isSameOrigin(_ head: HTTPRequestHead) -> Bool {
        if let site = head["sec-fetch-site"] { return site == "same-origin" || site == "none" }
        guard let origin = head["origin"]?.lowercased() else { return true }
        guard let host = head["host"]?.lowercased() else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }

    /// The host in `Host`: without a port, without brackets, in lower case.
    private static func hostname(_ field: String) -> Substring? {
        let text = field.lowercased()[...]
        guard text.hasPrefix("[") else {
            let host = text.prefix { $0 != ":" }
            return isPort(text[host.endIndex...]) ? (host.hasSuffix(".") ? host.dropLast() : host) : nil
        }
        guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
        return text[text.index(after: text.startIndex)..<end]
    }

    /// Nothing, or a colon and digits.
    private static func isPort(_ text: Substring) -> Bool {
        guard let first = text.utf8.first else { return true }
        return first == UInt8(ascii: ":") && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
