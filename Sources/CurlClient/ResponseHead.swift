// SPDX-License-Identifier: MIT

/// The head of the final response (after redirects).
package struct ResponseHead: Sendable {
    package var status: Int
    /// The text after the status, exactly as the server sent it: not fit for display.
    package var reason: String
    /// Whether the status line is an ICY status line (`ICY 200 OK`).
    package var isICY: Bool
    /// The fields in order: at most 64 fields and 16 KiB. Names are in lower case, and values are trimmed.
    ///
    /// A value that is not UTF-8 is decoded as Latin-1, byte by byte, so that its bytes can be recovered.
    package var fields: [(name: String, value: String)]
    /// The final URL after redirects, without credentials and query: for display.
    package var finalURL: String
    /// The complete final URL after redirects, for a quick reconnect. It may contain secrets, so never log it.
    package var effectiveURL: String
    package var redirects: Int
    /// The numeric address of the server.
    package var peerAddress: String
    /// Whether the server's address is private or loopback, so that URLs in the body may have such addresses, too.
    package var isPeerPrivate: Bool
    /// All cookies known after the response, for ``TransferRequest/cookies``. They may be secrets, so never log them.
    package var cookies: [String]
    /// How many lines of the head made no sense, and were ignored.
    package var ignored: Int

    package init(
        status: Int, reason: String = "", isICY: Bool = false, fields: [(name: String, value: String)] = [],
        finalURL: String,
        effectiveURL: String? = nil, redirects: Int = 0, peerAddress: String = "", isPeerPrivate: Bool = false,
        cookies: [String] = [], ignored: Int = 0
    ) {
        self.status = status
        self.reason = reason
        self.isICY = isICY
        self.fields = fields
        self.finalURL = finalURL
        self.effectiveURL = effectiveURL ?? finalURL
        self.redirects = redirects
        self.peerAddress = peerAddress
        self.isPeerPrivate = isPeerPrivate
        self.cookies = cookies
        self.ignored = ignored
    }

    /// The first value of a field; `name` in lower case.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }
}
