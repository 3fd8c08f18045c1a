// SPDX-License-Identifier: MIT

import Engine
import RadioCore
import RadioFormats

/// What `--json` prints where the command line is wrong: the object that the command would have printed, with the
/// error.
enum UsageReport {
    /// `arguments` are those of the process, without its own name; the report of a single `record` where they begin
    /// with no command.
    static func object(_ failure: Failure, _ arguments: [String]) -> JSONValue {
        switch arguments.first {
        case "record" where names(in: arguments).count > 1: StationsReport.object([], failure)
        case "relay": .object(RelayReport.object(MountOutcome(failure: failure), urls: []))
        case "probe": ProbeReport.json(ProbeResult(failure: failure), address: "")
        default: .object(ReportJSON.object(RecordingOutcome(failure: failure)))
        }
    }

    /// The different names that are given to stations, whatever else is wrong with these.
    private static func names(in arguments: [String]) -> Set<Substring> {
        let option = "--station"
        let values = zip(arguments, arguments.dropFirst()).compactMap { $0 == option ? $1 : nil }
        let joined = arguments.filter { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
        return Set((values + joined).map { $0.prefix { $0 != "=" } })
    }
}
