// SPDX-License-Identifier: MIT

import Glibc
import Instants

/// A point on the monotonic clock by which something must have happened.
package struct Deadline: Sendable {
    private let instant: MonotonicInstant

    package init(after limit: Duration) {
        instant = .now + limit
    }

    /// The remaining time in milliseconds, rounded up, for `poll`; 0 once the deadline has passed.
    package var milliseconds: CInt {
        let left = instant.nanoseconds - MonotonicInstant.now.nanoseconds
        return CInt(clamping: max(0, (left + 999_999) / 1_000_000))
    }

    package var hasPassed: Bool { milliseconds == 0 }
}

/// Evaluates `condition` repeatedly until it holds; false on timeout. Blocks the calling thread.
///
/// Only for conditions that cause no event, such as a line in the log of another program or a file that another process
/// writes. Everything else is waited for without polling (``Watched``, `poll`).
package func waitUntil(_ limit: Duration, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Deadline(after: limit)
    while true {
        if try condition() { return true }
        if deadline.hasPassed { return false }
        poll(nil, 0, min(20, deadline.milliseconds))
    }
}

/// Evaluates `condition` repeatedly, on a separate thread, until it holds; false on timeout.
package func waitUntil(_ limit: Duration, _ condition: @escaping @Sendable () throws -> Bool) async throws -> Bool {
    try await onThread { try waitUntil(limit, condition) }
}
