// SPDX-License-Identifier: MIT

import Platform

/// Runs blocking work on a thread of its own and returns what it returned.
///
/// Tests share a pool of as many threads as there are cores; a test that waits for a process must not hold one of
/// them, or the tests run one after another.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        startThread("test-blocking") {
            continuation.resume(with: Swift.Result(catching: body))
        }
    }
}

/// Starts a thread that nobody waits for, with as much stack as a program's first one has; the name may have 15 bytes.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    do throws(SystemError) {
        try WorkerThread.start(name: name, stackSize: 8 << 20, body)
    } catch {
        // Nobody would ever do the work, and who waits for it would wait for ever.
        preconditionFailure("no thread: \(error)")
    }
}
