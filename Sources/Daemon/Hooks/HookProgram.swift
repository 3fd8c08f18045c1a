// SPDX-License-Identifier: MIT

import Configuration
import Engine
import Platform

/// A program that is run for an event, with its input.
///
/// Text from strangers, such as a title, appears only in the standard input. Arguments and environment come from the
/// configuration.
struct HookProgram {
    let command: Command
    let input: [UInt8]

    init(_ path: String, _ arguments: [String], input: [UInt8], for job: HookJob) {
        var command = Command(path, arguments)
        command.environment = [
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "AIRCHECK_EVENT": job.event.kind.rawValue,
        ]
        command.folder = "/"
        command.output = .captured(limit: ProgramOutcome.mostOutput)
        command.errors = .captured(limit: ProgramOutcome.mostOutput)
        command.deadline = job.settings.deadline
        self.command = command
        self.input = input
    }
}

/// The result of one attempt to run a hook for an event.
struct HookOutcome: Sendable {
    /// Why the attempt failed; nil if it succeeded.
    var failure: String?
    /// The program's output, as one line that is fit for display.
    var output = ""
    /// Whether the network was the cause, so that a second attempt may succeed.
    var isWorthRepeating = false

    static let done = HookOutcome()

    static func failed(_ why: String, isWorthRepeating: Bool = false) -> HookOutcome {
        HookOutcome(failure: why, isWorthRepeating: isWorthRepeating)
    }
}

extension HookOutcome {
    init(_ result: Result<SubprocessEnd, StartError>, deadline: Duration) {
        let outcome = ProgramOutcome(result, deadline: deadline)
        (failure, output) = (outcome.failure, outcome.output)
    }
}
