// SPDX-License-Identifier: MIT

/// Whom a request is from, for limits, access lists and logs.
package struct ServedClient: Hashable, Sendable {
    /// The client's address; for a client that its proxy does not name, the proxy's.
    package var host: SocketAddress.Host
    /// Whether ``host`` is the client's own address. A trusted proxy may name none, or more than one.
    package var isNamed: Bool

    package init(_ host: SocketAddress.Host, isNamed: Bool = true) {
        self.host = host
        self.isNamed = isNamed
    }

    /// Whether limits per client apply: not to programs on this machine. Clients without a name share those of one.
    var isLimited: Bool { !isNamed || !host.isLoopback }

    /// Whether other clients may have the same ``host``: those behind a proxy on this machine that names nobody.
    var isShared: Bool { !isNamed || host.isLoopback }
}
