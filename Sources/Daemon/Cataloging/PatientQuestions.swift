// SPDX-License-Identifier: MIT

import Catalog
import EventLoop
import Instants

/// Questions to the catalog of which the answers are needed soon, although the catalog's disk may hang. Confined to the
/// loop's thread.
final class PatientQuestions {
    private let reactor: any Reactor
    private var open: [Int: Open] = [:]
    private var serial = 0
    private lazy var bound = reactor.bind(self)

    private struct Open {
        var timer: any ReactorTimer
        var answer: ((any Sendable)?) -> Void
    }

    /// How long after its end the result of a recording is due at the latest.
    private static let due = Duration.seconds(58)
    /// How long an answer may take even if the result is due earlier.
    private static let leastPatience = Duration.seconds(8)

    init(reactor: any Reactor) { self.reactor = reactor }

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
        // A clock that was set back since the end does not prolong this.
        let patience = min(max(end + Self.due - reactor.now, Self.leastPatience), Self.due)
        timer.arm(at: reactor.now + patience)
        open[number] = Open(timer: timer) { answer($0 as? Answer) }
        catalog.ask(question) { [bound] result in
            let found = try? result.get()
            bound.tell { $0.answered(number, found) }
        }
    }

    private func answered(_ number: Int, _ answer: (any Sendable)?) {
        guard let question = open.removeValue(forKey: number) else { return }
        question.timer.cancel()
        question.answer(answer)
    }
}
