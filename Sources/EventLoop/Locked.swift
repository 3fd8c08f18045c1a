// SPDX-License-Identifier: MIT

import Glibc

/// A value protected by a `pthread_mutex_t`.
///
/// `Synchronization.Mutex` is unsuitable for an inbox: on Linux it hands the lock over through the kernel in strict
/// order, so that threads posting simultaneously pay two context switches per post (measured: 35 µs each with 8
/// threads, against 0.2 µs here).
///
/// Sendable, unchecked, although `State` need not be. Proof: `state` is accessed only inside `withLock`, by a single
/// thread at a time; arguments and results are Sendable or sent.
final class Locked<State>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var state: State

    init(_ state: sending State) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        self.state = state
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the lock held; `body` must not lock it again.
    func withLock<Result>(_ body: (inout State) -> sending Result) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }
}
