// SPDX-License-Identifier: MIT

import RadioFormats

/// Checks whether a request is meant for this server. Protects against foreign pages that make a browser read what only
/// its user can reach (DNS rebinding), or send something (cross-site requests).
///
/// A name that an attacker can choose is not one of this server's names. An address is always accepted, because it
/// involves no name server, and so are names that only the user's own network can give.
package struct HostCheck: Hashable, Sendable {
    /// The server's names in lower case, in addition to addresses and private names.
    package var names: Set<String>
    /// Where the user adds a name, as in `with the option …`, for the refusal of an unknown one; nil if nowhere.
    package var remedy: String?

    /// Domains in which nobody can register a name: they are reserved for networks at home (RFC 6762 appendix G,
    /// RFC 8375, ICANN's `.internal`), or answered by the router itself.
    private static let privateDomains = [
        "local", "localhost", "localdomain", "lan", "home", "home.arpa", "internal", "intranet", "private", "corp",
        "fritz.box",
    ]

    package init(names: Set<String> = [], remedy: String? = nil) {
        self.names = Set(names.map { $0.lowercased() })
        self.remedy = remedy
    }

    /// What `Host` says about the server that is meant.
    enum Verdict: Hashable {
        /// This server is meant.
        case own
        /// A server with this name is meant. Only the machine's own names may still show that it is this one.
        case unknown(String)
        /// The field is not a host.
        case nonsense
    }

    /// Judges the field `Host`. Requests without it are accepted: browsers always send it.
    func verdict(on field: String?) -> Verdict {
        guard let field else { return .own }
        guard let host = Self.hostname(field) else { return .nonsense }
        if SocketAddress.Host(host) != nil || names.contains(String(host)) { return .own }
        guard Self.isName(host) else { return .nonsense }
        return Self.isPrivate(host) ? .own : .unknown(String(host))
    }

    /// Whether no name server of the Internet answers for this name: it has no domain, or a private one.
    private static func isPrivate(_ host: Substring) -> Bool {
        !host.contains(".") || privateDomains.contains { host.hasSuffix("." + $0) || host == $0 }
    }

    /// Whether `host` has only the characters of a name, so that it can be repeated in a message, and does not end in a
    /// number, as addresses do.
    private static func isName(_ host: Substring) -> Bool {
        guard let last = host.split(separator: ".").last, !last.utf8.allSatisfy(\.isDigit)
        else { return false }
        return host.utf8.count <= 253
            && host.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) }
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
        return first == UInt8(ascii: ":") && text.utf8.dropFirst().allSatisfy(\.isDigit)
    }
}
