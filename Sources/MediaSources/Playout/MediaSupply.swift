// SPDX-License-Identifier: MIT

import Platform

/// Where a ``Playout`` gets its items from, round by round. Confined to the playout's thread.
protocol MediaSupply: AnyObject {
    /// Ends the wait for a stream that brings nothing.
    var stop: StopFlag? { get }
    /// Whether a later round may have other items.
    var mayChange: Bool { get }
    /// The items of a round, in order. What cannot be one is told to `skip`, with the reason.
    func round(_ skip: (_ name: String, _ reason: String) -> Void) -> [MediaItem]
}

/// Items that are given once and for all.
final class ItemSupply: MediaSupply {
    private let items: [MediaItem]

    init(_ items: [MediaItem]) {
        // Two of one name are two.
        self.items = items.enumerated().map { $1.keyed(String($0)) }
    }

    var stop: StopFlag? { nil }
    var mayChange: Bool { false }
    func round(_ skip: (_ name: String, _ reason: String) -> Void) -> [MediaItem] { items }
}
