// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

/// Runs the hazards that take minutes (docs/hazards.md), one after another. Exit status 1 if any of them does harm.
///
///     aircheck-soak [case…] [--minutes N] [--seed N]
///
/// Without names, runs all cases. `--minutes`: the duration of the cases without a fixed one, by default 10. The seed
/// is printed, so that a run can be repeated.
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
