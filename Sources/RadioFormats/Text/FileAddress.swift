// SPDX-License-Identifier: MIT

/// The address of a file on some machine: `file:/path`, `file:///path`, `file://host/path`.
package struct FileAddress: Hashable, Sendable {
    /// The host; empty for this machine.
    package let host: String
    /// The path, without percent-encoding (``PathText``).
    package let path: String

    /// Nil if the text is not a `file:` address.
    package init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), text[..<colon].lowercased() == "file" else { return nil }
        var rest = text[text.index(after: colon)...]
        var host = Substring()
        if rest.hasPrefix("//") {
            host = rest.dropFirst(2).prefix { $0 != "/" }
            rest = rest.dropFirst(2 + host.count)
        }
        self.host = host.lowercased() == "localhost" ? "" : String(host)
        path = Self.path(rest)
    }

    /// Decodes the percent-encoding of a path, whose bytes need not be UTF-8.
    static func path(_ text: Substring) -> String { PathText.text(of: PercentEncoding.decoded(text.utf8)) }

    /// Decodes percent-encoding. Invalid escapes are kept as they are.
    package static func unescaped(_ text: Substring) -> String {
        String(decoding: PercentEncoding.decoded(text.utf8), as: UTF8.self)
    }
}
