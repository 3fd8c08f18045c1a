// SPDX-License-Identifier: MIT

import EventLoop
package import HTTPServer
import Instants
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
    package var listeners: [ListenerSnapshot]
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
    package var peer: SocketAddress
    /// What it calls itself, "" where it does not.
    package var agent: String
    /// For how long it has been listening.
    package var age: Duration
    package var bytes: Int64
    /// How much of the audio that there is it has not been sent.
    package var lag: Duration
    package var skips: Int
}

extension Mount {
    package var snapshot: MountSnapshot {
        let listeners = wheel.all.map(snapshot)
        return MountSnapshot(
            path: path, name: title, title: hub?.title?.text, format: wire?.format, listeners: listeners,
            peak: statistics.peak, joins: statistics.joins,
            bytes: listeners.reduce(statistics.bytesOfPast) { $0 + $1.bytes },
            skips: listeners.reduce(statistics.skipsOfPast) { $0 + $1.skips })
    }

    private func snapshot(_ listener: Listener) -> ListenerSnapshot {
        ListenerSnapshot(
            peer: listener.peer, agent: listener.agent, age: reactor.now - listener.since,
            bytes: listener.bytesSent, lag: wire?.ring.lag(of: listener.place.cursor) ?? .zero,
            skips: Int(listener.skips))
    }
}
