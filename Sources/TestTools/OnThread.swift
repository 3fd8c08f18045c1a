// SPDX-License-Identifier: MIT

import Platform

/// Runs blocking work on a separate thread and returns its result.
///
/// Tests share a pool with one thread per core. A test that waits for a process must not occupy one of them, or tests
/// would run one after another.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        startThread("test-blocking") {
            continuation.resume(with: Swift.Result(catching: body))
        }
    }
}

/// Starts a detached thread with a stack as large as that of a main thread. The name may have at most 15 bytes.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    do throws(SystemError) {
        try WorkerThread.start(name: name, stackSize: 8 << 20, body)
    } catch {
        // Without the thread, the work would never be done, and its waiters would wait forever.
        preconditionFailure("no thread: \(error)")
    }
}
