// SPDX-License-Identifier: MIT

import EventLoop
import Platform

/// How much the server takes from strangers.
package struct HTTPLimits: Hashable, Sendable {
    package var parser = HTTPHeadParser.Limits()
    /// From accept to the end of the head, whatever arrives in between.
    package var head = Duration.seconds(10)
    /// From the request to the handler's answer.
    package var answer = Duration.seconds(20)
    /// From the answer to its last byte; responses that are streamed are their owner's.
    package var response = Duration.seconds(15)
    /// Of a file, or of memory that others have too, a client must take ``leastTaken`` in each such time, however long
    /// the whole takes: a recording is often played as it comes.
    package var transfer = Duration.seconds(60)
    /// Bytes: what 8 kbit/s are in a minute.
    package var leastTaken = 60_000
    /// How long a connection is kept for the next request; its head then has the same time as the first one's.
    package var idle = Duration.seconds(15)
    /// Requests that one connection carries.
    package var requests = 100
    /// Connections that are kept without a request; the one that has waited longest makes room for another.
    package var idleConnections = 1000
    /// Sockets in all, streams included; nil for as many as descriptors allow, see ``mostConnections``.
    package var connections: Int?
    /// Of those, places that no stream gets: pages answer also where listeners fill the server.
    package var reserved = 16
    /// Sockets of one client; nil for any number.
    package var connectionsPerAddress: Int?
    /// How often one client may connect; nil for any number of times.
    package var connectRate: RateLimit?
    /// Proxies that are believed when they say for whom they ask, in `X-Forwarded-For` or in `Forwarded`. Limits,
    /// access lists and logs then go by that client. A proxy that is named here must set one of the two anew, or add to
    /// it. The other it should remove: where both name somebody, and not the same client, the request is answered with
    /// 400.
    package var trustedProxies: [IPNetwork] = []

    package init() {}

    /// What is left of the descriptors for files, upstream connections and whatever else the program does.
    private static let spareDescriptors = 256

    /// ``connections``, or what the limit of descriptors leaves: all but 256 of them, or half where they are few.
    package var mostConnections: Int {
        if let connections { return connections }
        let descriptors = DescriptorLimit.current
        return max(descriptors - Self.spareDescriptors, descriptors / 2)
    }

    /// What streams may fill of ``mostConnections``: of a small number at least half.
    package var mostStreams: Int {
        let most = mostConnections
        return max(most - reserved, (most + 1) / 2)
    }
}
