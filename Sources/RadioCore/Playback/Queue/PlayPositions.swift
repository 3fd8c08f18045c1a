// SPDX-License-Identifier: MIT

package import Instants

/// The positions at which items were left, in the order in which they were left. Holds at most ``most`` positions, and
/// drops the oldest.
package struct PlayPositions: Sendable {
    /// The changes by item: the item's new position, or nil if its position was forgotten.
    package typealias Changes = [ItemKey: PlayPosition?]

    package static let most = 10_000

    private var entries: [ItemKey: (number: Int, position: PlayPosition)] = [:]
    private var count = 0
    /// The changes that have not been written yet.
    package private(set) var changes: Changes = [:]

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// The position at which playback of an item begins; nil for its start.
    package func position(of key: ItemKey) -> Duration? { entries[key]?.position.position }

    /// Notes the position of an item that is being played or was left. Forgets the position if the item has hardly
    /// begun or is almost over.
    package mutating func note(_ key: ItemKey, at position: Duration, of length: Duration?, now: WallInstant) {
        let found = PlayPosition(position: position, length: length, left: now)
        change(key, found.isWorthKeeping ? found : nil)
    }

    /// Forgets the position of an item that was heard to its end, or that is to be played from its start.
    package mutating func forget(_ key: ItemKey) {
        change(key, nil)
    }

    /// Replaces all positions with those that another process has written, except for changes not written yet.
    package mutating func adopt(_ written: PlayPositions) {
        let own = changes
        self = written
        for (key, position) in own { change(key, position) }
    }

    /// Notes that these changes have been written. Positions that have changed again meanwhile stay in ``changes``.
    package mutating func wrote(_ written: Changes) {
        for (key, position) in written where changes[key] == .some(position) { changes[key] = nil }
    }

    /// Applies another value's ``changes`` to this list, without adding them to the ``changes`` of this value.
    package mutating func apply(_ changes: Changes) {
        // Applied in the order in which the items were left, which is the order of the list.
        for (key, position) in changes.sorted(by: { Self.order($0, $1) }) { set(key, position) }
    }

    /// A strict weak order: first the forgotten items, which have no place in the list, then the others in the order in
    /// which they were left.
    static func order(_ left: Changes.Element, _ right: Changes.Element) -> Bool {
        switch (left.value?.left, right.value?.left) {
        case (let first?, let second?) where first != second: first < second
        case (nil, _?): true
        case (_?, nil): false
        default: left.key.text < right.key.text
        }
    }

    private mutating func change(_ key: ItemKey, _ position: PlayPosition?) {
        guard position != nil || entries[key] != nil || changes[key] != nil else { return }
        changes[key] = .some(position)
        set(key, position)
        // If nothing can be written for a long time, changes of items that are no longer in the list are dropped.
        if changes.count > 2 * Self.most { changes = changes.filter { entries[$0.key] != nil } }
    }

    mutating func set(_ key: ItemKey, _ position: PlayPosition?) {
        guard let position else {
            entries[key] = nil
            return
        }
        count += 1
        entries[key] = (count, position)
        guard entries.count > Self.most else { return }
        if let oldest = entries.min(by: { $0.value.number < $1.value.number }) { entries[oldest.key] = nil }
    }

    /// All positions, oldest first.
    package var ordered: [(key: ItemKey, position: PlayPosition)] {
        entries.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value.position) }
    }
}
