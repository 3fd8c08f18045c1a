// SPDX-License-Identifier: MIT

import Instants
import RadioCore
package import RadioFormats

/// The state of a relay as JSON, for `/status.json` and the final report.
package enum RelayStatus {
    static func json(
        _ server: String, _ started: WallInstant, _ mounts: [MountSnapshot], listeners: [[ListenerSnapshot]]?
    ) -> JSONValue {
        [
            "server": .string(server), "started": .string(CivilTime(started, utcOffset: 0).rfc3339),
            "mounts": .array(mounts.indices.map { json(mounts[$0], listeners: listeners?[$0]) }),
        ]
    }

    /// The members for a mount; lists the listeners only if they are given.
    package static func json(_ mount: MountSnapshot, listeners: [ListenerSnapshot]?) -> JSONValue {
        [
            "path": .string(mount.path), "name": .string(mount.name), "state": .string(mount.state.rawValue),
            "since": .string(CivilTime(mount.stateSince, utcOffset: 0).rfc3339), "on_demand": .bool(mount.isOnDemand),
            "title": JSONValue(mount.title), "content_type": JSONValue(mount.format?.fileType.contentType),
            "sample_rate": JSONValue(mount.format?.playedSampleRate), "channels": JSONValue(mount.format?.channels),
            "listeners": JSONValue(mount.listeners), "listener_peak": JSONValue(mount.peak),
            "listeners_total": JSONValue(mount.joins), "bytes": .integer(mount.bytes), "skips": JSONValue(mount.skips),
            "listener_list": listeners.map { .array($0.map(json)) },
        ]
    }

    private static func json(_ listener: ListenerSnapshot) -> JSONValue {
        [
            "address": .string("\(listener.client)"), "user_agent": .string(listener.agent),
            "since": .string(CivilTime(listener.since, utcOffset: 0).rfc3339),
            "seconds": .integer(listener.age.components.seconds), "bytes": .integer(listener.bytes),
            "lag": .number((listener.lag.inSeconds * 1000).rounded() / 1000), "skips": .integer(Int64(listener.skips)),
        ]
    }
}
