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
        var object = JSONObject()
        object.append("path", .string(mount.path))
        object.append("name", .string(mount.name))
        object.append("state", .string(mount.state.rawValue))
        object.append("since", .string(CivilTime(mount.stateSince, utcOffset: 0).rfc3339))
        object.append("on_demand", .bool(mount.isOnDemand))
        object.append("title", mount.title.map { .string($0) } ?? .null)
        object.append("content_type", mount.format.map { .string($0.fileType.contentType) } ?? .null)
        object.append("sample_rate", mount.format.map { .integer(Int64($0.playedSampleRate)) } ?? .null)
        object.append("channels", mount.format.map { .integer(Int64($0.channels)) } ?? .null)
        object.append("listeners", .integer(Int64(mount.listeners)))
        object.append("listener_peak", .integer(Int64(mount.peak)))
        object.append("listeners_total", .integer(Int64(mount.joins)))
        object.append("bytes", .integer(mount.bytes))
        object.append("skips", .integer(Int64(mount.skips)))
        if let listeners { object.append("listener_list", .array(listeners.map(json))) }
        return .object(object)
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
