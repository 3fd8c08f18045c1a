// SPDX-License-Identifier: MIT

package import Glibc
package import Instants

/// A program that a test started: in a process group of its own, its output in files, ended at the latest with the
/// object. All methods may be called from any thread.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Ending: Hashable, Sendable {
        case exited(CInt)
        case signalled(CInt)
    }

    /// What is left of a process that has ended.
    package struct Outcome: Sendable {
        package let ending: Ending
        package let standardOutput: [UInt8]
        package let standardError: String
        /// CPU time of user and system together, in seconds.
        package let processorSeconds: Double
        /// The most memory that was resident, in bytes. Never less than the memory of the process that started it:
        /// Linux counts what there was before the program was loaded. See ``ChildProcess/peakMemorySoFar``.
        package let peakMemory: Int
        /// When it ended.
        package let endedAt: MonotonicInstant

        /// Standard output as text.
        package var text: String { String(decoding: standardOutput, as: UTF8.self) }
        /// Whether it exited with status 0.
        package var succeeded: Bool { ending == .exited(0) }
    }

    package let pid: pid_t
    private let name: String
    private let folder: TemporaryFolder
    private let held: (any Sendable)?
    private let end = Watched<End?>(nil)

    /// What the kernel says about a process that has ended.
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
    ///   - arguments: Its arguments, without its own name.
    ///   - environment: Variables to set beside those that are inherited.
    ///   - directory: Where it starts; this process's own directory where nil.
    ///   - output: A descriptor that becomes its standard output; a file that ``Outcome`` reads where nil.
    ///   - held: Something that must be there as long as the process, such as a folder.
    /// - Throws: ``SetupError`` where the program cannot be started.
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
        // The process is reaped with the lock held, and signalled only with it held and before that: no
        // signal can reach a stranger that was given the same number.
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

    /// What it has written to standard output so far.
    package var outputSoFar: [UInt8] { (try? folder.read("stdout")) ?? [] }

    /// What it has written to standard error so far.
    package var errorSoFar: String { String(decoding: (try? folder.read("stderr")) ?? [], as: UTF8.self) }

    /// The most memory that was resident so far, in bytes; nil once it has ended.
    package var peakMemorySoFar: Int? { ProcessStatus(of: pid)?.peakMemory }

    /// Sends a signal to the process alone; nothing happens once it has ended.
    package func signal(_ number: CInt) {
        end.change { if $0 == nil { _ = Glibc.kill(pid, number) } }
    }

    /// Asks the process to end (SIGTERM).
    package func terminate() {
        signal(SIGTERM)
    }

    /// Ends the process and whatever it started, at once (SIGKILL to its group).
    package func kill() {
        end.change { if $0 == nil { _ = Glibc.kill(-pid, SIGKILL) } }
    }

    /// Waits for the end. Blocks the calling thread.
    ///
    /// - Throws: ``SetupError`` where it still runs at the end of the limit; it goes on running.
    package func wait(within limit: Duration) throws -> Outcome {
        guard let ended = end.wait(within: limit, for: { $0 }) else {
            throw SetupError("\(name) (pid \(pid)) still runs after \(limit); standard error:\n\(errorSoFar)")
        }
        return Outcome(
            ending: ended.ending, standardOutput: outputSoFar, standardError: errorSoFar,
            processorSeconds: ended.processorSeconds, peakMemory: ended.peakMemory, endedAt: ended.at)
    }

    /// Waits for the end without holding the caller's thread.
    package func outcome(within limit: Duration) async throws -> Outcome {
        try await onThread { try self.wait(within: limit) }
    }
}
