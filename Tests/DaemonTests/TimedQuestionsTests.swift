// SPDX-License-Identifier: MIT

import Catalog
import EventLoop
import Instants
import Platform
import TestSupport
import Testing

@testable import Daemon

/// What a query with a deadline gets as its answer.
struct TimedQuestionsTests {
    @Test("An answer that comes too late is reported once as none, and once as late") func lateAnswer() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        let configuration = try rig.configuration([DaemonRig.station("fip")])
        try rig.openCatalog(configuration)
        let catalog = try #require(rig.daemon.catalog)
        let questions = TimedQuestions(reactor: rig.reactor)
        let gate = Monitor(false)
        var (answers, late, idle) = ([Int?](), [Int](), 0)
        questions.onIdle = { idle += 1 }
        let end = rig.reactor.now
        questions.ask(catalog, after: end) { _ in
            _ = gate.wait(until: nil) { $0 ? true : nil }
            return 1
        } answer: {
            answers.append($0)
        } late: {
            late.append($0)
        }
        rig.reactor.advance(by: .seconds(57.9))
        #expect(answers.isEmpty && !questions.isIdle)
        rig.reactor.advance(by: .seconds(0.2))
        #expect(answers == [nil] && late.isEmpty && questions.isIdle && idle == 1)
        gate.withLock { $0 = true }
        gate.signal()
        #expect(rig.reactor.pump { !late.isEmpty })
        #expect(answers == [nil] && late == [1] && idle == 1)
        // An answer that arrives before its deadline is not reported as late.
        questions.ask(catalog, after: rig.reactor.now, atLeast: .zero) { _ in
            2
        } answer: {
            answers.append($0)
        } late: {
            late.append($0)
        }
        #expect(rig.reactor.pump { answers.count == 2 })
        rig.reactor.advance(by: .seconds(100))
        #expect(answers == [nil, 2] && late == [1] && idle == 2)
    }
}
