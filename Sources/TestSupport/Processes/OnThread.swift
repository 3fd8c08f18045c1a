// SPDX-License-Identifier: MIT

import CLinux
import Glibc

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

/// Starts a detached thread; the name may have 15 bytes.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(
        Work {
            ac_name_thread(name)
            body()
        })
    let failure = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, work.toOpaque())
    // Nobody would ever do the work, and who waits for it would wait for ever.
    precondition(failure == 0, "no thread: error \(failure)")
    pthread_detach(thread)
}

/// What a thread is to do, as an object that a C pointer can hold.
private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}
