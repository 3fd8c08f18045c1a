// SPDX-License-Identifier: MIT

package import Instants
package import Words

/// The occurrences of a daemon, in order: everybody who follows them is told of each, and the newest are kept, so that
/// a follower that was away can continue from its last position.
package final class Occurrences {
    package struct Entry: Sendable {
        /// Counts the occurrences of this run, from 1.
        package let position: Int
        package let at: WallInstant
        package let occurrence: Occurrence
    }

    /// The maximum number of occurrences that are kept.
    package static let mostKept = 1_000

    /// The position of the newest occurrence; 0 if there is none.
    package private(set) var newest = 0
    /// The occurrence at position `p` is at index `(p - 1) % mostKept`.
    private var kept: [Entry] = []
    private var followers: [(Entry) -> Void] = []
    /// The position of the newest occurrence of which all followers were told, or are being told.
    private var told = 0
    private var isTelling = false

    package init() {}

    /// Calls `follower` with each later occurrence.
    package func follow(_ follower: @escaping (Entry) -> Void) { followers.append(follower) }

    /// Appends an occurrence. If a follower does so while it is told of another one, all are told of that one first.
    package func append(_ occurrence: Occurrence, at time: WallInstant) {
        newest += 1
        let entry = Entry(position: newest, at: time, occurrence: occurrence)
        if kept.count < Self.mostKept { kept.append(entry) } else { kept[(newest - 1) % Self.mostKept] = entry }
        guard !isTelling else { return }
        isTelling = true
        defer { isTelling = false }
        while told < newest {
            let entry = kept[told % Self.mostKept]
            told += 1
            for follower in followers { follower(entry) }
        }
    }

    /// The occurrences after a position, and how many before them are no longer kept. Nil if this run has no such
    /// position.
    package func after(_ position: Int) -> (entries: [Entry], missed: Int)? {
        guard (0...newest).contains(position) else { return nil }
        let first = max(position, newest - kept.count)
        return ((first..<newest).map { kept[$0 % Self.mostKept] }, first - position)
    }
}
