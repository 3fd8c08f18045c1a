// SPDX-License-Identifier: MIT

import Instants

/// How a process ended, and what it left.
package struct SubprocessEnd: Hashable, Sendable {
    package enum Ending: Hashable, Sendable {
        case exited(CInt)
        case signalled(CInt)
    }

    /// What came out of a stream: its first bytes, as many as were to be kept, and how many there were.
    package struct Captured: Hashable, Sendable {
        package var bytes: [UInt8] = []
        package var count: Int64 = 0
    }

    package var ending: Ending
    /// Whether its deadline had passed, and it was ended for that.
    package var wasTooSlow: Bool
    package var output: Captured
    package var errors: Captured
    /// CPU time of user and system together, its own and that of its children.
    package var processorTime: Duration
}

/// A program that runs beside us: kept within its limits, ended with its deadline, with this object, and with this
/// process, and waited for.
///
/// Each has a thread, which starts it, reads what is captured, keeps the deadline and waits for the end; so nothing here
/// needs a loop, or a handler of SIGCHLD. Signals go to the program's process group: what it has started is ended with
/// it, also where it ends by itself. Where this process is killed the kernel kills the program, but not what that has
/// started.
///
/// Sendable; no method blocks.
package final class Subprocess: Sendable {
    private let wishes: SubprocessWishes

    /// Starts a program some time soon. `onEnd` is called once, on the thread of the process: with its end, or with why
    /// it could not be started.
    package convenience init(
        _ command: Command, onEnd: @escaping @Sendable (Result<SubprocessEnd, StartError>) -> Void
    ) throws(SystemError) {
        try self.init(command, hasProcessDescriptors: true, onEnd: onEnd)
    }

    /// The same on a kernel that has no descriptors of processes.
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

    /// Asks the program to end (SIGTERM), and kills it after its grace.
    package func terminate() { wishes.toEnd.raise() }

    /// Ends the program at once (SIGKILL).
    package func kill() { wishes.toKill.raise() }

    private static let stackSize = 256 << 10
}

/// What is wanted of a process that runs. Thread-safe.
struct SubprocessWishes: Sendable {
    let toEnd: StopFlag
    let toKill: StopFlag

    init() throws(SystemError) {
        toEnd = try StopFlag()
        toKill = try StopFlag()
    }

    var order: Patience.Order? { toKill.isRaised ? .kill : toEnd.isRaised ? .ask : nil }
}
