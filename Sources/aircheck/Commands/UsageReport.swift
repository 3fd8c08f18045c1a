// SPDX-License-Identifier: MIT

import Engine
import RadioCore
import RadioFormats

/// What `--json` prints where the command line is wrong: the object that the command would have printed, with the
/// error.
enum UsageReport {
    /// `command` is the name of the command as it was given; the report of `record` where that is none.
    static func object(_ failure: Failure, command: String?) -> JSONValue {
        switch command {
        case "relay": .object(RelayReport.object(MountOutcome(failure: failure), urls: []))
        case "probe": ProbeReport.json(ProbeResult(failure: failure), address: "")
        default: .object(ReportJSON.object(RecordingOutcome(failure: failure)))
        }
    }
}
