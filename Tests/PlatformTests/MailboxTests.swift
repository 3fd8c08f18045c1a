// SPDX-License-Identifier: MIT

import Instants
import Platform
import TestTools
import Testing

struct MailboxTests {
    private static func next(_ mailbox: Mailbox<[Int]>) -> Int? {
        mailbox.take { $0.isEmpty ? nil : $0.removeFirst() }
    }

    @Test("Work is taken in order on another thread, and what is in a closed mailbox is still taken")
    func closing() throws {
        let mailbox = Mailbox([Int]())
        let taken = Watched([Int]())
        let thread = try WorkerThread.start(name: "taker") {
            while let number = Self.next(mailbox) { taken.change { $0.append(number) } }
        }
        for number in 0..<100 { mailbox.put { $0.append(number) } }
        mailbox.close()
        #expect(mailbox.put { $0.append(100) } == nil)
        #expect(thread.join(until: .read() + .seconds(60)))
        #expect(taken.value == Array(0..<100))
    }

    @Test("Nothing is taken from an abandoned mailbox, and only the first to abandon it gets what is left")
    func abandoning() throws {
        let mailbox = Mailbox([Int]())
        let thread = try WorkerThread.start(name: "taker") { _ = mailbox.take { $0.count > 1 ? true : nil } }
        mailbox.put { $0.append(1) }
        #expect(mailbox.abandon { $0 } == [1])
        #expect(thread.join(until: .read() + .seconds(60)))
        #expect(Self.next(mailbox) == nil && mailbox.abandon { $0 } == nil)
        mailbox.close()
        #expect(Self.next(mailbox) == nil && mailbox.withContent { $0 } == [1])
    }

    @Test("A wait ends at its deadline, and a rest at once when the mailbox ends") func waiting() throws {
        let mailbox = Mailbox(0)
        #expect(mailbox.take(until: .read() + .milliseconds(5)) { $0 > 0 ? $0 : nil } == nil)
        #expect(mailbox.rest(for: .milliseconds(5)))
        let hasRested = Watched<Bool?>(nil)
        try WorkerThread.start(name: "resting") {
            let isOpen = mailbox.rest(for: .seconds(600))
            hasRested.change { $0 = isOpen }
        }
        mailbox.close()
        #expect(hasRested.wait(within: .seconds(60)) { $0 } == false)
    }

    @Test("A thread for jobs runs the newest first, and refuses those that are too many") func jobThread() throws {
        let thread = try JobThread(name: "jobs", most: 2)
        let (begun, gate, done) = (Mailbox(false), Mailbox(false), Mailbox<[Int]>([]))
        let isTaken = thread.run {
            begun.put { $0 = true }
            _ = gate.take { $0 ? true : nil }
        }
        #expect(isTaken && begun.take { $0 ? true : nil } == true)
        let taken = (0..<3).map { number in thread.run { done.put { $0.append(number) } } }
        #expect(taken == [true, true, false])
        gate.put { $0 = true }
        withExtendedLifetime(thread) { #expect(done.take { $0.count == 2 ? $0 : nil } == [1, 0]) }
    }
}
