// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Testing

/// Answers of other threads: each is taken once, on the loop, or not at all.
struct LoopAnswersTests {
    private let reactor = ManualReactor()

    @Test("The first answer counts, and it is taken later than it is given") func firstAnswer() {
        let answers = LoopAnswers(reactor: reactor)
        var taken: [Int] = []
        let (one, other) = (answers.expect { taken.append($0) }, answers.expect { taken.append($0 * 10) })
        for answer in [other, one, one, other] { answer(1) }
        #expect(taken.isEmpty)
        reactor.settle()
        one(2)
        reactor.settle()
        #expect(taken == [10, 1])
    }

    @Test("If there is no answer in time, that is taken, and a late one is not") func patience() {
        let answers = LoopAnswers(reactor: reactor)
        var taken: [Int?] = []
        let (late, punctual) = (
            answers.expect(within: .seconds(5)) { taken.append($0) },
            answers.expect(within: .seconds(5)) { taken.append($0) }
        )
        reactor.advance(by: .milliseconds(4_999))
        punctual(1)
        reactor.settle()
        #expect(taken == [1])
        reactor.advance(by: .milliseconds(1))
        reactor.settle()
        #expect(taken == [1, nil])
        late(2)
        reactor.advance(by: .seconds(10))
        #expect(taken == [1, nil])
    }

    @Test("Nothing is taken once the answers are not expected any more, and nothing stays in memory") func released() {
        final class Witness {}
        weak var witness: Witness?
        var answers: LoopAnswers? = LoopAnswers(reactor: reactor)
        var isTaken = false
        func expect(_ witness: Witness) -> [@Sendable (Int?) -> Void] {
            [
                answers?.expect { (_: Int?) in withExtendedLifetime(witness) { isTaken = true } },
                answers?.expect(within: .seconds(5)) { (_: Int?) in withExtendedLifetime(witness) { isTaken = true } },
            ].compactMap(\.self)
        }
        let expected = {
            let held = Witness()
            witness = held
            return expect(held)
        }()
        #expect(expected.count == 2 && witness != nil)
        for answer in expected { answer(1) }
        answers = nil
        #expect(witness == nil)
        reactor.advance(by: .seconds(10))
        #expect(!isTaken)
    }
}
