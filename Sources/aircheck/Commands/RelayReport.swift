// SPDX-License-Identifier: MIT

import Engine
import RadioFormats
import Relay

/// The object that `relay --json` prints. Its members are fixed; new members may be added.
enum RelayReport {
    static func object(_ outcome: MountOutcome, urls: [String]) -> JSONObject {
        [
            "urls": urls, "seconds": outcome.elapsed,
            "mount": outcome.mount.map { RelayStatus.json($0, listeners: outcome.listeners) },
            "reconnects": outcome.reconnects, "hedges": outcome.hedges, "error": outcome.failure.map(ReportJSON.error),
        ]
    }
}
