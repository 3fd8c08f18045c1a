// SPDX-License-Identifier: MIT

import RadioFormats

/// A request as text, for a server whose response curl does not accept.
///
/// Some radio servers send heads that break HTTP: a line without a colon, `Content-Length: -1`, `ICY  200`. curl ends
/// such a transfer and has no option to accept it. So the request is sent again as plain text, and the response is read
/// by ``PlainHead`` and ``HeadCollector``. curl's Gopher does this: it sends a text and returns all bytes of the
/// answer, over TCP or TLS. Everything else (lookup, connection, certificates, deadlines) is as in any other transfer.
///
/// The request is one of HTTP/1.0, whose answers contain no chunks.
struct PlainRequest {
    /// The `gopher` or `gophers` URL that contains the text.
    let url: String

    /// Nil if the URL is neither `http` nor `https`. `lines`: the further lines of the head, without line ends, in
    /// curl's notation (`NAME;` for a field without a value). `cookies`: see ``TransferRequest/cookies``.
    init?(_ url: String, userAgent: String, lines: [String], cookies: [String]) {
        let reference = URLReference(AddressText(url).withScheme)
        guard let host = CurlLibrary.host(of: url), let authority = reference.authority,
            let scheme = Self.schemes[reference.scheme ?? ""]
        else { return nil }
        let parts = authority.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let port = parts.last.flatMap(Self.port)
        let path = reference.path.isEmpty ? "/" : reference.path
        var fields = [
            ("host", "Host: \(host)\(port.map { ":\($0)" } ?? "")"), ("user-agent", "User-Agent: \(userAgent)"),
            ("accept", "Accept: */*"), ("connection", "Connection: close"),
        ]
        if parts.count == 2 {
            let login = FileAddress.unescaped(parts[0]).utf8
            fields.append(("authorization", "Authorization: Basic \(login.base64)"))
        }
        let lines = lines.map { $0.contains(":") || $0.last != ";" ? $0 : $0.dropLast() + ":" }
        let cookie = CookieLines.field(cookies, host: host, path: path, isSecure: reference.scheme == "https")
        if let cookie { fields.append(("cookie", "Cookie: \(cookie)")) }
        let names = Set(lines.map { $0.prefix { $0 != ":" }.lowercased() })
        let own = fields.filter { !names.contains($0.0) }.map(\.1)
        let target = path + (reference.query.map { "?" + $0 } ?? "")
        // Gopher adds the line end that ends the head.
        let text = (["GET \(target) HTTP/1.0"] + own + lines).map { $0 + "\r\n" }.joined()
        // The character after the slash is Gopher's item type, which is not sent.
        self.url = "\(scheme.name)://\(host):\(port ?? scheme.port)/1\(Self.encoded(text))"
    }

    private static let schemes = ["http": (name: "gopher", port: 80), "https": (name: "gophers", port: 443)]

    private static func port(of server: Substring) -> Int? {
        guard let colon = server.lastIndex(of: ":"), server[colon...].allSatisfy({ $0 != "]" }) else { return nil }
        return Int(server[server.index(after: colon)...])
    }

    private static func encoded(_ text: String) -> String {
        PercentEncoding.encoded(PathText.bytes(of: text)) { $0.isLetter || $0.isDigit }
    }
}
