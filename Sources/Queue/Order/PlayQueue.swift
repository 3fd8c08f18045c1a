// SPDX-License-Identifier: MIT

import Playback
import RadioCore

/// A queue of items. A value: it decides what is played next, and plays nothing itself.
///
/// | the item | its position | what comes next |
/// |---|---|---|
/// | was played to its end | forgotten | the next one; the same with `repeat one` |
/// | was skipped | kept | the next one, also with `repeat one` |
/// | failed, for the first time in this round | kept | the same once more, from where it was |
/// | failed, for the second time | kept | the next one, also with `repeat one`; this one is left out of the round |
///
/// The next item comes from the list, or from the ``QueueLot`` if the queue is shuffled. After the last item the queue
/// ends or, if it repeats, begins a new round, in which each item has two tries again. After a round in which nothing
/// was played or skipped, the queue ends with that round's failure.
struct PlayQueue: Sendable {
    private(set) var items: [QueueItem] = []
    /// The item being played, or played last.
    private(set) var current: QueueItem?
    var repeats: QueueRepeat

    private static let mostTries = 2

    private var slots: [QueueSlot] = []
    private var places: [QueueSlot: Int] = [:]
    private var slot: QueueSlot?
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
        fill(items)
        shuffle(seed: shuffleSeed)
    }

    /// Sets the items of a queue that has not begun.
    mutating func fill(_ items: [QueueItem]) {
        self.items = Array(items.prefix(QueueItem.mostInQueue))
        slots = QueueSlot.slots(of: self.items)
        places = Dictionary(zip(slots, slots.indices), uniquingKeysWith: { first, _ in first })
    }

    var isShuffled: Bool { lot != nil }

    /// The index of the current item in the list; nil if there is none.
    var currentIndex: Int? { slot.flatMap { places[$0] } }

    /// Begins a round with the item at `index`, or with the first item.
    mutating func start(at index: Int? = nil) -> QueueDecision {
        beginRound()
        if let index { return jump(to: index) }
        (slot, current) = (nil, nil)
        return proceed()
    }

    /// Decides what follows the current item, which was played to its end.
    mutating func played() -> QueueDecision {
        (hasPlayed, failure) = (true, nil)
        if let slot { tries[slot] = nil }
        if repeats == .one, let current { return QueueDecision(.play(current), keepsPosition: false) }
        return proceed(keepsPosition: false)
    }

    /// Skips to the next item.
    mutating func next() -> QueueDecision {
        hasPlayed = true
        return proceed(keepsPosition: false)
    }

    /// Decides what follows the current item, which has failed.
    mutating func failed(_ failure: Failure) -> QueueDecision {
        self.failure = failure
        guard let slot, let current else { return QueueDecision(.end(failure)) }
        tries[slot, default: 0] += 1
        return isLeftOut(slot) ? proceed() : QueueDecision(.play(current))
    }

    /// Goes back to the previous item of the list, or to the item played before if the queue is shuffled. If there is
    /// none, the current item begins anew.
    mutating func previous() -> QueueDecision {
        hasPlayed = true
        if var lot {
            let found = lot.back { !isLeftOut($0) }
            self.lot = lot
            return found.map { play($0) } ?? again()
        }
        let before = slots.indices.prefix(currentIndex ?? 0).last { !isLeftOut(slots[$0]) }
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
}

extension PlayQueue {
    private func isLeftOut(_ slot: QueueSlot) -> Bool { tries[slot, default: 0] >= Self.mostTries }

    /// Whether an item is skipped when its turn comes.
    private func isPassedOver(_ slot: QueueSlot) -> Bool { isLeftOut(slot) || heard.contains(slot.key) }

    private mutating func again() -> QueueDecision {
        guard let current else { return proceed() }
        return QueueDecision(.play(current), keepsPosition: false)
    }

    private mutating func play(_ slot: QueueSlot) -> QueueDecision {
        guard let place = places[slot] else { return again() }
        self.slot = slot
        current = items[place]
        return QueueDecision(.play(items[place]))
    }

    /// Plays the next item of this round, or the first of the next round, or ends the queue.
    private mutating func proceed(keepsPosition: Bool = true) -> QueueDecision {
        var found = following()
        if found == nil, repeats != .none, hasPlayed, !slots.isEmpty {
            beginRound()
            heard = []
            found = following()
        }
        var decision = found.map { play($0) } ?? QueueDecision(.end(hasPlayed ? nil : failure))
        decision.keepsPosition = keepsPosition
        return decision
    }

    private mutating func following() -> QueueSlot? {
        if var lot {
            let found = lot.draw(after: slot) { !isPassedOver($0) }
            self.lot = lot
            return found
        }
        return slots.dropFirst(currentIndex.map { $0 + 1 } ?? 0).first { !isPassedOver($0) }
    }

    private mutating func beginRound() {
        (tries, hasPlayed) = ([:], false)
        lot?.beginRound(slots)
        if lot == nil { slot = nil }
    }
}
