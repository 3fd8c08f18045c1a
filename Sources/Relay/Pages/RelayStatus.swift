// SPDX-License-Identifier: MIT

import Instants
import RadioCore
package import RadioFormats

/// The state of a relay as JSON, for `/status.json` and the final report.
package enum RelayStatus {
    static func json(
        _ server: String, _ started: WallInstant, _ mounts: [MountSnapshot], listeners: [[ListenerSnapshot]]?
    ) -> JSONValue {
        .object([
            "server": server, "started": started,
            "mounts": mounts.indices.map { json(mounts[$0], listeners: listeners?[$0]) },
        ])
    }

    /// The members for a mount; lists the listeners only if they are given.
    package static func json(_ mount: MountSnapshot, listeners: [ListenerSnapshot]?) -> JSONValue {
        .object([
            "path": mount.path, "name": mount.name, "state": mount.state.rawValue, "since": mount.stateSince,
            "on_demand": mount.isOnDemand, "title": mount.title, "content_type": mount.format?.fileType.contentType,
            "sample_rate": mount.format?.playedSampleRate, "channels": mount.format?.channels,
            "listeners": mount.listeners, "listener_peak": mount.peak, "listeners_total": mount.joins,
            "bytes": mount.bytes, "skips": mount.skips, "listener_list": listeners.map { $0.map(json) }.ifKnown,
        ])
    }

    private static func json(_ listener: ListenerSnapshot) -> JSONValue {
        .object([
            "address": "\(listener.client)", "user_agent": listener.agent, "since": listener.since,
            "seconds": listener.age.components.seconds, "bytes": listener.bytes, "lag": listener.lag,
            "skips": listener.skips,
        ])
    }
}
