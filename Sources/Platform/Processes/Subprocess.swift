// SPDX-License-Identifier: MIT

/// How a process ended, and its output.
package struct SubprocessEnd: Hashable, Sendable {
    package enum Ending: Hashable, Sendable {
        case exited(CInt)
        case signalled(CInt)
    }

    /// A captured stream: its first bytes up to the limit, and its total length.
    package struct Captured: Hashable, Sendable {
        package var bytes: [UInt8] = []
        package var count: Int64 = 0
    }

    package var ending: Ending
    /// Whether the process was ended because its deadline had passed.
    package var wasTooSlow: Bool
    package var output: Captured
    package var errors: Captured
    /// User and system CPU time of the process and its children.
    package var processorTime: Duration
}

/// A program that runs alongside this process. It is kept within its limits, ended at its deadline or together with
/// this object or this process, and waited for.
///
/// Each program has a thread that starts it, reads captured output, keeps the deadline and waits for the end, so
/// nothing here needs a loop or a SIGCHLD handler. Signals go to the program's process group, so processes that the
/// program has started end with it, even if it ends by itself. These processes also end with this process, unless this
/// process is killed: then the kernel kills the program alone.
///
/// Sendable; no method blocks.
package final class Subprocess: Sendable {
    private let mustDie: StopFlag

    /// Starts a program soon. Calls `onEnd` once, on the program's thread, with the program's end or with the error
    /// that prevented its start.
    package convenience init(
        _ command: Command, onEnd: @escaping @Sendable (Result<SubprocessEnd, StartError>) -> Void
    ) throws(SystemError) {
        try self.init(command, hasProcessDescriptors: true, onEnd: onEnd)
    }

    /// Starts a program that reads `input` on its standard input, which needs no writer: see ``Descriptor/memory(_:)``.
    /// Calls `onEnd` as for any other program.
    package convenience init(
        _ command: Command, input: [UInt8],
        onEnd: @escaping @Sendable (Result<SubprocessEnd, StartError>) -> Void
    ) throws(SystemError) {
        let file = try Descriptor.memory(input)
        var command = command
        command.input = file.number
        try self.init(command) { result in withExtendedLifetime(file) { onEnd(result) } }
    }

    /// `hasProcessDescriptors`: false to act as on a kernel without process descriptors.
    init(
        _ command: Command, hasProcessDescriptors: Bool,
        onEnd: @escaping @Sendable (Result<SubprocessEnd, StartError>) -> Void
    ) throws(SystemError) {
        let mustDie = try StopFlag()
        self.mustDie = mustDie
        try WorkerThread.start(name: "subprocess", stackSize: Self.stackSize) {
            onEnd(
                Result { () throws(StartError) in
                    try SubprocessRun(command).finish(mustDie, hasProcessDescriptors: hasProcessDescriptors)
                })
        }
    }

    deinit { kill() }

    /// Kills the program at once (SIGKILL).
    package func kill() { mustDie.raise() }

    private static let stackSize = 256 << 10
}
