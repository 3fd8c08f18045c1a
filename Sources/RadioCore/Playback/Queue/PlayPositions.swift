// SPDX-License-Identifier: MIT

package import Instants

/// Where items were left, the one that was left last at the end. A value, at most ``most`` of them; the oldest go.
package struct PlayPositions: Sendable {
    /// What has become of some items since it was last taken: nil where the position is forgotten.
    package typealias Changes = [ItemKey: PlayPosition?]

    package static let most = 10_000

    private var entries: [ItemKey: (number: Int, position: PlayPosition)] = [:]
    private var count = 0
    /// What is not written yet.
    package private(set) var changes: Changes = [:]

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// Where an item begins; nil: at its start.
    package func position(of key: ItemKey) -> Duration? { entries[key]?.position.position }

    /// The item is there now, or was left there. An item that has hardly begun or is as good as heard is forgotten.
    package mutating func note(_ key: ItemKey, at position: Duration, of length: Duration?, now: WallInstant) {
        let found = PlayPosition(position: position, length: length, left: now)
        change(key, found.isWorthKeeping ? found : nil)
    }

    /// The item was heard to its end, or is to begin at its start.
    package mutating func forget(_ key: ItemKey) {
        change(key, nil)
    }

    /// What somebody else has written takes the place of what is known, except for what is not written yet.
    package mutating func adopt(_ written: PlayPositions) {
        let own = changes
        self = written
        for (key, position) in own { change(key, position) }
    }

    /// These changes have been written, unless there are newer ones.
    package mutating func wrote(_ written: Changes) {
        for (key, position) in written where changes[key] == .some(position) { changes[key] = nil }
    }

    /// Does to a list that was read what was done here; the list has no changes of its own then.
    package mutating func apply(_ changes: Changes) {
        // The ones left first stay first.
        for (key, position) in changes.sorted(by: { Self.order($0, $1) }) { set(key, position) }
    }

    /// A strict weak order: first what is forgotten, which has no place in the list, then by when it was left.
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
        // Where nothing can be written for long, what is gone from the list need not be said for ever.
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
