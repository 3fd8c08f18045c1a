// SPDX-License-Identifier: MIT

package import Instants

/// Where an item was left.
package struct PlayPosition: Hashable, Sendable {
    package var position: Duration
    /// The length of the whole item; nil if unknown.
    package var length: Duration?
    /// The time at which the item was left; ``PlayPositions/apply(_:)`` sorts by this.
    package var left: WallInstant

    package init(position: Duration, length: Duration?, left: WallInstant) {
        self.position = position
        self.length = length
        self.left = left
    }

    /// Whether the position is worth remembering: neither near the start nor near the end of the item.
    package var isWorthKeeping: Bool {
        guard position >= Self.beginning else { return false }
        guard let length, length > .zero else { return true }
        return position < length - Self.ending(of: length)
    }

    /// Positions before this are not remembered.
    package static let beginning = Duration.seconds(10)

    /// How much of an item may be missing for it to count as heard: 5 % of it, but 30 s at least and 10 min at most.
    package static func ending(of length: Duration) -> Duration {
        min(max(length / 20, .seconds(30)), .seconds(600))
    }
}
