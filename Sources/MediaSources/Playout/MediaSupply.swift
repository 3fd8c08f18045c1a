// SPDX-License-Identifier: MIT

import Platform

/// Supplies a ``Playout`` with items, round by round. Confined to the playout's thread.
protocol MediaSupply: AnyObject {
    /// Raised to end the wait for bytes of a stream.
    var stop: StopFlag? { get }
    /// Whether a later round may have other items.
    var mayChange: Bool { get }
    /// The items of a round, in order. Calls `skip` with the reason for anything that cannot be an item.
    func round(_ skip: (_ name: String, _ reason: String) -> Void) -> [MediaItem]
}

/// Supplies the same items in every round.
final class ItemSupply: MediaSupply {
    private let items: [MediaItem]

    init(_ items: [MediaItem]) {
        // Items with equal names need different keys.
        self.items = items.enumerated().map { $1.keyed(String($0)) }
    }

    var stop: StopFlag? { nil }
    var mayChange: Bool { false }
    func round(_ skip: (_ name: String, _ reason: String) -> Void) -> [MediaItem] { items }
}
