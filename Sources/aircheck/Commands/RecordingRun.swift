// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage

/// Runs one recording to its end: the engine on the loop's thread, the terminal on this one.
struct RecordingRun {
    var job: RecordJob
    var wantsJSON: Bool
    /// What to say before anything happens.
    var intro: [String] = []

    /// Returns, or throws the exit status.
    func run() throws {
        var console = Console()
        var said = Said()
        for line in intro { console.say(line) }
        let outcome = try record(&console, &said)
        console.clear()
        // Where nothing was recorded and something failed, that is what there is to say.
        if outcome.report.frames > 0 || outcome.failure == nil {
            for line in Wording.summary(outcome.report) { console.say(line) }
        }
        Wording.line(wrongChecksums: outcome.wrongChecksums).map { console.say($0) }
        if let drift = outcome.drift { console.say(Wording.line(drift: drift)) }
        if let failure = outcome.failure {
            console.say(failure == said.failure ? "gave up: \(failure.message)" : "error: \(failure)")
        }
        if wantsJSON { try console.report(ReportJSON.object(outcome)) }
        try ExitStatus.check(outcome.failure)
    }

    /// What was said last, so that the same trouble again is no news.
    private struct Said {
        var failure: Failure?
    }

    private func record(_ console: inout Console, _ said: inout Said) throws -> RecordOutcome {
        let runner = try EngineRunner<RecordEvent>()
        defer { runner.close() }
        runner.begin { [job, wantsProgress = console.isTerminal] engine, post in
            engine.record(job, wantsProgress: wantsProgress, tell: post)
        }
        while true {
            switch runner.next() {
            case .station(let notice): say(notice, &console, &said)
            case .recorder(let notice):
                if case .failing(let error) = notice { said.failure = error.failure }
                Wording.line(notice).map { console.say($0) }
            case .progress(let progress): console.show(LiveLine.render(progress, width: console.width))
            case .ended(let outcome): return outcome
            }
        }
    }

    private func say(_ notice: StationNotice, _ console: inout Console, _ said: inout Said) {
        switch notice {
        case .failed(let failure, _):
            guard failure != said.failure else { return }
            said.failure = failure
        // It is back: should the same happen again, that is news.
        case .live, .spliced, .gap: said.failure = nil
        default: break
        }
        Wording.line(notice).map { console.say($0) }
    }
}
