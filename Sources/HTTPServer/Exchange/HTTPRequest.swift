// SPDX-License-Identifier: MIT

/// A complete request, and its sender.
package struct HTTPRequest: Sendable {
    package var head: HTTPRequestHead
    /// The address connected to the server.
    package var peer: SocketAddress
    /// The client, for limits, access lists and logs: the peer, or the client named by a trusted proxy.
    package var client: SocketAddress.Host
    /// Whether the peer is a trusted proxy. If so, its `X-Forwarded-` fields are believed.
    package var isFromProxy: Bool
    /// Whether the request has the name and password of a user of the route.
    package internal(set) var isUser = false

    package init(
        head: HTTPRequestHead, peer: SocketAddress, client: SocketAddress.Host? = nil, isFromProxy: Bool = false
    ) {
        self.head = head
        self.peer = peer
        self.client = client ?? peer.host
        self.isFromProxy = isFromProxy
    }

    package var method: HTTPMethod { head.method }
    package var path: String { head.target.path }
    package var userAgent: String? { head["user-agent"] }
}
