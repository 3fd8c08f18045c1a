// SPDX-License-Identifier: MIT

package import Instants

/// Where an item was left.
package struct PlayPosition: Hashable, Sendable {
    package var position: Duration
    /// How long the whole item plays; nil if unknown.
    package var length: Duration?
    /// When it was left: for people, nothing depends on it.
    package var left: WallInstant

    package init(position: Duration, length: Duration?, left: WallInstant) {
        self.position = position
        self.length = length
        self.left = left
    }

    /// Whether it is worth to be remembered: neither has the item hardly begun, nor is it as good as heard.
    package var isWorthKeeping: Bool {
        guard position >= Self.beginning else { return false }
        guard let length, length > .zero else { return true }
        return position < length - Self.ending(of: length)
    }

    /// Within it nothing is remembered.
    package static let beginning = Duration.seconds(10)

    /// What may be missing of an item that counts as heard: 5 % of it, but 30 s at least and 10 min at most.
    package static func ending(of length: Duration) -> Duration {
        min(max(length / 20, .seconds(30)), .seconds(600))
    }
}
