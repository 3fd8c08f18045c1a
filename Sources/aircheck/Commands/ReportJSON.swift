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
        object.append("reconnects", .integer(Int64(outcome.reconnects)))
        object.append("hedges", .integer(Int64(outcome.hedges)))
        object.append("skipped_bytes", .integer(outcome.skipped.reduce(0) { $0 + $1.bytes }))
        object.append("damaged_places", .integer(outcome.damage.places))
        object.append("wrong_checksums", .integer(outcome.wrongChecksums))
        object.append("clock_drift_ppm", JSONValue(partsPerMillion: outcome.drift))
        if let entry = outcome.station?.entryJSON { object.append("entry", entry) }
        if let exec = outcome.exec { object.append("exec", exec.json) }
        object.append("error", outcome.failure.map(error) ?? .null)
        return object
    }

    static func error(_ failure: Failure) -> JSONValue {
        .object([
            "class": failure.failureClass.rawValue, "message": failure.message,
            "remedy": failure.asEnd.naming(\.option).remedy,
        ])
    }
}
