// SPDX-License-Identifier: MIT

/// Decides when people are told about the space on the recordings' disk, from one measurement to the next. Pure.
///
/// Each worsening is told once: a disk that is low, and a disk on which recordings wait for room, even if it was low
/// before. The end is told once.
package struct DiskAlarm: Hashable, Sendable {
    package enum Level: Int, Hashable, Sendable, Comparable {
        case well
        /// Less is free than should be.
        case low
        /// Recordings cannot be written.
        case full

        package static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    /// The level that was told last.
    private var told = Level.well
    private var wasFull = false

    package init() {}

    /// Notes a measurement, after old recordings were deleted. `isFull`: whether recordings wait for room. Returns the
    /// level if it is to be told.
    package mutating func note(isLow: Bool, isFull: Bool) -> Level? {
        defer { wasFull = isFull }
        // If deleting has made room, the recordings will notice it in a moment.
        if isFull, !isLow, !wasFull { return nil }
        let level: Level = isFull ? .full : isLow ? .low : .well
        guard level > told || level == .well && told != .well else { return nil }
        told = level
        return level
    }
}
