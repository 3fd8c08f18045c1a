// SPDX-License-Identifier: MIT

/// What a mount has done so far.
package struct MountStatistics: Hashable, Sendable {
    /// The most listeners at one time.
    package private(set) var peak = 0
    /// How many have begun to listen.
    package private(set) var joins = 0
    /// Of listeners that have left: bytes that their sockets took, and how often they skipped.
    package private(set) var bytesOfPast: Int64 = 0
    package private(set) var skipsOfPast = 0

    mutating func joined(listeners: Int) {
        joins += 1
        peak = max(peak, listeners)
    }

    mutating func left(_ listener: Listener) {
        bytesOfPast += listener.bytesSent
        skipsOfPast += Int(listener.skips)
    }
}
