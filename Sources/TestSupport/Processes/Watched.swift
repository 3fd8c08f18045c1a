// SPDX-License-Identifier: MIT

import Glibc

/// A value behind a lock that threads can wait on: the one primitive under everything here that blocks.
///
/// Waiting is on a condition variable of the monotonic clock, never by asking again and again.
package final class Watched<State: Sendable>: @unchecked Sendable {
    // Proof: `state` is touched only between `pthread_mutex_lock` and `pthread_mutex_unlock` of `mutex`, in `change`
    // and `wait`; the two pointers never change and are freed when nobody holds the object any more.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    package init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// A copy of the value.
    package var value: State { change { $0 } }

    /// Runs `body` with the lock held and wakes everybody who waits.
    package func change<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Waits until `body` returns something, asking after each change; nil where that did not happen in time.
    ///
    /// Blocks the calling thread. `body` runs with the lock held.
    package func wait<Result>(within limit: Duration, for body: (inout State) -> Result?) -> Result? {
        var deadline = Deadline(after: limit).time
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            if pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT { return body(&state) }
        }
    }
}
