// SPDX-License-Identifier: MIT

import Glibc

/// A counting semaphore (`sem_t`): `notify` never blocks and may come from any thread.
///
/// Sendable, unchecked. Proof: the one stored pointer is a constant, and POSIX makes `sem_post` and `sem_wait` safe
/// from any thread on the same semaphore; it is destroyed only when nobody holds this object any more.
final class Signal: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func notify() { sem_post(semaphore) }

    func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
