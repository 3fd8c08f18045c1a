// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import HTTPServer
import RadioCore
import RadioFormats

/// The API's route for trying hooks.
extension ControlService {
    func testHooks(_ exchange: HTTPExchange) throws(Failure) {
        let number = exchange.query("hook").flatMap { Int($0) }
        let count = daemon.configuration.hooks.count
        guard count > 0 else { throw Self.noHooks }
        guard number.map({ (1...count).contains($0) }) ?? true else { throw Self.unknownHook(of: count) }
        daemon.hookRunner.test(only: number.map { $0 - 1 }, in: zone) { trials in
            exchange.respond(Self.ok(["hooks": .array(trials.map(Self.shown))]))
        }
    }

    private static func shown(_ trial: HookTrial) -> JSONValue {
        .object([
            "hook": trial.hook + 1, "action": trial.settings.action.description,
            "on": trial.settings.events.sorted(), "error": trial.failure,
            "output": trial.output.isEmpty ? nil : trial.output,
        ])
    }

    private static let noHooks = Failure(
        .notFound, "the configuration has no [[hook]]", remedy: "config.example.toml shows how to write one")

    private static func unknownHook(of count: Int) -> Failure {
        Failure(.notFound, "there is no such hook", remedy: "hooks are numbered from 1 to \(count), as in the file")
    }
}
