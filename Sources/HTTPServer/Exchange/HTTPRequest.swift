// SPDX-License-Identifier: MIT

/// A whole request, and who sent it.
package struct HTTPRequest: Sendable {
    package var head: HTTPRequestHead
    /// Who is connected.
    package var peer: SocketAddress
    /// Who asks, for limits, access lists and logs: the peer, or whom a trusted proxy names.
    package var client: SocketAddress.Host
    /// Whether it came with the name and the password of one of the route's users.
    package internal(set) var isUser = false

    package init(head: HTTPRequestHead, peer: SocketAddress, client: SocketAddress.Host? = nil) {
        self.head = head
        self.peer = peer
        self.client = client ?? peer.host
    }

    package var method: HTTPMethod { head.method }
    package var path: String { head.target.path }
    package var userAgent: String? { head["user-agent"] }
}
