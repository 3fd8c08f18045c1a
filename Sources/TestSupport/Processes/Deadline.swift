// SPDX-License-Identifier: MIT

import Glibc
import Instants

/// A point on the monotonic clock by which something must have happened.
package struct Deadline: Sendable {
    private let instant: MonotonicInstant

    package init(after limit: Duration) {
        instant = .now + limit
    }

    /// What is left, in milliseconds and rounded up; 0 once the deadline has passed. Fits `poll`.
    package var milliseconds: CInt {
        let left = instant.nanoseconds - MonotonicInstant.now.nanoseconds
        return CInt(clamping: max(0, (left + 999_999) / 1_000_000))
    }

    package var hasPassed: Bool { milliseconds == 0 }
}

/// Asks `condition` until it holds or the limit has passed, and says whether it held. Blocks the calling thread.
///
/// For what sends no event of its own: a line in a foreign program's log, a file that another process writes. This is
/// the only place that asks again after a pause; whatever can be waited for is waited for (``Watched``, `poll`).
package func waitUntil(_ limit: Duration, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Deadline(after: limit)
    while true {
        if try condition() { return true }
        if deadline.hasPassed { return false }
        poll(nil, 0, min(20, deadline.milliseconds))
    }
}

/// The same for asynchronous callers: the waiting happens on a thread of its own.
package func waitUntil(_ limit: Duration, _ condition: @escaping @Sendable () throws -> Bool) async throws -> Bool {
    try await onThread { try waitUntil(limit, condition) }
}
