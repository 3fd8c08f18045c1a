// SPDX-License-Identifier: MIT

import Configuration
import Platform
import RadioCore
import RadioFormats

/// A program that is run for an event, with its input. A value.
///
/// Text from strangers, such as a title, appears only in the standard input. Arguments and environment come from the
/// configuration.
struct HookProgram {
    let command: Command
    let input: [UInt8]

    /// The most bytes that are kept of a program's output.
    static let mostOutput = 4096

    init(_ path: String, _ arguments: [String], input: [UInt8], for job: HookJob) {
        var command = Command(path, arguments)
        command.environment = [
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "AIRCHECK_EVENT": job.event.kind.rawValue,
        ]
        command.folder = "/"
        command.output = .captured(limit: Self.mostOutput)
        command.errors = .captured(limit: Self.mostOutput)
        command.deadline = job.settings.deadline
        self.command = command
        self.input = input
    }
}

/// The result of one attempt to run a hook for an event. A value.
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
        switch result {
        case .failure(let error): self = .failed("\(error)")
        case .success(let end):
            failure = Self.failure(end, deadline: deadline)
            let bytes = end.output.bytes + (end.output.bytes.isEmpty ? [] : [0x0A]) + end.errors.bytes
            output = TitleText.cleaned(String(decoding: bytes, as: UTF8.self), toBytes: HookProgram.mostOutput)
        }
    }

    private static func failure(_ end: SubprocessEnd, deadline: Duration) -> String? {
        if end.wasTooSlow { return "it took longer than \(HumanDuration.print(deadline)), and was ended" }
        return switch end.ending {
        case .exited(0): nil
        case .exited(let status): "it ended with exit status \(status)"
        case .signalled(let number): "it was ended by signal \(number)"
        }
    }
}
