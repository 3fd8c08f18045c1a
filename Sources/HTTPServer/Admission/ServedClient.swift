// SPDX-License-Identifier: MIT

/// The client of a request, for limits, access lists and logs.
package struct ServedClient: Hashable, Sendable {
    /// The client's address. If the client's proxy does not name it, the address of the proxy.
    package var host: SocketAddress.Host
    /// Whether ``host`` is the client's own address. A trusted proxy may name no client, or more than one.
    package var isNamed: Bool

    package init(_ host: SocketAddress.Host, isNamed: Bool = true) {
        self.host = host
        self.isNamed = isNamed
    }

    /// Whether limits per client apply. Programs on this machine are exempt. Clients that a proxy does not name share
    /// the limits of a single client.
    var isLimited: Bool { !isNamed || !host.isLoopback }

    /// Whether other clients may have the same ``host``, because a proxy does not name its clients.
    var isShared: Bool { !isNamed || host.isLoopback }
}
