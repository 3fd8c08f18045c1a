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
        /// The client has its maximum number of streams.
        case tooManyStreams
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
    private var byClient: [SocketAddress.Host: Counts] = [:]

    /// What a client has.
    private struct Counts {
        /// All its connections, including streams.
        var connections = 0
        var streams = 0
    }

    /// The connections that a client may have beside its streams: as many as a browser opens at once for a page, and
    /// some to spare.
    static let pagesPerAddress = 8

    init(limits: HTTPLimits) {
        most = limits.mostConnections
        mostStreams = limits.mostStreams
        perAddress = limits.streamsPerAddress
        connectRate = limits.connectRate
        rate = limits.connectRate.map { RateLimiter($0) }
        trustedProxies = limits.trustedProxies
    }

    /// Replaces the limits. `clients` holds the clients of all open connections for which ``releaseClient(_:)`` will be
    /// called, and whether each is a stream. They may differ from the clients counted so far.
    mutating func apply(_ limits: HTTPLimits, clients: some Sequence<(ServedClient, isStream: Bool)>) {
        if limits.connectRate != connectRate {
            connectRate = limits.connectRate
            rate = limits.connectRate.map { RateLimiter($0) }
        }
        most = limits.mostConnections
        mostStreams = limits.mostStreams
        perAddress = limits.streamsPerAddress
        byClient = [:]
        guard perAddress != nil else { return }
        for (client, isStream) in clients where client.isLimited {
            byClient[client.host.limitKey, default: Counts()].connections += 1
            if isStream { byClient[client.host.limitKey, default: Counts()].streams += 1 }
        }
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
        if let perAddress, byClient[key, default: Counts()].connections >= perAddress + Self.pagesPerAddress {
            return .tooMany
        }
        if let wait = rate?.take(key, now: now) { return .tooOften(wait) }
        if perAddress != nil { byClient[key, default: Counts()].connections += 1 }
        return nil
    }

    /// Stops counting a client that ``admitClient(_:now:)`` has counted.
    mutating func releaseClient(_ client: ServedClient) {
        guard perAddress != nil, client.isLimited else { return }
        let key = client.host.limitKey
        guard var counts = byClient[key] else { return }
        counts.connections -= 1
        byClient[key] = counts.connections == 0 ? nil : counts
    }

    /// Whether to believe what this peer states about its client.
    func isTrusted(_ peer: SocketAddress.Host) -> Bool { trustedProxies.contain(peer) }

    /// Counts an admitted connection as a stream, or returns why it is refused. `client`: the client for whom the
    /// connection was counted; nil if it was counted for none.
    mutating func admitStream(of client: ServedClient?) -> Refusal? {
        if let refusal = streamRefusal(of: client) { return refusal }
        if let key = limitKey(client), perAddress != nil { byClient[key, default: Counts()].streams += 1 }
        streams += 1
        return nil
    }

    /// Why ``admitStream(of:)`` would refuse; nil if it would not.
    func streamRefusal(of client: ServedClient?) -> Refusal? {
        guard streams < mostStreams else { return .full }
        if let key = limitKey(client), let perAddress, byClient[key, default: Counts()].streams >= perAddress {
            return .tooManyStreams
        }
        return nil
    }

    /// Stops counting a stream for its client.
    mutating func leaveStream(of client: ServedClient?) {
        if let key = limitKey(client) { byClient[key]?.streams -= 1 }
    }

    /// Stops counting a stream. Its connection is still counted, until it is released separately.
    mutating func releaseStream() { streams -= 1 }

    private func limitKey(_ client: ServedClient?) -> SocketAddress.Host? {
        client.flatMap { $0.isLimited ? $0.host.limitKey : nil }
    }
}
