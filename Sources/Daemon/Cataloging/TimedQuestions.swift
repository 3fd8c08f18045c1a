// SPDX-License-Identifier: MIT

import Catalog
import EventLoop
import Instants

/// Queries the catalog with a deadline, because the catalog's disk may hang. The answer is nil if the catalog misses
/// the deadline.
final class TimedQuestions {
    private let reactor: any Reactor
    private let began: MonotonicInstant
    private let answers: LoopAnswers
    private var open: [ObjectIdentifier: Question] = [:]
    private var isEnding = false

    /// Called when the last open question is answered.
    var onIdle: () -> Void = {}

    private final class Question {
        var timer: (any ReactorTimer)?
        var isOverdue = false
    }

    /// A recording's result is due this long after its end.
    private static let due = Duration.seconds(58)
    static let leastPatience = Duration.seconds(8)
    /// The time for an answer while the daemon is ending.
    private static let lastPatience = Duration.seconds(1)

    init(reactor: any Reactor) {
        self.reactor = reactor
        answers = LoopAnswers(reactor: reactor)
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
        let asked = Question()
        let settle = { [unowned self] (found: Answer?) in
            answer(found)
            if isIdle { onIdle() }
        }
        asked.timer = reactor.makeTimer { [unowned asked] in
            asked.isOverdue = true
            settle(nil)
        }
        asked.timer?.arm(at: reactor.now + time(after: end, atLeast: patience))
        open[ObjectIdentifier(asked)] = asked
        let take = answers.expect { [unowned self] (found: Answer?) in
            open[ObjectIdentifier(asked)] = nil
            guard !asked.isOverdue else { return found.map(late) ?? () }
            asked.timer?.cancel()
            settle(found)
        }
        catalog.ask(question) { take(try? $0.get()) }
    }

    /// Shortens the time for answers, because the daemon is ending.
    func end() {
        isEnding = true
        for question in open.values where !question.isOverdue {
            question.timer?.arm(at: reactor.now + Self.lastPatience)
        }
    }

    private func time(after end: MonotonicInstant, atLeast patience: Duration) -> Duration {
        if isEnding { return Self.lastPatience }
        // If a recording ended before this run, nobody is waiting for its result.
        if end < began { return Self.due }
        // If the clock was set back since the end of the recording, the wait must not become longer.
        return min(max(end + Self.due - reactor.now, patience), Self.due)
    }
}
