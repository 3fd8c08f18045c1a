// SPDX-License-Identifier: MIT

import Glibc

/// A message bus like that of a desktop's session, with its socket in a temporary folder. Runs as long as the object
/// does, or until ``kill()``.
package final class SessionBus: Sendable {
    /// Where it listens, as `DBUS_SESSION_BUS_ADDRESS` has it.
    package let address: String
    private let process: ChildProcess
    private let folder: TemporaryFolder

    /// Starts it and waits until it listens. `folder` keeps the socket of a former one, in whose place it comes.
    package init(in folder: TemporaryFolder? = nil) throws {
        self.folder = try folder ?? TemporaryFolder("aircheck-bus")
        let path = self.folder.file("socket")
        unlink(path)
        address = "unix:path=\(path)"
        process = try ChildProcess(
            .dbusDaemon, ["--session", "--nofork", "--nopidfile", "--address=\(address)", "--print-address"])
        let process = process
        let listens = waitUntil(.seconds(20)) { !process.isRunning || !process.outputSoFar.isEmpty }
        guard listens, process.isRunning else {
            throw SetupError("the message bus does not start:\n\(process.errorSoFar)")
        }
    }

    /// Ends it as a crash does, and waits for that.
    package func kill() throws {
        process.kill()
        _ = try process.wait(within: .seconds(20))
    }

    /// Sends it a signal.
    package func signal(_ number: CInt) { process.signal(number) }

    /// Starts a program that finds this bus as that of its session.
    package func start(_ tool: Tool, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(tool, arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": address], holding: folder)
    }

    /// Runs a program to its end: what it says, without blanks around it.
    package func ask(_ tool: Tool, _ arguments: [String]) async throws -> String {
        let outcome = try await start(tool, arguments).outcome(within: .seconds(20))
        let text = outcome.text + outcome.standardError
        return text.trimmed
    }
}

extension String {
    fileprivate var trimmed: String {
        let words = split(separator: "\n", omittingEmptySubsequences: true)
        return words.joined(separator: "\n")
    }
}
