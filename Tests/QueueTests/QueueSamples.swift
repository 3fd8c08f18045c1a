// SPDX-License-Identifier: MIT

import Playback
import RadioCore

@testable import Queue

/// Makes items that are named by letters, and writes each decision of a queue as one word.
enum QueueSamples {
    static let failure = Failure(.notFound, "it is not there", remedy: "look for it")

    static func items(_ letters: String) -> [QueueItem] {
        letters.map { QueueItem(path: String($0), title: String($0)) }
    }

    /// The word for a decision: `a` for an item, `.` for an end, and `!` for an end with a failure. A leading `~` means
    /// that the position of the item just left is forgotten.
    static func word(_ decision: QueueDecision) -> String {
        let mark = !decision.keepsPosition ? "~" : ""
        return switch decision.step {
        case .play(let item): mark + (item.title ?? "?")
        case .end(nil): mark + "."
        case .end(.some): mark + "!"
        }
    }

    /// Applies each sign: `b` start, `e` played to its end, `n` next, `f` failed, `p` previous, a digit a jump.
    static func run(_ queue: inout PlayQueue, _ signs: String) -> String {
        signs.map { word(step(&queue, $0)) }.joined(separator: " ")
    }

    static func step(_ queue: inout PlayQueue, _ sign: Character) -> QueueDecision {
        switch sign {
        case "b": queue.start()
        case "e": queue.played()
        case "n": queue.next()
        case "f": queue.failed(failure)
        case "p": queue.previous()
        default: queue.jump(to: sign.wholeNumberValue ?? 0)
        }
    }
}
