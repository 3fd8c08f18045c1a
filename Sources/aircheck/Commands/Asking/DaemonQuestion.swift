// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import Platform
import RadioCore
import RadioFormats

/// Sends a request to a running daemon. Prints a refusal and throws its exit status. For commands without a loop.
enum DaemonQuestion {
    static func ask(_ client: ControlClient, _ target: ControlTarget, method: String = "GET") throws -> JSONValue {
        // Signals are blocked for a loop to handle. This command has no loop and nothing to finish, so signals may end
        // it.
        ProcessSignals.letCome()
        do throws(ControlClient.Refusal) {
            return try client.ask(target, method: method)
        } catch {
            var console = Console()
            let failure = error.failure
            let isAway = failure.failureClass == .unreachable
            for problem in error.problems { console.say(problem) }
            console.say("error: \(failure.words)\(isAway ? "; --socket names another socket" : "")")
            throw failure.failureClass.exitStatus.code
        }
    }
}
