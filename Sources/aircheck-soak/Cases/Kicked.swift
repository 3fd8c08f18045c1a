// SPDX-License-Identifier: MIT

import TestSupport

/// Checks a server that ends each connection after a minute and begins the next with a burst of 512 KiB. Nothing is
/// lost or repeated.
struct Kicked: SoakCase {
    let name = "kicked"
    let hazard = "A20"

    func run(_ plan: SoakPlan) throws -> String {
        let seconds = plan.minutes * 60
        let programme = Broadcast([.music(.seconds(seconds + 120))], seed: plan.seed)
        let stream = LiveStream(programme, burst: 512 << 10, faults: [.at(.seconds(60), .close)])
        let recording = try LiveRecording(of: programme, LiveScript(.stream(stream)), seconds: seconds)
        try recording.expectExact(seconds: seconds)
        try Harm.unless(recording.reconnects >= plan.minutes - 1, "only \(recording.reconnects) reconnects")
        return "\(recording.reconnects) reconnects, \(recording.frames.places.count) frames"
    }
}
