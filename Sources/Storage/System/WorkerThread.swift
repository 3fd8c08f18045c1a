// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// A thread of our own for work that blocks. `pthread_create`.
///
/// All signals are blocked in it: they belong to the loop, and a full pipe or a file-size limit is to be an error of
/// the call (EPIPE, EFBIG) rather than the death of the process.
package enum WorkerThread {
    /// Starts a thread that runs `body` once. Nobody joins the thread. It keeps alive whatever `body` holds. The name
    /// is for tools that list threads, at most 15 bytes.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)

        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let result = pthread_create(&thread, &attributes, runThread, start.toOpaque())
        guard result == 0 else {
            start.release()
            throw SystemError(number: result)
        }
    }

    fileprivate final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private static let stackSize = 512 * 1024
}

/// The entry of a worker thread.
private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let start = Unmanaged<WorkerThread.Start>.fromOpaque(context).takeRetainedValue()
    ac_name_thread(start.name)
    start.body()
    return nil
}
