// SPDX-License-Identifier: MIT

import Catalog
import EventLoop
import Instants

/// Asks the catalog questions that have a deadline. The answer is nil if the catalog misses it, because its disk may
/// hang. Confined to the loop's thread.
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
        var answer: ((any Sendable)?) -> Void
    }

    /// A recording's result is due this long after its end.
    private static let due = Duration.seconds(58)
    /// How long an answer may take even if the result is due earlier.
    private static let leastPatience = Duration.seconds(8)
    /// The same while the daemon ends.
    private static let lastPatience = Duration.seconds(1)

    init(reactor: any Reactor) {
        self.reactor = reactor
        began = reactor.now
    }

    /// Whether no question is open.
    var isIdle: Bool { open.isEmpty }

    /// Asks a question on which the result of a recording depends. `answer` gets nil if the catalog has no answer in
    /// time. `end`: when the recording was to end.
    func ask<Answer: Sendable>(
        _ catalog: RecordingsCatalog, after end: MonotonicInstant,
        _ question: @escaping @Sendable (CatalogStore) throws(CatalogError) -> Answer,
        answer: @escaping (Answer?) -> Void
    ) {
        serial += 1
        let number = serial
        let timer = reactor.makeTimer { [weak self] in self?.answered(number, nil) }
        timer.arm(at: reactor.now + patience(after: end))
        open[number] = Open(timer: timer) { answer($0 as? Answer) }
        catalog.ask(question) { [bound] result in
            let found = try? result.get()
            bound.tell { $0.answered(number, found) }
        }
    }

    /// Shortens the time for answers, because the daemon ends.
    func end() {
        isEnding = true
        for question in open.values { question.timer.arm(at: reactor.now + Self.lastPatience) }
    }

    private func patience(after end: MonotonicInstant) -> Duration {
        if isEnding { return Self.lastPatience }
        // Nobody waits for the result of a recording that ended before this run.
        if end < began { return Self.due }
        // A clock that was set back since the end does not prolong this.
        return min(max(end + Self.due - reactor.now, Self.leastPatience), Self.due)
    }

    private func answered(_ number: Int, _ answer: (any Sendable)?) {
        guard let question = open.removeValue(forKey: number) else { return }
        question.timer.cancel()
        question.answer(answer)
        if open.isEmpty { onIdle() }
    }
}
