// SPDX-License-Identifier: MIT

import RadioCore

/// Found audio that waits until the file with its gap is complete. What does not fit stays missing.
struct WaitingAudio {
    private var list: [FoundAudio] = []
    /// What is only in memory.
    private var unsaved: [FoundAudio] = []

    /// The limits: for a recording, and for one gap.
    static let mostBytes = 16 << 20
    static let longestOfGap = Duration.seconds(120)

    var isEmpty: Bool { list.isEmpty }

    /// Returns false if the audio cannot be kept.
    mutating func add(_ found: FoundAudio) -> Bool {
        let ofGap = list.reduce(Duration.zero) { $1.before == found.before ? $0 + $1.length : $0 }
        guard found.isPlausible, list.reduce(found.bytes.count, { $0 + $1.bytes.count }) <= Self.mostBytes,
            ofGap + found.length <= Self.longestOfGap
        else { return false }
        list.append(found)
        if found.batch.count > 0 { unsaved.append(found) }
        return true
    }

    /// Calls `save` with what is only in memory. It returns whether it has put that on the disk.
    mutating func save(_ save: (FoundAudio) -> Bool) { unsaved.removeAll(where: save) }

    func contains(where isThere: (FoundAudio) -> Bool) -> Bool { list.contains(where: isThere) }

    /// Takes what belongs to a place, in the order in which it was found.
    mutating func take(where isThere: (FoundAudio) -> Bool) -> [FoundAudio] {
        let taken = list.filter(isThere)
        list.removeAll(where: isThere)
        unsaved.removeAll(where: isThere)
        return taken
    }
}

extension FoundAudio {
    fileprivate var isPlausible: Bool {
        batch.byteCount == bytes.count
            && (batch.count == 0 ? continuesBefore && isContinuedAfter : length > .zero)
    }
}
