// SPDX-License-Identifier: MIT

import Instants

/// Who is connected, and whether one more may be. A value without I/O.
///
/// Clients are counted apart only where a limit for each of them is configured, so that listeners cost nothing here.
struct HTTPAdmission {
    /// Why somebody is not let in.
    enum Refusal: Hashable {
        /// There is no place left.
        case full
        /// This client has as many connections as it may.
        case tooMany
        /// This client connects too often; after that time it may again.
        case tooOften(Duration)
    }

    private let most: Int
    private let mostStreams: Int
    private let perAddress: Int?
    private var rate: RateLimiter?
    private let trustedProxies: [IPNetwork]
    private(set) var count = 0
    private(set) var streams = 0
    private var byClient: [SocketAddress.Host: Int] = [:]

    init(limits: HTTPLimits) {
        most = limits.mostConnections
        mostStreams = limits.mostStreams
        perAddress = limits.connectionsPerAddress
        rate = limits.connectRate.map { RateLimiter($0) }
        trustedProxies = limits.trustedProxies
    }

    /// Counts a connection in, or says why it has no place. The last place is for this machine alone: whoever looks
    /// after it can reach it when strangers fill it.
    mutating func admit(_ peer: SocketAddress.Host, now: MonotonicInstant) -> Refusal? {
        guard count < (peer.isLoopback || most < 2 ? most : most - 1) else { return .full }
        // Whom a proxy asks for is known when the head has come.
        if !isTrusted(peer), let refusal = admitClient(peer, now: now) { return refusal }
        count += 1
        return nil
    }

    /// Counts a connection out that was admitted.
    mutating func release(_ peer: SocketAddress.Host) {
        count -= 1
        if !isTrusted(peer) { releaseClient(peer) }
    }

    /// Counts the client of an admitted connection, or says why it has no place; this machine has no such limits.
    mutating func admitClient(_ client: SocketAddress.Host, now: MonotonicInstant) -> Refusal? {
        guard !client.isLoopback else { return nil }
        let key = client.limitKey
        if let perAddress, byClient[key, default: 0] >= perAddress { return .tooMany }
        if let wait = rate?.take(client, now: now) { return .tooOften(wait) }
        if perAddress != nil { byClient[key, default: 0] += 1 }
        return nil
    }

    /// Counts a client out that was counted in by ``admitClient(_:now:)``.
    mutating func releaseClient(_ client: SocketAddress.Host) {
        guard perAddress != nil, !client.isLoopback else { return }
        let key = client.limitKey
        let left = byClient[key, default: 1] - 1
        byClient[key] = left == 0 ? nil : left
    }

    /// Whether what this peer says of its client is believed.
    func isTrusted(_ peer: SocketAddress.Host) -> Bool { trustedProxies.contain(peer) }

    /// Makes a stream of an admitted connection; false where streams have all the places that they may have.
    mutating func admitStream() -> Bool {
        guard streams < mostStreams else { return false }
        streams += 1
        return true
    }

    /// A stream has ended; its connection is counted out by itself.
    mutating func releaseStream() { streams -= 1 }
}
