// SPDX-License-Identifier: MIT

import Glibc
package import TestTools

/// A D-Bus message bus like that of a desktop session, with its socket in a temporary folder. Runs as long as the
/// object exists, or until ``kill()``.
package final class SessionBus: Sendable {
    /// The address of the bus, in the form of `DBUS_SESSION_BUS_ADDRESS`.
    package let address: String
    private let process: ChildProcess
    private let folder: TemporaryFolder

    /// Starts the bus and waits until it listens. `folder` is the folder of a previous bus, whose socket the new bus
    /// replaces; if it is nil, the new bus gets a folder of its own.
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

    /// Kills the bus, like a crash, and waits until it has ended.
    package func kill() throws {
        process.kill()
        _ = try process.wait(within: .seconds(20))
    }

    /// Sends a signal to the bus.
    package func signal(_ number: CInt) { process.signal(number) }

    /// Starts a program that uses this bus as its session bus.
    package func start(_ tool: Tool, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(tool, arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": address], holding: folder)
    }

    /// Runs a program until it ends. Returns its output, then its error output, without empty lines.
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
