// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import HTTPServer
import RadioCore
import RadioFormats
import Stations

/// Runs one relay to its end: the engine on the loop's thread, the terminal on this one.
struct RelayRun {
    var job: RelayJob
    var wantsJSON: Bool

    /// Returns, or throws the exit status.
    func run() throws {
        var console = Console()
        var (urls, outcome) = try relay(&console)
        console.clear()
        if let failure = outcome.failure { console.say("error: \(failure)") }
        if let mount = outcome.mount { console.say(RelayWording.summary(mount, outcome.elapsed)) }
        urls = urls.isEmpty ? RelayWording.urls(job.addresses, job.path) : urls
        if wantsJSON { try console.report(RelayReport.object(outcome, urls: urls)) }
        try ExitStatus.check(outcome.failure)
    }

    private func relay(_ console: inout Console) throws -> (urls: [String], outcome: RelayOutcome) {
        let runner = try EngineRunner<RelayEvent>()
        defer { runner.close() }
        runner.begin { [job, wantsProgress = console.isTerminal] engine, post in
            engine.relay(job, wantsProgress: wantsProgress, tell: post)
        }
        var urls: [String] = []
        var said: Failure?
        while true {
            switch runner.next() {
            case .station(let notice):
                // The same trouble again is no news.
                switch notice {
                case .failed(let failure, _):
                    guard failure != said else { continue }
                    said = failure
                case .live, .spliced, .gap: said = nil
                default: break
                }
                Wording.line(notice).map { console.say($0) }
            case .skipped(let item, let reason): console.say("skipped \(item): \(reason)")
            case .listening(let addresses):
                urls = RelayWording.urls(addresses, job.path)
                for line in RelayWording.lines(addresses, job.path) { console.say(line) }
            case .wanted(let isWanted):
                console.say(isWanted ? "somebody wants to listen" : "nobody listens any more: disconnecting")
            case .fallback(let notice): console.say(RelayWording.line(notice))
            case .failed(let failure): console.say("\(failure); Aircheck tries again when somebody wants to listen")
            case .progress(let progress): console.show(RelayWording.line(progress, width: console.width))
            case .ended(let outcome): return (urls, outcome)
            }
        }
    }
}
