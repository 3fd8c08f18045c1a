// SPDX-License-Identifier: MIT

import Playback
import RadioCore
import Testing

@testable import Queue

@Suite("A queue under random events")
struct QueueOracleTests {
    private let signs = Array("eeeennnfffffppp0123456789b")

    @Test("A queue behaves like its oracle under random events", arguments: UInt64(1)...60)
    func oracle(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let repeats = QueueRepeat.allCases[Int(seed % 3)]
        let list = String("abcdefg".shuffled(using: &random).prefix(Int.random(in: 0...7, using: &random)))
        var queue = PlayQueue(QueueSamples.items(list), repeats: repeats)
        var oracle = QueueOracle(list, repeats)
        var story = list + " b"
        #expect(QueueSamples.run(&queue, "b") == oracle.step("b"))
        for _ in 0..<300 {
            let sign = signs.randomElement(using: &random) ?? "n"
            story += String(sign)
            let (found, wanted) = (QueueSamples.run(&queue, String(sign)), oracle.step(sign))
            #expect(found == wanted, "\(story)")
            if found != wanted { return }
        }
    }

    @Test("A shuffled queue plays only items of its list, or the current item again", arguments: UInt64(1)...60)
    func shuffled(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let list = "abcdef"
        var queue = PlayQueue(
            QueueSamples.items(list), repeats: QueueRepeat.allCases[Int(seed % 3)], shuffleSeed: seed)
        var current = QueueSamples.run(&queue, "b")
        for _ in 0..<400 {
            switch Int.random(in: 0..<16, using: &random) {
            case 1: queue.shuffle(seed: Bool.random(using: &random) ? seed : nil)
            case 2: queue.repeats = QueueRepeat.allCases.randomElement(using: &random) ?? .all
            default:
                let sign = signs.randomElement(using: &random) ?? "n"
                let word = QueueSamples.run(&queue, String(sign)).filter { $0 != "~" }
                guard word.first?.isLetter == true else { continue }
                #expect(list.contains(word) || word == current)
                if sign == "n", list.count > 1, queue.isShuffled, list.contains(current) {
                    #expect(word != current || queue.repeats == .none || list.count < 3)
                }
                current = word
            }
            #expect(queue.current == nil || queue.current?.title == current)
        }
    }

    /// A queue whose items always fail must end, or a player would spin.
    @Test("A queue in which every item fails comes to an end", arguments: UInt64(0)..<30)
    func endless(seed: UInt64) {
        for repeats in QueueRepeat.allCases {
            var queue = PlayQueue(
                QueueSamples.items("abcde"), repeats: repeats, shuffleSeed: seed.isMultiple(of: 2) ? seed : nil)
            _ = QueueSamples.run(&queue, "benen")
            let words = QueueSamples.run(&queue, String(repeating: "f", count: 25))
            #expect(words.contains("!") || words.contains("."), "\(repeats) \(words)")
        }
    }
}
