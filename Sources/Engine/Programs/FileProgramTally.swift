// SPDX-License-Identifier: MIT

package import RadioFormats

/// What became of the programs that were run for the files of a recording.
package struct FileProgramTally: Hashable, Sendable {
    package struct FailedRun: Hashable, Sendable {
        package var file: String
        package var message: String

        package init(file: String, message: String) {
            self.file = file
            self.message = message
        }
    }

    /// The number of files, also of earlier runs, for which the program was run, or should have been run.
    package var runs = 0
    /// How many of these runs failed.
    package private(set) var failed = 0
    /// The newest failures.
    package private(set) var failures: [FailedRun] = []

    /// The most failures that are kept.
    package static let mostFailures = 100

    package mutating func note(_ failure: FailedRun) {
        failed += 1
        if failures.count == Self.mostFailures { failures.removeFirst() }
        failures.append(failure)
    }

    /// The member of the report that `--json` prints.
    package var json: JSONValue {
        let list: [JSONObject] = failures.map { ["file": $0.file, "message": $0.message] }
        return .object(["runs": runs, "failed": failed, "failures": list])
    }
}

/// A notice about the programs that are run for finished files.
package enum FileProgramNotice: Hashable, Sendable {
    case output(file: String, text: String)
    case failed(file: String, why: String)
    /// The recording is over, but this many of its programs still wait or run. The recording waits for them for the
    /// time `atMost`.
    case waiting(Int, atMost: Duration)
}
