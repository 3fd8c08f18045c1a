// SPDX-License-Identifier: MIT

import Instants
import Storage

/// The state of the disk to which a recording is written: it accepts data, refuses data, or hangs.
struct DiskWatch {
    enum Change {
        case stalled
        case over
    }

    /// Why the disk refuses data; nil if it does not.
    private(set) var refusal: StorageError?
    private var isStalled = false
    /// The time since which the disk seems to have begun or stopped hanging; nil if its state seems unchanged.
    private var suspectedSince: MonotonicInstant?
    private var nextLook: MonotonicInstant?

    /// How long queued data must have waited before the disk seems to hang; longer than a disk takes to spin up.
    private static let patience = Duration.seconds(15)
    /// How long a hang must be suspected before it counts. When the process continues after it was stopped, the queue
    /// also holds old data, but that data is written at once.
    private static let doubt = Duration.seconds(1)
    /// The interval between checks, because each takes the lock of the queue.
    static let interval = Duration.seconds(5)

    /// Ends the suspicion that the disk hangs, because it has refused data.
    mutating func refused(_ error: StorageError) {
        (refusal, isStalled, suspectedSince) = (error, false, nil)
    }

    /// Forgets the refusal, because the disk takes data again.
    mutating func resumed() { refusal = nil }

    /// Checks whether the disk hangs, which no system call reports. Call it with each delivery, and every few seconds
    /// while the source is paused. `waited` returns how long the oldest queued data has waited with nothing reaching
    /// the disk. Returns a change since the last call.
    mutating func look(_ now: MonotonicInstant, _ waited: () -> Duration) -> Change? {
        if !isStalled, suspectedSince == nil, let nextLook, now < nextLook { return nil }
        nextLook = now + Self.interval
        let isSlow = refusal == nil && waited() >= Self.patience
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
}
