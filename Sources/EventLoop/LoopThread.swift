// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// The thread that a loop runs on, if it runs. Every isolation check compares the current thread with it.
final class LoopThread: Sendable {
    /// A `pthread_t`; 0, which no thread has, while the loop does not run.
    private let identity = Atomic<UInt>(0)

    /// Whether the caller is on the loop's thread. Relaxed order suffices: a thread always sees its own writes, and no
    /// other thread can have stored the caller's identity.
    var isCurrent: Bool { identity.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Makes the calling thread the loop's thread.
    func adopt() { identity.store(UInt(pthread_self()), ordering: .relaxed) }

    /// Reverts ``adopt()``, so that a later thread with the same identity is not mistaken for the loop's thread.
    func leave() { identity.store(0, ordering: .relaxed) }
}
