// SPDX-License-Identifier: MIT

import Engine
import Instants
import RadioFormats
import Relay

/// The object that `relay --json` prints. Its members are fixed; new members may be added.
enum RelayReport {
    static func object(_ outcome: MountOutcome, urls: [String]) -> JSONObject {
        var object = JSONObject()
        object.append("urls", .array(urls.map { .string($0) }))
        object.append("seconds", .seconds(outcome.elapsed.inSeconds))
        object.append("mount", outcome.mount.map { RelayStatus.json($0, listeners: outcome.listeners) } ?? .null)
        object.append("reconnects", .integer(Int64(outcome.reconnects)))
        object.append("hedges", .integer(Int64(outcome.hedges)))
        object.append("error", outcome.failure.map(ReportJSON.error) ?? .null)
        return object
    }
}
