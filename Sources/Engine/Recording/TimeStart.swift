// SPDX-License-Identifier: MIT

import Instants

/// When the time of recordings began to count: with the first audio of any that share this object. Confined to the
/// loop's thread.
final class TimeStart {
    /// Nil before there was any audio.
    private(set) var instant: MonotonicInstant?
    private var waiting: [(MonotonicInstant) -> Void] = []

    /// One of the recordings has its first audio. Only the first call counts.
    func begin(at now: MonotonicInstant) {
        guard instant == nil else { return }
        instant = now
        let actions = waiting
        waiting = []
        for action in actions { action(now) }
    }

    /// Calls back once the time counts; at once where it does already.
    func whenBegun(_ action: @escaping (MonotonicInstant) -> Void) {
        if let instant { action(instant) } else { waiting.append(action) }
    }
}
