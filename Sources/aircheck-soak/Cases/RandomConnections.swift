// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport

/// Checks connections that end or stall at random, within frames and within metadata, for minutes. The burst covers
/// every hole, so nothing is lost or repeated, and there is no gap.
struct RandomConnections: SoakCase {
    let name = "random-connections"
    let hazard = "H7"

    func run(_ plan: SoakPlan) throws -> String {
        let seconds = plan.minutes * 60
        let programme = Broadcast([.music(.seconds(seconds + 120))], seed: plan.seed)
        let script = LiveScript { visit in
            var random = SplitMix64(seed: plan.seed &+ UInt64(visit.number))
            let time = Duration.milliseconds(6_000 + Int64(random.next() % 20_000))
            let effect = [LiveFault.Effect.close, .reset, .stall][Int(random.next() % 3)]
            let fault: LiveFault =
                random.next() % 2 == 0 ? .inFrame(after: time, effect) : .inMetadata(after: time, effect)
            return .stream(LiveStream(programme, burst: 64 << 10, interval: 16_000, faults: [fault]))
        }
        let recording = try LiveRecording(of: programme, script, seconds: seconds)
        try recording.expectExact(seconds: seconds)
        return "\(recording.reconnects) reconnects, \(recording.frames.places.count) frames"
    }
}
