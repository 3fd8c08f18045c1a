// SPDX-License-Identifier: MIT

/// What a mount has done so far. Kept as it happens, so that nobody has to go through thousands of listeners for it.
struct MountStatistics: Hashable {
    /// The most listeners at one time.
    private(set) var peak = 0
    /// How many have begun to listen.
    private(set) var joins = 0
    /// Bytes that sockets took.
    var bytes: Int64 = 0
    /// How often listeners skipped.
    var skips = 0

    mutating func joined(listeners: Int) {
        joins += 1
        peak = max(peak, listeners)
    }
}
