// SPDX-License-Identifier: MIT

import Configuration
import Engine
import Platform

extension Command {
    /// A program that is run for an event.
    ///
    /// Text from strangers, such as a title, appears only in the standard input. Arguments and environment come from
    /// the configuration.
    init(_ path: String, _ arguments: [String], for job: HookJob) {
        self.init(path, arguments)
        environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "AIRCHECK_EVENT": job.event.name.rawValue]
        folder = "/"
        output = .captured(limit: ProgramOutcome.mostOutput)
        errors = .captured(limit: ProgramOutcome.mostOutput)
        deadline = job.settings.deadline
    }
}

/// The result of one attempt to run a hook for an event.
struct HookOutcome: Sendable {
    /// Why the attempt failed; nil if it succeeded.
    var failure: String?
    /// The program's output, as one line that is fit for display.
    var output = ""
    /// Whether another attempt may succeed, because the network was the cause, a server at fault, or something that is
    /// busy.
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
