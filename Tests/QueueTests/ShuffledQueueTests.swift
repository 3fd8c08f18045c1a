// SPDX-License-Identifier: MIT

import Playback
import RadioCore
import Testing

@testable import Queue

@Suite("A queue that is shuffled")
struct ShuffledQueueTests {
    private let letters = "abcdefgh"

    /// The items to which so many skips lead.
    private func heard(_ queue: inout PlayQueue, _ count: Int) -> String {
        (0..<count).map { _ in QueueSamples.run(&queue, "n").drop { $0 == "~" } }.joined()
    }

    @Test(
        "Each shuffled round plays every item once, in a new order, and no item follows itself",
        arguments: UInt64(1)...40)
    func rounds(seed: UInt64) {
        var queue = PlayQueue(QueueSamples.items(letters), repeats: .all, shuffleSeed: seed)
        var orders: Set<String> = []
        var last: Character?
        var order = QueueSamples.run(&queue, "b")
        for _ in 0..<20 {
            order += heard(&queue, letters.count - order.count)
            #expect(order.sorted() == Array(letters) && order.first != last)
            last = order.last
            orders.insert(order)
            order = ""
        }
        #expect(orders.count >= 19)
    }

    @Test("The same seed gives the same shuffled order")
    func repeatable() {
        var first = PlayQueue(QueueSamples.items(letters), repeats: .all, shuffleSeed: 5)
        var second = PlayQueue(QueueSamples.items(letters), repeats: .all, shuffleSeed: 5)
        _ = (first.start(), second.start())
        #expect(heard(&first, 50) == heard(&second, 50))
    }

    @Test("A shuffle makes every order of three items equally likely")
    func fair() {
        var counts: [String: Int] = [:]
        for seed in UInt64(0)..<6_000 {
            var queue = PlayQueue(QueueSamples.items("abc"), shuffleSeed: seed)
            counts[QueueSamples.run(&queue, "b") + heard(&queue, 2), default: 0] += 1
        }
        #expect(counts.count == 6 && counts.values.allSatisfy { (850...1_150).contains($0) }, "\(counts)")
    }

    @Test(
        "In a shuffled queue, previous goes back through the played items and next forward again",
        arguments: UInt64(1)...20)
    func memory(seed: UInt64) {
        var queue = PlayQueue(QueueSamples.items(letters), repeats: .all, shuffleSeed: seed)
        let played = QueueSamples.run(&queue, "b") + heard(&queue, 11)
        let back = (0..<11).map { _ in QueueSamples.run(&queue, "p") }.joined()
        #expect(back == String(played.reversed().dropFirst()))
        #expect(QueueSamples.run(&queue, "p") == "~" + played.prefix(1))
        #expect(heard(&queue, 11) == String(played.dropFirst()))
        // The round continues where it was.
        #expect((played.suffix(4) + heard(&queue, 4)).sorted() == Array(letters))
    }

    @Test("An item played by a jump is not played again in the same shuffled round", arguments: UInt64(1)...20)
    func jump(seed: UInt64) {
        var queue = PlayQueue(QueueSamples.items(letters), shuffleSeed: seed)
        let first = QueueSamples.run(&queue, "b")
        let jumped = QueueSamples.run(&queue, first == "d" ? "4" : "3")
        #expect((first + jumped + heard(&queue, 6)).sorted() == Array(letters))
        #expect(QueueSamples.run(&queue, "n") == "~.")
    }

    @Test("An item that is in a shuffled list twice does not follow itself if there are other items")
    func twice() {
        for seed in UInt64(0)..<200 {
            var queue = PlayQueue(QueueSamples.items("aabcd"), repeats: .all, shuffleSeed: seed)
            let order = QueueSamples.run(&queue, "b") + heard(&queue, 2)
            #expect(!order.contains("aa"), "\(order)")
        }
    }

    @Test("Turning the shuffle on or off keeps the current item", arguments: UInt64(1)...20)
    func turning(seed: UInt64) {
        var queue = PlayQueue(QueueSamples.items(letters))
        #expect(QueueSamples.run(&queue, "bnn") == "a ~b ~c")
        queue.shuffle(seed: seed)
        let rest = heard(&queue, 7)
        #expect((rest + "c").sorted() == Array(letters) && QueueSamples.run(&queue, "n") == "~.")
        queue = PlayQueue(QueueSamples.items(letters), shuffleSeed: seed)
        #expect(QueueSamples.run(&queue, "b3").hasSuffix("d"))
        queue.shuffle(seed: nil)
        #expect(QueueSamples.run(&queue, "nnp") == "~e ~f e")
    }

    @Test("An item that failed twice is left out, and failures of all items end the shuffled queue")
    func failures() {
        for seed in UInt64(0)..<50 {
            var queue = PlayQueue(QueueSamples.items("abc"), repeats: .all, shuffleSeed: seed)
            let words = QueueSamples.run(&queue, "bffffff")
            #expect(words.hasSuffix("!") && Set(words.filter(\.isLetter)) == Set("abc"), "\(words)")
        }
    }
}
