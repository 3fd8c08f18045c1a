// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// Answers that wait for another thread, but not for long, because the disk of that thread may hang. Confined to the
/// loop's thread.
final class PatientAnswers {
    private let reactor: any Reactor
    private var open: [Int: Open] = [:]
    private var lastNumber = 0
    private lazy var bound = reactor.bind(self)

    private struct Open {
        var timer: any ReactorTimer
        var answer: ((any Sendable)?) -> Void
    }

    private static let patience = Duration.seconds(5)

    init(reactor: any Reactor) { self.reactor = reactor }

    /// Calls `ask`, which passes its result to its argument on any thread, then `answer` with that result, or with nil
    /// if it takes too long.
    func wait<Result: Sendable>(
        for ask: (@escaping @Sendable (Result?) -> Void) -> Void, then answer: @escaping (Result?) -> Void
    ) {
        lastNumber += 1
        let number = lastNumber
        let timer = reactor.makeTimer { [weak self] in self?.answer(number, nil) }
        timer.arm(at: reactor.now + Self.patience)
        open[number] = Open(timer: timer) { answer($0 as? Result) }
        ask { [bound] result in bound.tell { $0.answer(number, result) } }
    }

    private func answer(_ number: Int, _ result: (any Sendable)?) {
        guard let question = open.removeValue(forKey: number) else { return }
        question.timer.cancel()
        question.answer(result)
    }
}
