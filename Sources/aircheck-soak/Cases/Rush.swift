// SPDX-License-Identifier: MIT

import TestSupport

/// Checks a server that sends at twenty times the playing speed. All audio is recorded, and memory stays bounded.
struct Rush: SoakCase {
    let name = "rush"
    let hazard = "A16"

    func run(_ plan: SoakPlan) throws -> String {
        let seconds = plan.minutes * 60
        let programme = Broadcast([.music(.seconds(20 * seconds + 120))], MPEGShape(32, isMono: true), seed: plan.seed)
        var stream = LiveStream(programme)
        stream.speed = (20, nil)
        let recording = try LiveRecording(of: programme, LiveScript(.stream(stream)), seconds: seconds)
        try recording.expectExact(seconds: 19 * seconds)
        // The limit is 32 MiB above the program's idle memory.
        try Harm.unless(recording.peakMemory < 42, "\(recording.peakMemory) MiB")
        return "\(recording.frames.places.count) frames, at most \(recording.peakMemory) MiB"
    }
}
