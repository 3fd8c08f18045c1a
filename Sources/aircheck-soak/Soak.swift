// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

/// Runs the hazards that need minutes (docs/hazards.md), one after the other; status 1 where one of them does harm.
///
///     aircheck-soak [case…] [--minutes N] [--seed N]
///
/// Without names, all. `--minutes` is how long a case goes on that has no length of its own, 10 unless told otherwise.
/// The seed is printed, so that a run can be repeated.
@main
enum Soak {
    static func main() {
        do {
            let plan = try SoakPlan(CommandLine.arguments.dropFirst())
            say("seed \(plan.seed)")
            var isGood = true
            for soakCase in plan.cases {
                let start = SoakClock.seconds()
                do {
                    let result = try soakCase.run(plan)
                    say("ok    \(soakCase.name) (\(soakCase.hazard)), \(SoakClock.seconds() - start) s: \(result)")
                } catch {
                    isGood = false
                    say("FAILED \(soakCase.name) (\(soakCase.hazard)): \(error)")
                }
            }
            exit(isGood ? 0 : 1)
        } catch {
            say("\(error)")
            exit(2)
        }
    }

    private static func say(_ text: String) {
        let line = Array("\(text)\n".utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }
}
