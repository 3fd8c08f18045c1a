// SPDX-License-Identifier: MIT

import RadioCore

/// The active entries of a queue, in order: the entry being heard, its followers in the player, and the entry being
/// opened.
///
/// The caller closes an entry after taking it out. The entry's programme may report its end while it is being closed,
/// and by then the chain must no longer contain the entry. A copy of the chain would still contain it.
struct QueueChain: ~Copyable {
    /// The entry being opened. `isCut` says whether it is to be heard at once, in place of the other entries.
    private(set) var opening: (entry: QueueEntry, isCut: Bool)?
    /// The entries that the player has, in playing order, with the player's ids.
    private var playing: [(id: Int, entry: QueueEntry)] = []

    /// The entries that the player has, in playing order.
    var entries: [QueueEntry] { playing.map(\.entry) }

    /// The entry being heard, or to be heard first.
    var heard: QueueEntry? { playing.first?.entry }

    /// The newest entry in the player, and the only one that may still be receiving.
    var last: (id: Int, entry: QueueEntry)? { playing.last }

    /// Whether the entry being opened is to be heard at once.
    var isCut: Bool { opening?.isCut ?? false }

    var isEmpty: Bool { playing.isEmpty }

    subscript(id: Int) -> QueueEntry? { playing.first { $0.id == id }?.entry }

    /// The player's id of an entry; nil if the player does not have it.
    func id(of entry: QueueEntry) -> Int? { playing.first { $0.entry === entry }?.id }

    /// Makes `entry` the one being opened. Returns the entry that it replaces.
    mutating func open(_ entry: QueueEntry, isCut: Bool) -> QueueEntry? {
        defer { opening = (entry, isCut) }
        return opening?.entry
    }

    /// Ends the opening of `entry`, which has succeeded or failed. Returns whether the entry is to be heard at once, or
    /// nil if it is no longer wanted.
    mutating func opened(_ entry: QueueEntry) -> Bool? {
        guard let opening, opening.entry === entry else { return nil }
        self.opening = nil
        return opening.isCut
    }

    /// Adds an entry after the entries that the player has.
    mutating func append(_ entry: QueueEntry, as id: Int) { playing.append((id, entry)) }

    /// Removes an entry, which begins to be heard, and the entries before it. Returns these; nil if the player does not
    /// have this entry.
    mutating func hear(_ id: Int) -> [QueueEntry]? {
        guard let index = playing.firstIndex(where: { $0.id == id }) else { return nil }
        defer { playing.removeFirst(index) }
        return playing[..<index].map(\.entry)
    }

    /// Whether the player has an entry to follow the one being heard.
    var hasFollower: Bool { playing.count > 1 }

    /// Takes out the entry being opened, if it is to play after the player's last entry.
    mutating func takeOpening() -> QueueEntry? {
        guard let opening, !opening.isCut else { return nil }
        self.opening = nil
        return opening.entry
    }

    /// Takes out the entry being opened, if it is a seek.
    mutating func takeSeek() -> QueueEntry? {
        guard let opening, opening.entry.isSeek else { return nil }
        self.opening = nil
        return opening.entry
    }

    /// Takes out the player's last entry, unless it is the entry being heard.
    mutating func takeFollower() -> QueueEntry? { hasFollower ? playing.removeLast().entry : nil }

    /// Takes out all entries.
    mutating func takeAll() -> [QueueEntry] {
        defer { (opening, playing) = (nil, []) }
        return [opening?.entry].compactMap(\.self) + entries
    }

    /// Applies a change to the queue state of every entry.
    func changeQueues(_ change: (inout PlayQueue) -> Void) {
        for entry in entries { change(&entry.queue) }
        if let opening { change(&opening.entry.queue) }
    }
}
