// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import Platform
import RadioCore
import RadioFormats

extension Failure.Class {
    /// The exit status of a command whose request a daemon has refused for this reason. Only a daemon that does not
    /// answer is `unavailable`.
    var answerStatus: ExitStatus {
        switch self {
        case .notFound: .noInput
        case .forbidden: .noPermission
        case .serverBusy: .tryAgain
        default: exitStatus
        }
    }
}

extension ControlClient {
    /// The answer of a running daemon. Prints a refusal and throws its exit status. For commands without a loop.
    func answer(
        _ target: ControlTarget, method: ControlClient.Method = .get, timeout: Duration = .seconds(30)
    ) throws -> JSONValue {
        // Signals are blocked for a loop to handle. This command has no loop and nothing to finish, so signals may end
        // it.
        ProcessSignals.letCome()
        do throws(ControlClient.Refusal) {
            return try ask(target, method: method, timeout: timeout)
        } catch {
            var console = Console()
            let failure = error.failure
            let isAway = failure.failureClass == .unreachable
            for problem in error.problems { console.say(problem) }
            console.say("error: \(failure.words)\(isAway ? "; --socket names another socket" : "")")
            throw failure.failureClass.answerStatus.code
        }
    }
}
