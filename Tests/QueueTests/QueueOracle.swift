// SPDX-License-Identifier: MIT

import Playback
import RadioCore

@testable import Queue

/// A plain model of an unshuffled queue. Items are letters, and each letter is in the list once.
struct QueueOracle {
    var list: [Character]
    var repeats: QueueRepeat
    private var current: Character?
    /// The index at which the list continues while the current item is not in it.
    private var follower = 0
    private var failures: [Character: Int] = [:]
    private var isFruitful = false
    private var hasFailure = false

    init(_ list: String, _ repeats: QueueRepeat) {
        (self.list, self.repeats) = (Array(list), repeats)
    }

    mutating func step(_ sign: Character) -> String {
        switch sign {
        case "b":
            (failures, isFruitful, current, follower) = ([:], false, nil, 0)
            return next("")
        case "e":
            (isFruitful, hasFailure) = (true, false)
            if let current { failures[current] = nil }
            if repeats == .one, let current { return "~\(current)" }
            return next("~")
        case "n":
            isFruitful = true
            return next("~")
        case "s": return "-"
        case "f":
            hasFailure = true
            guard let current else { return "!" }
            failures[current, default: 0] += 1
            return failures[current] == 1 && list.contains(current) ? "\(current)" : next("")
        case "p":
            isFruitful = true
            let before = list[..<(place ?? follower)].last { failures[$0, default: 0] < 2 }
            let last = repeats == .all ? list.last { failures[$0, default: 0] < 2 } : nil
            return before.map { play($0) } ?? last.map { play($0) } ?? current.map { "~\($0)" } ?? next("")
        default:
            let index = sign.wholeNumberValue ?? 0
            guard index < list.count else { return current.map { "~\($0)" } ?? next("") }
            failures[list[index]] = nil
            return play(list[index])
        }
    }

    private var place: Int? { current.flatMap { list.firstIndex(of: $0) } }

    private mutating func play(_ letter: Character) -> String {
        current = letter
        follower = (place ?? 0) + 1
        return "\(letter)"
    }

    private mutating func next(_ mark: String) -> String {
        let start = place.map { $0 + 1 } ?? follower
        if let found = list[min(start, list.count)...].first(where: { failures[$0, default: 0] < 2 }) {
            return mark + play(found)
        }
        guard repeats != .none, isFruitful, let first = list.first else {
            return mark + (isFruitful || !hasFailure ? "." : "!")
        }
        (failures, isFruitful) = ([:], false)
        return mark + play(first)
    }

    mutating func replace(_ new: String) {
        let (old, oldPlace) = (list, place)
        list = Array(new)
        if let oldPlace, place == nil {
            let after = old[oldPlace...].lazy.compactMap { [list] in list.firstIndex(of: $0) }.first
            let before = old[..<oldPlace].last { list.contains($0) }
            follower = after ?? before.flatMap { list.firstIndex(of: $0) }.map { $0 + 1 } ?? list.count
        }
        follower = min(follower, list.count)
        failures = failures.filter { list.contains($0.key) && old.contains($0.key) }
    }
}
