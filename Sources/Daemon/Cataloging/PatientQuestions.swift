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

    /// How long an answer may take. The result of a show is due within a minute of its end.
    private static let patience = Duration.seconds(30)

    init(reactor: any Reactor) { self.reactor = reactor }

    /// Asks a question. `answer` gets nil if the catalog has no answer in time.
    func ask<Answer: Sendable>(
        _ catalog: RecordingsCatalog,
        _ question: @escaping @Sendable (CatalogStore) throws(CatalogError) -> Answer,
        answer: @escaping (Answer?) -> Void
    ) {
        serial += 1
        let number = serial
        let timer = reactor.makeTimer { [weak self] in self?.answered(number, nil) }
        timer.arm(at: reactor.now + Self.patience)
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
