// SPDX-License-Identifier: MIT

import TestSupport
import TestTools

/// Checks that a good station is unaffected while the worst input of every parser and of the splicer arrives at full
/// speed.
struct Floods: SoakCase {
    let name = "floods"
    let hazard = "H11"

    func run(_ plan: SoakPlan) throws -> String {
        let rig = try ChildProcess(builtBinary("network-rig"), ["floods", "60"])
        let outcome = try rig.wait(within: .seconds(120))
        try Harm.unless(outcome.succeeded, "the rig ended with \(outcome.ending):\n\(outcome.standardError)")
        let found = try FloodReport(outcome.standardOutput)
        try Harm.unless(found.isExact && found.gaps == 0, "\(found)")
        try Harm.unless(found.secondsHeard > 59, "\(found)")
        try Harm.unless(found.longestPause <= 0.1, "\(found)")
        return "\(found.megabytes) MB in 60 s, the longest pause \(Int(found.longestPause * 1000)) ms"
    }
}
