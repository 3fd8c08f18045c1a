// SPDX-License-Identifier: MIT

import Playback
import RadioCore

@testable import Queue

/// A plain model of an unshuffled queue. Items are letters, and each letter is in the list once.
struct QueueOracle {
    let list: [Character]
    let repeats: QueueRepeat
    private var current: Character?
    private var failures: [Character: Int] = [:]
    private var isFruitful = false
    private var hasFailure = false

    init(_ list: String, _ repeats: QueueRepeat) {
        (self.list, self.repeats) = (Array(list), repeats)
    }

    mutating func step(_ sign: Character) -> String {
        switch sign {
        case "b":
            (failures, isFruitful, current) = ([:], false, nil)
            return next("")
        case "e":
            (isFruitful, hasFailure) = (true, false)
            if let current { failures[current] = nil }
            if repeats == .one, let current { return "~\(current)" }
            return next("~")
        case "n":
            isFruitful = true
            return next("~")
        case "f":
            hasFailure = true
            guard let current else { return "!" }
            failures[current, default: 0] += 1
            return failures[current] == 1 ? "\(current)" : next("")
        case "p":
            isFruitful = true
            let before = list[..<(place ?? 0)].last { failures[$0, default: 0] < 2 }
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
        return "\(letter)"
    }

    private mutating func next(_ mark: String) -> String {
        let start = place.map { $0 + 1 } ?? 0
        if let found = list[start...].first(where: { failures[$0, default: 0] < 2 }) {
            return mark + play(found)
        }
        guard repeats != .none, isFruitful, let first = list.first else {
            return mark + (isFruitful || !hasFailure ? "." : "!")
        }
        (failures, isFruitful) = ([:], false)
        return mark + play(first)
    }
}
