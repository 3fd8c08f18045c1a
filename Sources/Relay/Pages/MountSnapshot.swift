// SPDX-License-Identifier: MIT

import EventLoop
package import HTTPServer
package import Instants
import RadioCore
package import RadioFormats

/// The state of a mount, for status pages and reports.
package struct MountSnapshot: Hashable, Sendable {
    package var path: String
    /// The station's name.
    package var name: String
    /// What players are sent.
    package var state: MountState
    /// Since when the station has been on the air, if it is, or else since when it has not been.
    package var stateSince: WallInstant
    /// Whether the station is connected only while somebody listens.
    package var isOnDemand: Bool
    /// The title of what players are sent.
    package var title: String?
    /// The format of the audio; nil before the first audio.
    package var format: StreamFormat?
    /// The fields that describe the station in the response head: `icy-*` and a few more.
    package var fields: [HTTPField]
    /// When the first audio arrived.
    package var onAirSince: WallInstant?
    /// The present number of listeners.
    package var listeners: Int
    /// The maximum number of listeners at one time.
    package var peak: Int
    /// The number of listeners that have joined.
    package var joins: Int
    /// Bytes accepted by the sockets of all listeners, including listeners that have left.
    package var bytes: Int64
    /// How often listeners were too slow and skipped to a newer place. Includes listeners that have left.
    package var skips: Int
}

/// The state of a listener.
package struct ListenerSnapshot: Hashable, Sendable {
    package var client: SocketAddress.Host
    /// The user agent; empty if the client sends none.
    package var agent: String
    package var since: WallInstant
    /// The time since the listener joined.
    package var age: Duration
    package var bytes: Int64
    /// How far the listener is behind the live edge.
    package var lag: Duration
    package var skips: Int
}

extension Mount {
    /// How many listeners have joined, how often they skipped, and how many bytes they were sent.
    package var traffic: (joins: Int, skips: Int, bytes: Int64) {
        let now = statistics
        return (now.joins, now.skips, now.bytes)
    }

    package var snapshot: MountSnapshot {
        MountSnapshot(
            path: path, name: title, state: state, stateSince: stateSince, isOnDemand: settings.isOnDemand,
            title: sentTitle, format: sink?.stream?.format,
            fields: sink?.stream?.format.map(stationFields) ?? [],
            onAirSince: onAirSince, listeners: listenerCount,
            peak: statistics.peak, joins: statistics.joins,
            bytes: statistics.bytes, skips: statistics.skips)
    }

    /// The present listeners, at most `limit` of them.
    package func listeners(limit: Int = .max) -> [ListenerSnapshot] {
        turns.all.lazy.filter { !$0.hasClosedSide }.prefix(limit).map(snapshot)
    }

    private func snapshot(_ listener: Listener) -> ListenerSnapshot {
        ListenerSnapshot(
            client: listener.client, agent: listener.agent,
            since: reactor.wallNow - (reactor.now - listener.since), age: reactor.now - listener.since,
            bytes: listener.bytesSent,
            lag: listener.stream.ring.lag(of: listener.place.cursor),
            skips: Int(listener.skips))
    }
}
