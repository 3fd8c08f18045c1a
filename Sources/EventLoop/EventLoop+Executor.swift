// SPDX-License-Identifier: MIT

/// The loop as an executor of actors. It is not also a `TaskExecutor`: a single type must not be both.
extension EventLoop {
    package func enqueue(_ job: consuming ExecutorJob) {
        put(.job(UnownedJob(job)))
    }

    /// Always the same identity: the runtime compares it to find that no hop is needed. The reference is unowned, so an
    /// actor on the loop must retain the loop in a stored property.
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Makes `assumeIsolated` succeed in plain callbacks of the loop, which the runtime does not know.
    package func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    package func checkIsolated() { preconditionOnLoop() }
}
