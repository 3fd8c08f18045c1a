// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import Platform
import RadioCore
import RadioFormats

/// Asks a running daemon, and reports a refusal in words and as exit status. For commands without a loop.
enum DaemonQuestion {
    static func ask(_ client: ControlClient, _ target: ControlTarget, method: String = "GET") throws -> JSONValue {
        // Signals are held back for a loop. Here none handles them, and there is nothing to finish.
        ProcessSignals.letCome()
        do throws(Failure) {
            return try client.ask(target, method: method)
        } catch {
            var console = Console()
            let isAway = error.failureClass == .unreachable
            console.say("error: \(error.message): \(error.remedy)\(isAway ? "; --socket names another socket" : "")")
            throw error.failureClass.exitStatus.code
        }
    }
}
