// SPDX-License-Identifier: MIT

/// The loop as an executor of actors. Not a `TaskExecutor` too: one type must not be both.
extension EventLoop {
    package func enqueue(_ job: consuming ExecutorJob) {
        put(.job(UnownedJob(job)))
    }

    /// One identity, always: the runtime compares it to see that no hop is needed. The reference is unowned, so an
    /// actor on the loop keeps the loop in a stored property.
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Lets `assumeIsolated` succeed in a bare callback of the loop, of which the runtime knows nothing.
    package func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    package func checkIsolated() { preconditionOnLoop() }
}
