// SPDX-License-Identifier: MIT

import RadioFormats

/// The address of a proxy, with the user name and password that the proxy may require. The description withholds the
/// user name and password.
package struct ProxyAddress: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The URL with user name and password. Only curl may get it.
    let url: String

    /// Why a text is not the address of a proxy.
    package enum ParseError: Error, Hashable, Sendable {
        /// The scheme is not one that curl can use with proxies.
        case scheme
        /// There is no host, or the text contains something that does not belong in the address of a proxy.
        case host
        /// The user name or the password contains an `@` that is not escaped.
        case unescapedAt
        /// There is no port. curl's own default, 1080, is hardly ever meant.
        case port
    }

    /// The schemes that curl can use with a proxy. With `socks5h`, the proxy looks up names; with `socks5`, this
    /// machine looks them up.
    package static let schemes = ["http", "https", "socks5", "socks5h"]

    /// Parses `http://host:port`, with `user:password@` in front of the host if needed. A text without a scheme is
    /// taken as http.
    package init(parsing text: String) throws(ParseError) {
        let url = text.contains("://") ? text : "http://" + text
        let reference = URLReference(url)
        guard let scheme = reference.scheme, Self.schemes.contains(scheme) else { throw .scheme }
        let isClean = url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
        guard let authority = reference.authority, isClean, ["", "/"].contains(reference.path), reference.query == nil,
            reference.fragment == nil, url.utf8.count <= Self.longest
        else { throw .host }
        guard authority.count(where: { $0 == "@" }) <= 1 else { throw .unescapedAt }
        let server = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard let colon = server.lastIndex(of: ":"), let port = UInt16(server[server.index(after: colon)...]), port > 0
        else { throw .port }
        guard CurlLibrary.host(of: "http://" + server[..<colon]) != nil else { throw .host }
        self.url = "\(scheme)://\(authority)"
    }

    private static let longest = 2_000

    /// The URL without user name and password.
    package var description: String { AddressText(url).redacted }

    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }

    /// Whether the connection to the proxy itself is encrypted.
    var isSecure: Bool { url.hasPrefix("https:") }
}
