// SPDX-License-Identifier: MIT

import Playback
import RadioCore
import Testing

@testable import Queue

@Suite("What is played next")
struct PlayQueueTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var items = "abc"
        var repeats = QueueRepeat.none
        var signs: String
        var heard: String
        var testDescription: String { "\(items) \(repeats) \(signs)" }
    }

    @Test(
        "The way an item ended decides what the queue plays next",
        arguments: [
            Row(signs: "beee", heard: "a ~b ~c ~."),
            Row(signs: "bnnn", heard: "a ~b ~c ~."),
            Row(signs: "bffe", heard: "a a b ~c"),
            Row(signs: "bfee", heard: "a a ~b ~c"),
            Row(signs: "bffffff", heard: "a a b b c c !"),
            Row(signs: "bffffe", heard: "a a b b c ~."),
            Row(signs: "bpp", heard: "a ~a ~a"),
            Row(signs: "b2p1n", heard: "a c b b ~c"),
            Row(signs: "b9", heard: "a ~a"),
            Row(items: "", signs: "bnpe", heard: ". ~. . ~."),
            Row(items: "a", signs: "bffn", heard: "a a ! ~."),
            // `previous` skips a failed item, a jump does not.
            Row(signs: "bnffp", heard: "a ~b b c a"),
            Row(signs: "bnff1ff", heard: "a ~b b c b b c"),
            Row(repeats: .all, signs: "beeee", heard: "a ~b ~c ~a ~b"),
            Row(repeats: .all, signs: "bp", heard: "a c"),
            // An item that fails gets two attempts in each round.
            Row(items: "ab", repeats: .all, signs: "bffeff", heard: "a a b ~a a b"),
            Row(items: "ab", repeats: .all, signs: "bffff", heard: "a a b b !"),
            Row(items: "ab", repeats: .all, signs: "beffffff", heard: "a ~b b a a b b !"),
            Row(repeats: .one, signs: "beee", heard: "a ~a ~a ~a"),
            Row(repeats: .one, signs: "benneff", heard: "a ~a ~b ~c ~c c a"),
            Row(items: "a", repeats: .one, signs: "beffff", heard: "a ~a a a a !"),
            Row(repeats: .one, signs: "beffffff", heard: "a ~a a b b c c a"),
            // An item that is in the list twice is played twice.
            Row(items: "aab", signs: "beee", heard: "a ~a ~b ~."),
        ])
    func table(row: Row) {
        var queue = PlayQueue(QueueSamples.items(row.items), repeats: row.repeats)
        #expect(QueueSamples.run(&queue, row.signs) == row.heard)
    }

    @Test("Items that were heard before are skipped in the first round, unless the user asks for one")
    func heardBefore() {
        let items = QueueSamples.items("abcd")
        for (signs, heard) in [("eee", "~c ~a ~b"), ("0e", "a ~c"), ("ep", "~c b")] {
            var queue = PlayQueue(items, repeats: .all)
            queue.heard = [items[1].key, items[3].key]
            #expect(queue.start().step == .play(items[0]))
            #expect(QueueSamples.run(&queue, signs) == heard, "\(signs)")
        }
    }

    @Test("A round in which nothing was played ends the queue with the last failure")
    func failure() {
        var queue = PlayQueue(QueueSamples.items("a"))
        _ = queue.start()
        _ = queue.failed(QueueSamples.failure)
        let other = Failure(.timeout, "nothing came", remedy: "wait")
        #expect(queue.failed(other).step == .end(other))
    }

    @Test("A queue is never longer than the limit")
    func bounded() {
        let queue = PlayQueue(Array(repeating: QueueSamples.items("a")[0], count: QueueItem.mostInQueue + 5))
        #expect(queue.items.count == QueueItem.mostInQueue)
    }
}
