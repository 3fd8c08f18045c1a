// SPDX-License-Identifier: MIT

import Glibc
package import Instants

/// A value protected by a mutex, with a condition to wait on: `pthread_mutex_t` and `pthread_cond_t`.
///
/// Sendable, unchecked. Proof: `value` is accessed only in ``withLock(_:)`` and ``wait(until:_:)``, with the mutex
/// held. Both C objects are initialised before the monitor can be shared, never move, and are destroyed when nothing
/// references the monitor any more.
package final class Monitor<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value. `body` must not block and must not enter a monitor.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Sets the value, and returns the one before.
    package func exchange(for new: Value) -> Value {
        withLock { value in
            defer { value = new }
            return value
        }
    }

    /// Wakes all waiting threads.
    package func signal() {
        pthread_cond_broadcast(condition)
    }

    /// Calls `body` until it returns a value, and blocks for a signal between calls. At the deadline, on the monotonic
    /// clock, calls `body` one last time, and returns nil if it still returns no value.
    package func wait<Result>(until deadline: MonotonicInstant?, _ body: (inout Value) -> Result?) -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            guard let deadline else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            let (seconds, nanoseconds) = max(0, deadline.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
            var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
            if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { return body(&value) }
        }
    }
}
