// SPDX-License-Identifier: MIT

import Instants

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
    private let wishes: SubprocessWishes

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
        let wishes = try SubprocessWishes()
        self.wishes = wishes
        try WorkerThread.start(name: "subprocess", stackSize: Self.stackSize) {
            onEnd(
                Result { () throws(StartError) in
                    try SubprocessRun(command).finish(wishes, hasProcessDescriptors: hasProcessDescriptors)
                })
        }
    }

    deinit { kill() }

    /// Asks the program to end (SIGTERM), and kills it after its grace period.
    package func terminate() { wishes.toEnd.raise() }

    /// Kills the program at once (SIGKILL).
    package func kill() { wishes.toKill.raise() }

    private static let stackSize = 256 << 10
}

/// The orders for a running process. Thread-safe.
struct SubprocessWishes: Sendable {
    let toEnd: StopFlag
    let toKill: StopFlag

    init() throws(SystemError) {
        toEnd = try StopFlag()
        toKill = try StopFlag()
    }

    var order: EndOrders.Order? { toKill.isRaised ? .kill : toEnd.isRaised ? .ask : nil }

    /// The descriptors to poll for orders stronger than `order`, which is the order read before. Descriptors that need
    /// no poll are −1, which `poll` ignores. An order that was given since `order` was read wakes the poll.
    func descriptors(beyond order: EndOrders.Order?) -> [CInt] {
        [order == nil ? toEnd.descriptor : -1, order == .kill ? -1 : toKill.descriptor]
    }
}
