// SPDX-License-Identifier: MIT

import EventLoop
package import HTTPServer
package import Instants
import RadioCore
package import RadioFormats
import Stations

/// A mount at a glance, for status pages and reports. A value.
package struct MountSnapshot: Hashable, Sendable {
    package var path: String
    /// What the station is called.
    package var name: String
    /// The title that is on the air.
    package var title: String?
    /// Nil before the first audio.
    package var format: StreamFormat?
    /// What it says of the station in its response head: `icy-*` fields and some more.
    package var fields: [HTTPField]
    /// When it had its first audio.
    package var onAirSince: WallInstant?
    /// How many listen now.
    package var listeners: Int
    /// The most listeners at one time.
    package var peak: Int
    /// How many have begun to listen.
    package var joins: Int
    /// Bytes that sockets of all listeners took, also of those that have left.
    package var bytes: Int64
    /// How often listeners were too slow and went on at a newer place, also those that have left.
    package var skips: Int
}

/// A listener at a glance.
package struct ListenerSnapshot: Hashable, Sendable {
    package var client: SocketAddress.Host
    /// What it calls itself, "" where it does not.
    package var agent: String
    package var since: WallInstant
    /// For how long it has been listening.
    package var age: Duration
    package var bytes: Int64
    /// How much of the audio that there is it has not been sent.
    package var lag: Duration
    package var skips: Int
}

extension Mount {
    package var snapshot: MountSnapshot {
        MountSnapshot(
            path: path, name: title, title: onAirTitle, format: station?.wire?.format,
            fields: station?.wire?.format.map { StationFields.fields(station?.hub.info, $0, settings.fields) } ?? [],
            onAirSince: onAirSince, listeners: listenerCount,
            peak: statistics.peak, joins: statistics.joins,
            bytes: statistics.bytes, skips: statistics.skips)
    }

    /// Who listens now, `limit` of them at most.
    package func listeners(limit: Int = .max) -> [ListenerSnapshot] { turns.all.prefix(limit).map(snapshot) }

    private func snapshot(_ listener: Listener) -> ListenerSnapshot {
        ListenerSnapshot(
            client: listener.client, agent: listener.agent,
            since: reactor.wallNow - (reactor.now - listener.since), age: reactor.now - listener.since,
            bytes: listener.bytesSent,
            lag: listener.wire.ring.lag(of: listener.place.cursor),
            skips: Int(listener.skips))
    }
}
