// SPDX-License-Identifier: MIT

import Catalog
import EventLoop
import Instants

/// Queries the catalog with a deadline, because the catalog's disk may hang. The answer is nil if the catalog misses
/// the deadline. Confined to the loop's thread.
final class TimedQuestions {
    private let reactor: any Reactor
    private let began: MonotonicInstant
    private var open: [Int: Open] = [:]
    private var serial = 0
    private var isEnding = false
    private lazy var bound = reactor.bind(self)

    /// Called when the last open question is answered.
    var onIdle: () -> Void = {}

    private struct Open {
        var timer: any ReactorTimer
        var isOverdue = false
        var answer: ((any Sendable)?) -> Void
        var late: (any Sendable) -> Void
    }

    /// A recording's result is due this long after its end.
    private static let due = Duration.seconds(58)
    static let leastPatience = Duration.seconds(8)
    /// The time for an answer while the daemon is ending.
    private static let lastPatience = Duration.seconds(1)

    init(reactor: any Reactor) {
        self.reactor = reactor
        began = reactor.now
    }

    /// Whether no answer is awaited: every question has been answered or has missed its deadline.
    var isIdle: Bool { open.values.allSatisfy(\.isOverdue) }

    /// Asks a question on which the result of a recording depends. If there is no answer in time, `answer` is called
    /// with nil, and `late` is called with the answer when it arrives. `end`: when the recording was to end.
    /// `patience`: how long an answer may take even if the result is due earlier.
    func ask<Answer: Sendable>(
        _ catalog: RecordingsCatalog, after end: MonotonicInstant, atLeast patience: Duration = leastPatience,
        _ question: @escaping @Sendable (CatalogStore) throws(CatalogError) -> Answer,
        answer: @escaping (Answer?) -> Void, late: @escaping (Answer) -> Void = { _ in }
    ) {
        serial += 1
        let number = serial
        let timer = reactor.makeTimer { [weak self] in self?.timeIsUp(number) }
        timer.arm(at: reactor.now + time(after: end, atLeast: patience))
        open[number] = Open(
            timer: timer, answer: { answer($0 as? Answer) }, late: { found in (found as? Answer).map(late) })
        catalog.ask(question) { [bound] result in
            let found = try? result.get()
            bound.tell { $0.answered(number, found) }
        }
    }

    /// Shortens the time for answers, because the daemon is ending.
    func end() {
        isEnding = true
        for question in open.values where !question.isOverdue {
            question.timer.arm(at: reactor.now + Self.lastPatience)
        }
    }

    private func time(after end: MonotonicInstant, atLeast patience: Duration) -> Duration {
        if isEnding { return Self.lastPatience }
        // If a recording ended before this run, nobody is waiting for its result.
        if end < began { return Self.due }
        // If the clock was set back since the end of the recording, the wait must not become longer.
        return min(max(end + Self.due - reactor.now, patience), Self.due)
    }

    private func timeIsUp(_ number: Int) {
        guard let question = open[number] else { return }
        open[number]?.isOverdue = true
        question.answer(nil)
        if isIdle { onIdle() }
    }

    private func answered(_ number: Int, _ answer: (any Sendable)?) {
        guard let question = open.removeValue(forKey: number) else { return }
        guard !question.isOverdue else {
            if let answer { question.late(answer) }
            return
        }
        question.timer.cancel()
        question.answer(answer)
        if isIdle { onIdle() }
    }
}
