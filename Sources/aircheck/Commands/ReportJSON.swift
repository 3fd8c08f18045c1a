// SPDX-License-Identifier: MIT

import Engine
import RadioCore
import RadioFormats
import Recorder
import Stations

/// The object that `record --json` prints. Its members are fixed; new members may be added.
enum ReportJSON {
    static func object(_ outcome: RecordingOutcome) -> JSONObject {
        var object = outcome.report.json
        object.append([
            "reconnects": outcome.reconnects, "hedges": outcome.hedges,
            "skipped_bytes": outcome.skipped.reduce(0) { $0 + $1.bytes }, "damaged_places": outcome.damage.places,
            "wrong_checksums": outcome.wrongChecksums, "clock_drift_ppm": JSONValue(partsPerMillion: outcome.drift),
            "entry": (outcome.station?.entryJSON).ifKnown, "exec": (outcome.exec?.json).ifKnown,
            "error": outcome.failure.map(error),
        ])
        return object
    }

    static func error(_ failure: Failure) -> JSONValue {
        .object([
            "class": failure.failureClass.rawValue, "message": failure.message,
            "remedy": failure.asEnd.naming(\.option).remedy,
        ])
    }
}
