// SPDX-License-Identifier: MIT

import Instants

/// Counts connections, and decides whether another one is admitted. A value without I/O.
///
/// Counts per client only if there is a limit per client, so that listeners cost nothing here.
struct HTTPAdmission {
    /// Why a connection is refused.
    enum Refusal: Hashable {
        /// The server is full.
        case full
        /// The client has its maximum number of connections.
        case tooMany
        /// The client connects too often; it may connect again after this time.
        case tooOften(Duration)
    }

    private var most: Int
    private var mostStreams: Int
    private var perAddress: Int?
    private var connectRate: RateLimit?
    private var rate: RateLimiter<SocketAddress.Host>?
    private var trustedProxies: [IPNetwork]
    private(set) var count = 0
    private(set) var streams = 0
    private var byClient: [SocketAddress.Host: Int] = [:]

    init(limits: HTTPLimits) {
        most = limits.mostConnections
        mostStreams = limits.mostStreams
        perAddress = limits.connectionsPerAddress
        connectRate = limits.connectRate
        rate = limits.connectRate.map { RateLimiter($0) }
        trustedProxies = limits.trustedProxies
    }

    /// Replaces the limits. `clients` holds the clients of all open connections for which ``releaseClient(_:)`` will be
    /// called. They may differ from the clients counted so far.
    mutating func apply(_ limits: HTTPLimits, clients: some Sequence<ServedClient>) {
        if limits.connectRate != connectRate {
            connectRate = limits.connectRate
            rate = limits.connectRate.map { RateLimiter($0) }
        }
        most = limits.mostConnections
        mostStreams = limits.mostStreams
        perAddress = limits.connectionsPerAddress
        byClient = [:]
        guard perAddress != nil else { return }
        for client in clients where client.isLimited { byClient[client.host.limitKey, default: 0] += 1 }
    }

    /// Sets the proxies that are trusted to name their clients.
    mutating func trust(_ proxies: [IPNetwork]) { trustedProxies = proxies }

    /// Counts a new connection, or returns why it is refused. The last place is reserved for loopback, so that the
    /// server's administrator can reach it even if other clients take all other places.
    mutating func admit(_ peer: SocketAddress.Host, now: MonotonicInstant) -> Refusal? {
        guard count < (peer.isLoopback || most < 2 ? most : most - 1) else { return .full }
        // If the peer is a trusted proxy, the client is known only after the head.
        if !isTrusted(peer), let refusal = admitClient(ServedClient(peer), now: now) { return refusal }
        count += 1
        return nil
    }

    /// Stops counting an admitted connection.
    mutating func release(_ peer: SocketAddress.Host) {
        count -= 1
        if !isTrusted(peer) { releaseClient(ServedClient(peer)) }
    }

    /// Counts the client of an admitted connection, or returns why it is refused. Clients on loopback have no limits
    /// per client.
    mutating func admitClient(_ client: ServedClient, now: MonotonicInstant) -> Refusal? {
        guard client.isLimited else { return nil }
        let key = client.host.limitKey
        if let perAddress, byClient[key, default: 0] >= perAddress { return .tooMany }
        if let wait = rate?.take(key, now: now) { return .tooOften(wait) }
        if perAddress != nil { byClient[key, default: 0] += 1 }
        return nil
    }

    /// Stops counting a client that ``admitClient(_:now:)`` has counted.
    mutating func releaseClient(_ client: ServedClient) {
        guard perAddress != nil, client.isLimited else { return }
        let key = client.host.limitKey
        let left = byClient[key, default: 1] - 1
        byClient[key] = left == 0 ? nil : left
    }

    /// Whether to believe what this peer states about its client.
    func isTrusted(_ peer: SocketAddress.Host) -> Bool { trustedProxies.contain(peer) }

    /// Counts an admitted connection as a stream. Returns false if streams fill all places open to them.
    mutating func admitStream() -> Bool {
        guard streams < mostStreams else { return false }
        streams += 1
        return true
    }

    /// Stops counting a stream. Its connection is still counted, until it is released separately.
    mutating func releaseStream() { streams -= 1 }
}
