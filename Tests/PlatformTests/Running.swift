// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestTools

@testable import Platform

extension Command {
    /// A script for the shell.
    static func shell(_ script: String) -> Command {
        var command = Command("/bin/sh", ["-c", script])
        command.environment = ["PATH": "/usr/bin:/bin"]
        command.output = .captured(limit: 10_000)
        command.errors = .captured(limit: 10_000)
        return command
    }

    /// Runs the program to its end, and calls `body` after the start. Blocks the calling thread.
    func run(
        hasProcessDescriptors: Bool = true, _ body: (Subprocess) throws -> Void = { _ in }
    ) throws -> SubprocessEnd {
        let end = Watched<Result<SubprocessEnd, StartError>?>(nil)
        let process = try Subprocess(self, hasProcessDescriptors: hasProcessDescriptors) { result in
            end.change { $0 = result }
        }
        defer { withExtendedLifetime(process) {} }
        try body(process)
        guard let result = end.wait(within: .seconds(60), for: { $0 }) else { throw SetupError("it runs on") }
        return try result.get()
    }
}

extension SubprocessEnd {
    var text: String { String(decoding: output.bytes, as: UTF8.self) }
    var complaint: String { String(decoding: errors.bytes, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// Waits until a process has ended. The process need not be a child of this one, and a zombie counts as ended.
func hasEnded(_ process: pid_t) -> Bool {
    waitUntil(.seconds(30)) {
        guard let status = try? bytes(ofFile: "/proc/\(process)/stat") else { return true }
        return String(decoding: status, as: UTF8.self).contains(") Z ")
    }
}
