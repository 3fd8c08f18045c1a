// SPDX-License-Identifier: MIT

import CLinux
import Glibc
package import Instants

/// A thread for blocking work (`pthread_create`).
///
/// All signals are blocked in it: they belong to the loop, and a full pipe or a file-size limit should be an error of
/// the call (EPIPE, EFBIG) instead of killing the process.
///
/// The thread has no means of its own to end the work. To shut it down, first make the work end in the way that the
/// work provides, and then either wait with ``join(until:)`` or abandon the thread: a thread in a hanging disk call
/// hangs for as long as the disk does.
package final class WorkerThread: Sendable {
    private let hasEnded = Monitor(false)

    private init() {}

    /// Starts a thread that runs `body` once, retaining it meanwhile. `name` is for tools that list threads, which show
    /// 15 bytes of it. `isPatient`: whether all other threads come first, as before the processes that it starts.
    @discardableResult
    package static func start(
        name: String, stackSize: Int = 512 << 10, isPatient: Bool = false, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) -> WorkerThread {
        let thread = WorkerThread()
        let hasEnded = thread.hasEnded
        try create(
            stackSize,
            Work {
                ac_name_thread(name)
                // On Linux, this changes the calling thread alone.
                if isPatient { _ = nice(19) }
                body()
                hasEnded.withLock { $0 = true }
                hasEnded.signal()
            })
        return thread
    }

    /// Blocks until the work has ended, or until the deadline, if there is one. Returns whether the work has ended.
    package func join(until deadline: MonotonicInstant?) -> Bool {
        hasEnded.wait(until: deadline) { $0 ? true : nil } ?? false
    }

    private static func create(_ stackSize: Int, _ work: Work) throws(SystemError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)

        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let context = Unmanaged.passRetained(work)
        var thread = pthread_t()
        let result = pthread_create(&thread, &attributes, runWork, context.toOpaque())
        guard result == 0 else {
            context.release()
            throw SystemError(number: result)
        }
    }

    /// The work of a thread, as an object that a C pointer can hold.
    fileprivate final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}

/// The entry point of a worker thread.
private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<WorkerThread.Work>.fromOpaque(context).takeRetainedValue().body()
    return nil
}
