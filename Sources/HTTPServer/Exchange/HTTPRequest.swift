// SPDX-License-Identifier: MIT

/// A complete request, and its sender.
package struct HTTPRequest: Sendable {
    package var head: HTTPRequestHead
    /// The address connected to the server.
    package var peer: SocketAddress
    /// The client: the peer, or, if the peer is a trusted proxy, the client behind it.
    package var client: ServedClient
    /// Whether the peer is a trusted proxy. If so, its `X-Forwarded-` fields are believed.
    package var isFromProxy: Bool

    package init(
        head: HTTPRequestHead, peer: SocketAddress, client: ServedClient? = nil, isFromProxy: Bool = false
    ) {
        self.head = head
        self.peer = peer
        self.client = client ?? ServedClient(peer.host)
        self.isFromProxy = isFromProxy
    }

    package var method: HTTPMethod { head.method }
    package var path: String { head.target.path }
    package var userAgent: String? { head["user-agent"] }
}
