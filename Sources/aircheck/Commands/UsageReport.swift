// SPDX-License-Identifier: MIT

import Engine
import RadioCore
import RadioFormats

/// The output of `--json` for a wrong command line: the command's report, with the error.
enum UsageReport {
    /// `arguments` excludes the program's name. `relay`, `play`, `probe` and `record` with several stations have their
    /// own reports; all other command lines get the report of a single recording.
    static func object(_ failure: Failure, _ arguments: [String]) -> JSONValue {
        switch arguments.first {
        case "record" where names(in: arguments).count > 1: StationsReport.object([], failure)
        case "relay": .object(RelayReport.object(MountOutcome(failure: failure), urls: []))
        case "play": .object(PlayReport.object(failure))
        case "probe": ProbeReport.json(ProbeResult(failure: failure), address: "")
        default: .object(ReportJSON.object(RecordingOutcome(failure: failure)))
        }
    }

    /// The distinct names given with `--station`, including those of malformed values.
    private static func names(in arguments: [String]) -> Set<Substring> {
        let option = "--station"
        let values = zip(arguments, arguments.dropFirst()).compactMap { $0 == option ? $1 : nil }
        let joined = arguments.filter { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
        return Set((values + joined).map { $0.prefix { $0 != "=" } })
    }
}
