// SPDX-License-Identifier: MIT

import Playback
import RadioCore

/// A queue of items. A value: it decides what is played next, and plays nothing itself.
///
/// | the item | its position | what comes next |
/// |---|---|---|
/// | was played to its end | forgotten | the next one; the same with `repeat one` |
/// | was skipped | kept | the next one, also with `repeat one` |
/// | was stopped | kept | nothing; it stays the current one |
/// | failed, for the first time in this round | kept | the same once more, from where it was |
/// | failed, for the second time | kept | the next one, also with `repeat one`; this one is left out of the round |
///
/// The next item comes from the list, or from the ``QueueLot`` if the queue is shuffled. After the last item the queue
/// ends or, if it repeats, begins a new round, in which each item has two tries again. After a round in which nothing
/// was played or skipped, the queue ends with that round's failure.
struct PlayQueue: Sendable {
    private(set) var items: [QueueItem] = []
    /// The item being played, or played last. The list may no longer contain it.
    private(set) var current: QueueItem?
    var repeats: QueueRepeat

    private static let mostTries = 2

    private var slots: [QueueSlot] = []
    private var places: [QueueSlot: Int] = [:]
    private var slot: QueueSlot?
    /// Where the list continues if it no longer contains the current item.
    private var nextPlace = 0
    private var lot: QueueLot?

    /// Items that were heard before this run: they are skipped in the first round, unless the user asks for one.
    var heard: Set<ItemKey> = []

    // The state of the present round.
    private var tries: [QueueSlot: Int] = [:]
    private var hasPlayed = false
    private var failure: Failure?

    /// Creates a queue, which is shuffled if there is a seed.
    init(_ items: [QueueItem], repeats: QueueRepeat = .none, shuffleSeed: UInt64? = nil) {
        self.repeats = repeats
        take(items)
        shuffle(seed: shuffleSeed)
    }

    var isShuffled: Bool { lot != nil }

    /// The index of the current item in the list; nil if there is none, or the list no longer contains it.
    var currentIndex: Int? { slot.flatMap { places[$0] } }

    /// Begins a round with the item at `index`, or with the first item.
    mutating func start(at index: Int? = nil) -> QueueDecision {
        beginRound()
        if let index { return jump(to: index) }
        (slot, current, nextPlace) = (nil, nil, 0)
        return proceed()
    }

    /// Decides what follows the end of the current item.
    mutating func ended(_ end: ItemEnd) -> QueueDecision {
        switch end {
        case .playedToItsEnd:
            (hasPlayed, failure) = (true, nil)
            if let slot { tries[slot] = nil }
            if repeats == .one, let current { return QueueDecision(.play(current), position: .forgotten) }
            return proceed(position: .forgotten)
        case .skipped:
            hasPlayed = true
            return proceed(position: .forgotten)
        case .stopped:
            return QueueDecision(.stop)
        case .failed(let failure):
            return failed(failure)
        }
    }

    /// Skips to the next item.
    mutating func next() -> QueueDecision { ended(.skipped) }

    /// Goes back to the previous item of the list, or to the item played before if the queue is shuffled. If there is
    /// none, the current item begins anew.
    mutating func previous() -> QueueDecision {
        hasPlayed = true
        if var lot {
            let found = lot.back { !isLeftOut($0) }
            self.lot = lot
            return found.map { play($0) } ?? again()
        }
        let place = currentIndex ?? nextPlace
        let before = slots.indices.prefix(place).last { !isLeftOut(slots[$0]) }
        let last = repeats == .all ? slots.indices.last { !isLeftOut(slots[$0]) } : nil
        return (before ?? last).map { play(slots[$0]) } ?? again()
    }

    /// Jumps to the item at `index`, even if it has failed before. If there is no such item, the current item begins
    /// anew.
    mutating func jump(to index: Int) -> QueueDecision {
        guard slots.indices.contains(index) else { return again() }
        tries[slots[index]] = nil
        lot?.jump(to: slots[index])
        return play(slots[index])
    }

    /// Shuffles from here on, or continues in the order of the list if `seed` is nil; the current item stays.
    mutating func shuffle(seed: UInt64?) {
        lot = seed.map { QueueLot(slots, current: slot, seed: $0) }
    }

    /// Replaces the list with a newly read one. The current item stays the current one, wherever it is in the new list.
    mutating func replace(_ items: [QueueItem]) {
        let (old, oldSlots, oldPlace) = (self.items, slots, currentIndex)
        take(items)
        // If the current item has gone, the item that followed it is next.
        if let slot, places[slot] == nil, let oldPlace {
            let follower = Self.first(of: oldSlots[oldPlace...], in: places)
            let predecessor = Self.first(of: oldSlots[..<oldPlace].reversed(), in: places)
            nextPlace = follower ?? predecessor.map { $0 + 1 } ?? slots.count
        }
        nextPlace = min(nextPlace, slots.count)
        // Failures do not count for an item whose source has changed.
        let oldPlaces = Dictionary(zip(oldSlots, old.indices), uniquingKeysWith: { first, _ in first })
        tries = tries.filter { slot, _ in
            guard let place = places[slot], let oldPlace = oldPlaces[slot] else { return false }
            return self.items[place].source == old[oldPlace].source
        }
        if let place = currentIndex { current = self.items[place] }
        lot?.replace(slots, known: Set(oldSlots).union(slot.map { [$0] } ?? []))
    }
}

extension PlayQueue {
    private mutating func take(_ items: [QueueItem]) {
        self.items = Array(items.prefix(QueueItem.mostInQueue))
        slots = QueueSlot.slots(of: self.items)
        places = Dictionary(zip(slots, slots.indices), uniquingKeysWith: { first, _ in first })
    }

    private static func first(of slots: some Sequence<QueueSlot>, in places: [QueueSlot: Int]) -> Int? {
        for slot in slots {
            if let place = places[slot] { return place }
        }
        return nil
    }

    private mutating func failed(_ failure: Failure) -> QueueDecision {
        self.failure = failure
        guard let slot, let current else { return QueueDecision(.end(failure)) }
        tries[slot, default: 0] += 1
        return isLeftOut(slot) || places[slot] == nil ? proceed() : QueueDecision(.play(current))
    }

    private func isLeftOut(_ slot: QueueSlot) -> Bool { tries[slot, default: 0] >= Self.mostTries }

    /// Whether an item is skipped when its turn comes.
    private func isPassedOver(_ slot: QueueSlot) -> Bool { isLeftOut(slot) || heard.contains(slot.key) }

    private mutating func again() -> QueueDecision {
        guard let current else { return proceed() }
        return QueueDecision(.play(current), position: .forgotten)
    }

    private mutating func play(_ slot: QueueSlot) -> QueueDecision {
        guard let place = places[slot] else { return again() }
        self.slot = slot
        current = items[place]
        nextPlace = place + 1
        return QueueDecision(.play(items[place]))
    }

    /// Plays the next item of this round, or the first of the next round, or ends the queue.
    private mutating func proceed(position: QueueDecision.Position = .kept) -> QueueDecision {
        if let found = following() { return left(play(found), position) }
        guard repeats != .none, hasPlayed, !slots.isEmpty else {
            return QueueDecision(.end(hasPlayed ? nil : failure), position: position)
        }
        beginRound()
        heard = []
        guard let found = following() else { return QueueDecision(.end(failure), position: position) }
        return left(play(found), position)
    }

    private func left(_ decision: QueueDecision, _ position: QueueDecision.Position) -> QueueDecision {
        QueueDecision(decision.step, position: position)
    }

    private mutating func following() -> QueueSlot? {
        if var lot {
            let found = lot.draw(after: slot) { !isPassedOver($0) }
            self.lot = lot
            return found
        }
        let place = currentIndex.map { $0 + 1 } ?? nextPlace
        return slots.dropFirst(place).first { !isPassedOver($0) }
    }

    private mutating func beginRound() {
        (tries, hasPlayed) = ([:], false)
        nextPlace = 0
        lot?.beginRound(slots)
        if lot == nil { slot = nil }
    }
}
