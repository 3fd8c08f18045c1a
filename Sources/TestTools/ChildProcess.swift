// SPDX-License-Identifier: MIT

package import Glibc
package import Instants

/// A program started by a test. It has its own process group, its output goes to files, and it is killed at the latest
/// when the object is released. All methods may be called from any thread.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Ending: Hashable, Sendable {
        case exited(CInt)
        case signalled(CInt)
    }

    /// The outcome of a process that has ended.
    package struct Outcome: Sendable {
        package let ending: Ending
        package let standardOutput: [UInt8]
        package let standardError: String
        /// The user and system CPU time in seconds.
        package let processorSeconds: Double
        /// The peak resident memory in bytes. It is never less than the memory of the process that started this one,
        /// because Linux includes the time before the program was loaded. See ``ChildProcess/peakMemorySoFar``.
        package let peakMemory: Int
        /// The instant at which the process ended.
        package let endedAt: MonotonicInstant

        /// The standard output as text.
        package var text: String { String(decoding: standardOutput, as: UTF8.self) }
        /// Whether the process exited with status 0.
        package var succeeded: Bool { ending == .exited(0) }
    }

    package let pid: pid_t
    private let name: String
    private let folder: TemporaryFolder
    private let held: (any Sendable)?
    private let end = Watched<End?>(nil)

    /// What the kernel reports about a process that has ended.
    struct End: Sendable {
        let ending: Ending
        let processorSeconds: Double
        let peakMemory: Int
        let at: MonotonicInstant
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the program.
    ///   - arguments: Its arguments, without the program name.
    ///   - environment: Variables to set in addition to the inherited ones.
    ///   - directory: Its working directory; nil for that of this process.
    ///   - output: A descriptor for its standard output; nil for a file, whose content ``Outcome`` has.
    ///   - held: An object that must exist as long as the process, such as a folder.
    /// - Throws: ``SetupError`` if the program cannot be started.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], directory: String? = nil,
        output: CInt? = nil, holding held: (any Sendable)? = nil
    ) throws {
        self.held = held
        name = String(path.split(separator: "/").last ?? "")
        folder = try TemporaryFolder("aircheck-\(name)")
        pid = try spawn(
            path, arguments, environment: environment, directory: directory, output: output,
            outputPath: folder.file("stdout"), errorPath: folder.file("stderr"))
        // The process is reaped with the lock held, and is signalled only with the lock held and before it is reaped.
        // So no signal can reach an unrelated process that has been given the same ID.
        startThread("test-child") { [pid, end] in
            var information = siginfo_t()
            while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            end.change { $0 = reap(pid) }
        }
    }

    package convenience init(
        _ tool: Tool, _ arguments: [String], environment: [String: String] = [:], directory: String? = nil,
        holding held: (any Sendable)? = nil
    ) throws {
        try self.init(
            try tool.path(), arguments, environment: environment, directory: directory, holding: held)
    }

    deinit {
        kill()
        _ = end.wait(within: .seconds(60)) { $0 }
    }

    package var isRunning: Bool { end.value == nil }

    /// The standard output so far.
    package var outputSoFar: [UInt8] { (try? folder.read("stdout")) ?? [] }

    /// The standard error so far.
    package var errorSoFar: String { String(decoding: (try? folder.read("stderr")) ?? [], as: UTF8.self) }

    /// The peak resident memory so far, in bytes; nil once the process has ended.
    package var peakMemorySoFar: Int? { ProcessStatus(of: pid)?.peakMemory }

    /// Sends a signal to the process, but not to its children. Has no effect once the process has ended.
    package func signal(_ number: CInt) {
        end.change { if $0 == nil { _ = Glibc.kill(pid, number) } }
    }

    /// Asks the process to end (SIGTERM).
    package func terminate() {
        signal(SIGTERM)
    }

    /// Kills the process and all processes in its group (SIGKILL).
    package func kill() {
        end.change { if $0 == nil { _ = Glibc.kill(-pid, SIGKILL) } }
    }

    /// Waits until the process has ended. Blocks the calling thread.
    ///
    /// - Throws: ``SetupError`` on timeout; the process continues to run.
    package func wait(within limit: Duration) throws -> Outcome {
        guard let ended = end.wait(within: limit, for: { $0 }) else {
            throw SetupError("\(name) (pid \(pid)) still runs after \(limit); standard error:\n\(errorSoFar)")
        }
        return Outcome(
            ending: ended.ending, standardOutput: outputSoFar, standardError: errorSoFar,
            processorSeconds: ended.processorSeconds, peakMemory: ended.peakMemory, endedAt: ended.at)
    }

    /// Sends a signal to the process, and waits until it has ended.
    package func outcome(after signal: CInt, within limit: Duration) async throws -> Outcome {
        self.signal(signal)
        return try await outcome(within: limit)
    }

    /// Waits until the process has ended, without blocking the caller's thread.
    package func outcome(within limit: Duration) async throws -> Outcome {
        try await onThread { try self.wait(within: limit) }
    }
}
