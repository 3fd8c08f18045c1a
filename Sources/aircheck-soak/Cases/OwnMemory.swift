// SPDX-License-Identifier: MIT

import TestSupport
import TestTools

/// Checks that a running recording uses no more memory of its own than promised, and that this use does not grow.
///
/// The memory counted is the memory that the program has written to and does not share. Code is excluded, because the
/// kernel can read it again at any time.
struct OwnMemory: SoakCase {
    let name = "own-memory"
    let hazard = "H13"

    /// The limit in KiB. 2,900 KiB were measured on 25 November 2026; 32 KiB more are allowed. Code that only `serve`
    /// needs must not increase the measured value.
    private static let most = 2_932
    /// The duration of the recording in seconds. It covers the start, the burst and the first sidecar, which is due
    /// after a minute.
    private static let seconds = 75

    func run(_ plan: SoakPlan) throws -> String {
        let programme = Broadcast([.music(.seconds(Self.seconds + 60))], MPEGShape(128), seed: plan.seed)
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(programme, burst: 64 << 10))))
        let folder = try TemporaryFolder("aircheck-soak")
        let process = try ChildProcess(
            aircheckBinary(), ["record", origin.url("/live"), "--segment", "none", "--output", folder.path])
        let begin = SoakClock.seconds()
        var (last, peak) = (0, 0)
        while SoakClock.seconds() - begin < Self.seconds {
            let ended = try? process.wait(within: .seconds(5))
            try Harm.unless(ended == nil, "the recording ended early:\n\(process.errorSoFar)")
            last = try ProcessFigures.dirtyKiB(of: process.pid)
            peak = max(peak, last)
            try Harm.unless(last <= Self.most, "\(last) KiB after \(SoakClock.seconds() - begin) s")
        }
        process.terminate()
        let outcome = try process.wait(within: .seconds(10))
        origin.stop()
        try Harm.unless(outcome.succeeded, "the recording ended with \(outcome.ending):\n\(outcome.standardError)")
        return "\(last) KiB after \(Self.seconds) s, at most \(peak) KiB"
    }
}
