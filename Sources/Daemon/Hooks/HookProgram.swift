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
    /// Whether another attempt may succeed, because the network was the cause, or something that is busy.
    var isWorthRepeating = false

    /// The exit status of a program that asks to be run again later, such as a `sendmail` whose queue is full
    /// (`EX_TEMPFAIL` in `sysexits.h`).
    private static let tryAgain: Int32 = 75

    static let done = HookOutcome()

    static func failed(_ why: String, isWorthRepeating: Bool = false) -> HookOutcome {
        HookOutcome(failure: why, isWorthRepeating: isWorthRepeating)
    }
}

extension HookOutcome {
    init(_ result: Result<SubprocessEnd, StartError>, deadline: Duration) {
        let outcome = ProgramOutcome(result, deadline: deadline)
        (failure, output) = (outcome.failure, outcome.output)
        if case .success(let end) = result, case .exited(Self.tryAgain) = end.ending { isWorthRepeating = true }
    }
}
