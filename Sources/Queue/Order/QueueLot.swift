// SPDX-License-Identifier: MIT

import RadioCore

/// The order of a shuffled queue: the items still to come in this round, and the items played.
struct QueueLot: Sendable {
    private var random: SplitMix64
    /// The items still to come in this round, in reverse order.
    private var upcoming: [QueueSlot]
    /// The items played, across rounds.
    private var played: [QueueSlot]
    /// The index of the current item in ``played``.
    private var place: Int

    private static let longestMemory = 1_000

    /// Begins a round in which the current item, if there is one, has been played already.
    init(_ slots: [QueueSlot], current: QueueSlot?, seed: UInt64) {
        random = SplitMix64(seed: seed)
        upcoming = slots.filter { $0 != current }
        upcoming.shuffle(using: &random)
        played = current.map { [$0] } ?? []
        place = max(0, played.count - 1)
    }

    mutating func beginRound(_ slots: [QueueSlot]) {
        upcoming = slots
        upcoming.shuffle(using: &random)
        place = max(0, played.count - 1)
    }

    /// The next item: from ``played`` if the user went back, or else from ``upcoming``. Avoids the current item if
    /// there is another.
    mutating func draw(after current: QueueSlot?, where isWanted: (QueueSlot) -> Bool) -> QueueSlot? {
        while place + 1 < played.count {
            place += 1
            if isWanted(played[place]), played[place] != current { return played[place] }
        }
        upcoming.removeAll { !isWanted($0) }
        guard let other = upcoming.lastIndex(where: { $0.key != current?.key }) ?? upcoming.indices.last else {
            return nil
        }
        let found = upcoming.remove(at: other)
        remember(found)
        return found
    }

    /// Goes back to the last wanted item played before; nil if there is none.
    mutating func back(where isWanted: (QueueSlot) -> Bool) -> QueueSlot? {
        guard let found = played.indices.prefix(place).last(where: { isWanted(played[$0]) }) else { return nil }
        place = found
        return played[found]
    }

    mutating func jump(to slot: QueueSlot) {
        upcoming.removeAll { $0 == slot }
        played.removeSubrange(min(played.count, place + 1)...)
        remember(slot)
    }

    private mutating func remember(_ slot: QueueSlot) {
        played.append(slot)
        if played.count > Self.longestMemory { played.removeFirst(played.count - Self.longestMemory) }
        place = played.count - 1
    }
}
