// SPDX-License-Identifier: MIT

/// A whole request, and who sent it.
package struct HTTPRequest: Sendable {
    package var head: HTTPRequestHead
    package var body: [UInt8]
    package var peer: SocketAddress

    package init(head: HTTPRequestHead, body: [UInt8] = [], peer: SocketAddress) {
        self.head = head
        self.body = body
        self.peer = peer
    }

    package var method: HTTPMethod { head.method }
    package var path: String { head.target.path }
}
