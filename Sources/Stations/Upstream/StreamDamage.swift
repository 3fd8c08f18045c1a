// SPDX-License-Identifier: MIT

/// Audio that arrived damaged: places between two frames whose bytes belong to no frame, and after which the framer
/// reports a break.
package struct StreamDamage: Hashable, Sendable {
    package var places: Int64 = 0
    package var bytes: Int64 = 0

    package init() {}

    package static func - (now: Self, before: Self) -> Self {
        var difference = Self()
        (difference.places, difference.bytes) = (now.places - before.places, now.bytes - before.bytes)
        return difference
    }
}
