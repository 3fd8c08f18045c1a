// SPDX-License-Identifier: MIT

import Instants

/// Closures of the loop that await answers from other threads. Other threads get only the closures through which they
/// answer. Answers that come after this object was released are dropped.
package final class LoopAnswers {
    private let reactor: any Reactor
    private var awaited: [ObjectIdentifier: AnyObject] = [:]

    private final class Awaited<Answer> {
        var take: (Answer) -> Void = { _ in }
    }

    package init(reactor: any Reactor) { self.reactor = reactor }

    /// Returns a closure that passes its argument to `take` on the loop's thread, later and never inside the call. Any
    /// thread may call it. Only the first call counts.
    package func expect<Answer: Sendable>(_ take: @escaping (Answer) -> Void) -> @Sendable (Answer) -> Void {
        let one = Awaited<Answer>()
        one.take = { [unowned self, unowned one] answer in
            awaited[ObjectIdentifier(one)] = nil
            take(answer)
        }
        awaited[ObjectIdentifier(one)] = one
        return { [bound = reactor.bind(one)] answer in bound.tell { $0.take(answer) } }
    }

    /// Does the same, but passes nil to `take` if there is no answer within `patience`.
    package func expect<Answer: Sendable>(
        within patience: Duration, _ take: @escaping (Answer?) -> Void
    ) -> @Sendable (Answer?) -> Void {
        var timer: (any ReactorTimer)?
        let answer = expect { (answer: Answer?) in
            timer?.cancel()
            take(answer)
        }
        timer = reactor.makeTimer { answer(nil) }
        timer?.arm(at: reactor.now + patience)
        return answer
    }
}
