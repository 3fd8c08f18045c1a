// SPDX-License-Identifier: MIT

import Instants
import Platform
import Storage

/// A value behind a lock that threads can wait on: the one primitive under everything here that blocks.
package final class Watched<State: Sendable>: Sendable {
    private let monitor: Monitor<State>

    package init(_ state: State) {
        monitor = Monitor(state)
    }

    /// A copy of the value.
    package var value: State { monitor.withLock { $0 } }

    /// Runs `body` with the lock held and wakes everybody who waits.
    package func change<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        defer { monitor.signal() }
        return try monitor.withLock(body)
    }

    /// Waits until `body` returns something, asking after each change; nil where that did not happen in time.
    ///
    /// Blocks the calling thread. `body` runs with the lock held.
    package func wait<Result>(within limit: Duration, for body: (inout State) -> Result?) -> Result? {
        monitor.wait(until: .now + limit, body)
    }
}
