// SPDX-License-Identifier: MIT

import CurlClient
import RadioFormats

/// A response's status and where it came from, for people who look for a fault.
package struct ServerAnswer: Sendable, Hashable {
    package var status: Int
    /// Whether the status line is that of ICY (`ICY 200 OK`).
    package var isICY = false
    /// The final URL, without credentials and query.
    package var url: String
    /// The numeric address of the server; empty if it is unknown.
    package var peer = ""
    /// The number of redirects that led to ``url``.
    package var redirects = 0
    /// The server's name for its software; nil if the server does not state it.
    package var server: String?
    /// How many lines of the response's head made no sense, and were ignored.
    package var ignored = 0
    /// Whether the server shows that it is a radio server, by a field of ICY or by the name of its software.
    package var isOfRadioServer = false

    package init(status: Int, url: String) {
        (self.status, self.url) = (status, url)
    }

    private static let radioServers = ["icecast", "shoutcast", "steamcast", "liquidsoap", "rocket", "aircheck"]

    init(_ head: ResponseHead) {
        self.init(status: head.status, url: head.finalURL)
        (isICY, peer, redirects, ignored) = (head.isICY, head.peerAddress, head.redirects, head.ignored)
        server = head["server"].map(TitleText.cleaned)
        let software = head["server"]?.lowercased() ?? ""
        isOfRadioServer =
            ResponseClassifier.hasICY(head) || Self.radioServers.contains { software.contains($0) }
    }
}
