// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// The positions at which items were left, the episodes that were heard, and the items at which lists were left, in the
/// order in which they were left. Holds at most ``most`` of them, and drops the oldest.
struct PlayPositions: Sendable {
    /// The changes by item: the item's new position, or nil if its position was forgotten.
    typealias Changes = [ItemKey: PlayPosition?]

    static let most = 10_000

    private var entries: [ItemKey: (number: Int, position: PlayPosition)] = [:]
    private var count = 0
    /// The changes that have not been written yet.
    private(set) var changes: Changes = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// The position at which playback of an item begins; nil for its start.
    func position(of item: QueueItem) -> Duration? {
        guard case .left(let position, let length) = entries[item.key]?.position.mark,
            PlayPosition.continues(item, position, of: length)
        else { return nil }
        return position
    }

    /// Whether an item is an episode that was heard to its end, or skipped.
    func isHeard(_ item: QueueItem) -> Bool { item.isEpisode && entries[item.key]?.position.mark == .heard }

    /// The index of the item with which a list begins, given where it was left; nil for its first item. Episodes that
    /// were heard are skipped afterwards, see ``PlayQueue/heard``.
    func firstIndex(of items: [QueueItem], in list: ItemKey) -> Int? {
        var index: Int?
        if case .item(let key, let isOver) = entries[list]?.position.mark {
            index = items.firstIndex { $0.key == key }.map { isOver ? $0 + 1 : $0 }
        }
        if let index, items.indices.contains(index), !items[index].isEpisode { return index }
        // New episodes are usually at the top: after an episode that was heard, the list is looked through from there.
        if let index, items.indices.contains(index), case .left = entries[items[index].key]?.position.mark {
            return index
        }
        return items.firstIndex { !isHeard($0) }
    }

    /// Keeps the position of an item that is being played or was left, and keeps for `list`, if the item belongs to
    /// one, that it was left at this item. Forgets the position if the item has hardly begun or is almost over.
    mutating func note(
        _ item: QueueItem, at position: Duration, of length: Duration?, in list: ItemKey? = nil, now: WallInstant
    ) {
        let isOver = PlayPosition.isOver(position, of: length)
        if isOver, item.isEpisode {
            change(item.key, PlayPosition(.heard, left: now))
        } else {
            let isKept =
                PlayPosition.isWorthKeeping(position, of: length) && PlayPosition.continues(item, position, of: length)
            change(item.key, isKept ? PlayPosition(.left(at: position, of: length), left: now) : nil)
        }
        if let list { change(list, PlayPosition(.item(item.key, isOver: isOver), left: now)) }
    }

    /// Makes an item, which is about to be played, the one at which its list was left.
    mutating func enter(_ item: QueueItem, of list: ItemKey, now: WallInstant) {
        change(list, PlayPosition(.item(item.key, isOver: false), left: now))
    }

    /// Forgets the position of an item that was heard to its end, or skipped. An episode is not played again.
    mutating func pass(_ item: QueueItem, now: WallInstant) {
        change(item.key, item.isEpisode ? PlayPosition(.heard, left: now) : nil)
    }

    /// Forgets what is remembered of an item that is to be played from its start, or of a list that was played to its
    /// end.
    mutating func forget(_ key: ItemKey) {
        change(key, nil)
    }

    /// Replaces all positions with those that another process has written, except for changes not written yet.
    mutating func adopt(_ written: PlayPositions) {
        let own = changes
        self = written
        for (key, position) in own { change(key, position) }
    }

    /// Removes changes that have been written. Positions that have changed again meanwhile stay in ``changes``.
    mutating func wrote(_ written: Changes) {
        for (key, position) in written where changes[key] == .some(position) { changes[key] = nil }
    }

    /// Applies another value's ``changes`` to this list, without adding them to the ``changes`` of this value.
    mutating func apply(_ changes: Changes) {
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
    var ordered: [(key: ItemKey, position: PlayPosition)] {
        entries.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value.position) }
    }
}
