// SPDX-License-Identifier: MIT

import CurlClient
import RadioFormats

/// A response's status and where it came from, for people who look for a fault.
package struct ServerAnswer: Sendable, Hashable {
    package var status: Int
    /// Whether the status line is that of ICY (`ICY 200 OK`).
    package var isICY: Bool
    /// The final URL, without credentials and query.
    package var url: String
    /// The numeric address of the server; empty if it is unknown.
    package var peer: String
    /// The number of redirects that led to ``url``.
    package var redirects: Int
    /// The server's name for its software; nil if the server does not state it.
    package var server: String?
    /// How many lines of the response's head made no sense, and were ignored.
    package var ignored: Int
    /// Whether the server shows that it is a radio server, by a field of ICY or by the name of its software.
    package var isOfRadioServer = false

    package init(
        status: Int, isICY: Bool = false, url: String, peer: String = "", redirects: Int = 0, server: String? = nil,
        ignored: Int = 0
    ) {
        self.status = status
        self.isICY = isICY
        self.url = url
        self.peer = peer
        self.redirects = redirects
        self.server = server
        self.ignored = ignored
    }

    private static let radioServers = ["icecast", "shoutcast", "steamcast", "liquidsoap", "rocket", "aircheck"]

    init(_ head: ResponseHead) {
        self.init(
            status: head.status, isICY: head.isICY, url: head.finalURL, peer: head.peerAddress,
            redirects: head.redirects, server: head["server"].map(TitleText.cleaned),
            ignored: head.ignored)
        let software = head["server"]?.lowercased() ?? ""
        isOfRadioServer =
            ResponseClassifier.hasICY(head) || Self.radioServers.contains { software.contains($0) }
    }
}
