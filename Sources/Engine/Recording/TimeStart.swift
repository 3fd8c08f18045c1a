// SPDX-License-Identifier: MIT

import Instants

/// When the duration of recordings begins to count: with the first audio of any recording that shares this object.
final class TimeStart {
    /// Nil before the first audio.
    private(set) var instant: MonotonicInstant?
    private var waiting: [(MonotonicInstant) -> Void] = []

    /// Starts the time at a recording's first audio. Only the first call counts.
    func begin(at now: MonotonicInstant) {
        guard instant == nil else { return }
        instant = now
        let actions = waiting
        waiting = []
        for action in actions { action(now) }
    }

    /// Calls `action` once the duration has begun to count; at once if it has begun already.
    func whenBegun(_ action: @escaping (MonotonicInstant) -> Void) {
        if let instant { action(instant) } else { waiting.append(action) }
    }
}
