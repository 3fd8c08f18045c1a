// SPDX-License-Identifier: MIT

import RadioCore

/// Found audio that waits until the file with its gap is complete. What does not fit stays missing.
struct WaitingAudio {
    /// Each with whether the growing file with its gap has a copy beside it.
    private var list: [(audio: FoundAudio, isSaved: Bool)] = []

    static let mostBytes = 16 << 20

    var isEmpty: Bool { list.isEmpty }

    /// Returns false if the audio cannot be kept.
    mutating func add(_ found: FoundAudio) -> Bool {
        guard found.isPlausible, list.reduce(found.bytes.count, { $0 + $1.audio.bytes.count }) <= Self.mostBytes
        else { return false }
        list.append((found, false))
        return true
    }

    /// Puts back what was taken, before what was found later.
    mutating func putBack(_ taken: [FoundAudio]) { list.insert(contentsOf: taken.map { ($0, false) }, at: 0) }

    /// Calls `save` with what is only in memory. It returns whether it has put that on the disk.
    mutating func save(_ save: (FoundAudio) -> Bool) {
        for index in list.indices where !list[index].isSaved && list[index].audio.batch.count > 0 {
            list[index].isSaved = save(list[index].audio)
        }
    }

    /// What belongs to a place is only in memory after all.
    mutating func unsave(where isThere: (FoundAudio) -> Bool) {
        for index in list.indices where isThere(list[index].audio) { list[index].isSaved = false }
    }

    func contains(where isThere: (FoundAudio) -> Bool) -> Bool { list.contains { isThere($0.audio) } }

    /// Takes what belongs to a place, in the order in which it was found, in as few pieces as possible: a file is copied
    /// for each.
    mutating func take(where isThere: (FoundAudio) -> Bool) -> [FoundAudio] {
        var taken: [FoundAudio] = []
        list.removeAll { entry in
            guard isThere(entry.audio) else { return false }
            taken.join(entry.audio)
            return true
        }
        return taken
    }
}

extension FoundAudio {
    fileprivate var isPlausible: Bool {
        batch.byteCount == bytes.count
            && (batch.count == 0 ? continuesBefore && isContinuedAfter : length > .zero)
    }
}
