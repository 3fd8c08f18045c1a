// SPDX-License-Identifier: MIT

/// Decides when people are told about the space on the recordings' disk, from one measurement to the next. Pure.
///
/// Each worsening is told once: a disk that is low, and a disk on which recordings wait for room, even if it was low
/// before. The end is told once.
package struct DiskAlarm: Hashable, Sendable {
    package enum Level: String, Hashable, Sendable {
        case well
        /// Less is free than should be.
        case low
        /// Recordings cannot be written.
        case full
    }

    /// The level that was told last.
    package private(set) var told: Level
    private var wasFull = false

    /// `told`: what an earlier run of the daemon told last.
    package init(told: Level = .well) { self.told = told }

    /// Takes a measurement, after old recordings were deleted. `isFull`: whether recordings wait for room. Returns the
    /// level if it is to be told.
    package mutating func note(isLow: Bool, isFull: Bool) -> Level? {
        defer { wasFull = isFull }
        // If deleting has made room, the recordings will notice it in a moment.
        if isFull, !isLow, !wasFull { return nil }
        let level: Level = isFull ? .full : isLow ? .low : .well
        guard level != told, !(told == .full && level == .low) else { return nil }
        told = level
        return level
    }
}
