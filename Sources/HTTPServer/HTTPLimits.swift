// SPDX-License-Identifier: MIT

import EventLoop
import Platform

/// The limits on what clients may use.
package struct HTTPLimits: Hashable, Sendable {
    package var parser = HTTPHeadParser.Limits()
    /// The time from accept to the end of the head, whatever arrives in between.
    package var head = Duration.seconds(10)
    /// The time from the request to the handler's answer.
    package var answer = Duration.seconds(20)
    /// The time from the answer to its last byte. Streams are their handlers' responsibility.
    package var response = Duration.seconds(15)
    /// The period in which the client must accept ``leastTaken`` bytes of a file or of slabs. There is no limit on the
    /// total time, because recordings are often played while they are received.
    package var transfer = Duration.seconds(60)
    /// The number of bytes that a client must accept in each ``transfer`` period: one minute of audio at 8 kbit/s.
    package var leastTaken = 60_000
    /// How long a connection is kept for the next request. Once that request has begun, ``head`` limits the time for
    /// its head.
    package var idle = Duration.seconds(15)
    /// The maximum number of requests per connection.
    package var requests = 100
    /// The maximum number of idle connections. If there are more, the one that has been idle for longest is closed.
    package var idleConnections = 1000
    /// The maximum number of sockets, including streams; nil for as many as descriptors allow, see ``mostConnections``.
    package var connections: Int?
    /// The number of places that streams cannot take, so that pages still work when listeners fill the server.
    package var reserved = 16
    /// The maximum number of streams per client; nil for no limit. For pages, a client may have a few more sockets.
    package var streamsPerAddress: Int?
    /// How often a client may connect; nil for no limit.
    package var connectRate: RateLimit?
    /// Proxies trusted to name their clients, in `X-Forwarded-For` or `Forwarded`. Limits, access lists and logs then
    /// use the named client. A trusted proxy must set one of the two fields itself, or append to it, and should remove
    /// the other: if the two fields name different clients, the client counts as not named.
    package var trustedProxies: [IPNetwork] = []

    package init() {}

    /// ``streamsPerAddress`` for a server at these addresses. `wanted` is the user's setting; 0 means no limit. If it
    /// is nil, there is a limit that no household reaches, but only if other machines can connect.
    package static func perAddress(_ wanted: Int?, at addresses: [SocketAddress]) -> Int? {
        if let wanted { return wanted == 0 ? nil : wanted }
        return addresses.allSatisfy(\.isLoopback) ? nil : 100
    }

    /// How many descriptors are left for files, upstream connections and other parts of the program.
    private static let spareDescriptors = 256

    /// ``connections``, or as many as the descriptor limit permits: all but 256 of them, or half of a low limit.
    package var mostConnections: Int {
        if let connections { return connections }
        let descriptors = DescriptorLimit.current
        return max(descriptors - Self.spareDescriptors, descriptors / 2)
    }

    /// How many of ``mostConnections`` may be streams; at least half of them if there are few.
    package var mostStreams: Int {
        let most = mostConnections
        return max(most - reserved, (most + 1) / 2)
    }
}
