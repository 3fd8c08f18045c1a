// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import EventLoop
import HTTPServer
import RadioCore
import RadioFormats

/// The API's route for trying hooks. Confined to the loop's thread.
final class HookRoutes {
    private unowned let control: ControlService
    private let daemon: Daemon
    private let zone: any TimeZoneRules

    init(_ control: ControlService, _ daemon: Daemon, zone: any TimeZoneRules) {
        self.control = control
        self.daemon = daemon
        self.zone = zone
        control.add("/v1/hooks/test", .post) { [unowned self] in test($0) }
    }

    private func test(_ exchange: HTTPExchange) {
        let number = exchange.request.head.target.queryValue("hook").flatMap { Int($0) }
        let count = daemon.configuration.hooks.count
        guard count > 0 else { return exchange.respond(control.refusal(Self.none)) }
        guard number.map({ (1...count).contains($0) }) ?? true, let hooks = control.hooks else {
            return exchange.respond(control.refusal(Self.unknown(of: count)))
        }
        hooks.test(only: number.map { $0 - 1 }, in: zone) { trials in
            exchange.respond(ControlService.ok(["hooks": .array(trials.map(Self.json))]))
        }
    }

    private static func json(_ trial: HookTrial) -> JSONValue {
        let events = trial.settings.events.map(\.rawValue).sorted()
        return [
            "hook": .integer(Int64(trial.hook + 1)), "action": .string(trial.settings.action.description),
            "on": .array(events.map(JSONValue.string)), "error": trial.failure.map(JSONValue.string) ?? .null,
            "output": trial.output.isEmpty ? .null : .string(trial.output),
        ]
    }

    private static let none = Failure(
        .notFound, "the configuration has no [[hook]]", remedy: "config.example.toml shows how to write one")

    private static func unknown(of count: Int) -> Failure {
        Failure(.notFound, "there is no such hook", remedy: "hooks are numbered from 1 to \(count), as in the file")
    }
}
