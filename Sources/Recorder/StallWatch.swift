// SPDX-License-Identifier: MIT

import Instants

/// Notices a disk that neither takes data nor refuses it. A value.
struct StallWatch {
    enum News {
        case stalled
        case over
    }

    private var isStalled = false
    /// Since when the disk seems to hang; nil if it does not, or if that is known.
    private var suspectedSince: MonotonicInstant?
    private var nextLook: MonotonicInstant?

    /// Longer than a disk takes to spin up.
    private static let patience = Duration.seconds(15)
    /// A process that was stopped for a while finds old data in its queue, too, and writes it at once.
    private static let doubt = Duration.seconds(1)
    /// To ask how long data has waited takes a lock.
    private static let interval = Duration.seconds(5)

    /// To be called with each delivery. `waited` returns how long the oldest data has waited with nothing reaching the
    /// disk. Returns what has changed; nil for nothing.
    mutating func look(_ now: MonotonicInstant, _ waited: () -> Duration) -> News? {
        if !isStalled, suspectedSince == nil, let nextLook, now < nextLook { return nil }
        nextLook = now + Self.interval
        let isSlow = waited() >= Self.patience
        guard isSlow != isStalled else {
            suspectedSince = nil
            return nil
        }
        let since = suspectedSince ?? now
        suspectedSince = since
        if isSlow, now - since < Self.doubt { return nil }
        (isStalled, suspectedSince) = (isSlow, nil)
        return isSlow ? .stalled : .over
    }

    /// Starts over: the disk has refused data, so it does not hang.
    mutating func reset() { (isStalled, suspectedSince) = (false, nil) }
}
