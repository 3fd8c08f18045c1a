// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import HTTPServer
import RadioCore

/// Runs one relay to its end: the engine on the loop's thread, the terminal on this one.
struct RelayRun {
    var job: RelayJob

    /// Returns, or throws the exit status.
    func run() throws {
        var console = Console()
        let runner = try EngineRunner<RelayEvent>()
        defer { runner.close() }
        runner.begin { [job] engine, post in engine.relay(job, tell: post) }
        while true {
            switch runner.next() {
            case .station(let notice): Wording.line(notice).map { console.say($0) }
            case .skipped(let item, let reason): console.say("skipped \(item): \(reason)")
            case .listening(let addresses):
                for address in addresses { console.say("listen at http://\(address)\(job.path)") }
            case .ended(let outcome):
                if let failure = outcome.failure { console.say("error: \(failure)") }
                let status = ExitStatus.of(outcome.failure)
                if status != ExitStatus.done { throw status }
                return
            }
        }
    }
}
