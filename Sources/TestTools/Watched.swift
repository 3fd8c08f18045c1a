// SPDX-License-Identifier: MIT

import Instants
import Platform

/// A value behind a lock. Threads can wait for changes of the value. All other blocking here is built on this
/// primitive.
package final class Watched<State: Sendable>: Sendable {
    private let monitor: Monitor<State>

    package init(_ state: State) {
        monitor = Monitor(state)
    }

    /// A copy of the value.
    package var value: State { monitor.withLock { $0 } }

    /// Runs `body` with the lock held and wakes all waiters.
    package func change<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        defer { monitor.signal() }
        return try monitor.withLock(body)
    }

    /// Waits until `body` returns a value, evaluating it after each change; nil on timeout.
    ///
    /// Blocks the calling thread. `body` runs with the lock held.
    package func wait<Result>(within limit: Duration, for body: (inout State) -> Result?) -> Result? {
        monitor.wait(until: .now + limit, body)
    }
}
