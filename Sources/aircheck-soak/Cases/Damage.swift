// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport

/// Checks a station that sends a wrong byte in every 4 kB. Each wrong byte costs at most two frames. All other frames
/// are recorded as sent, in a single recording.
struct Damage: SoakCase {
    let name = "damage"
    let hazard = "B2"

    func run(_ plan: SoakPlan) throws -> String {
        let seconds = plan.minutes * 60
        let programme = Broadcast([.music(.seconds(seconds + 120))], seed: plan.seed)
        var random = SplitMix64(seed: plan.seed)
        var masks: [Int: UInt8] = [:]
        for start in stride(from: 0, to: programme.bytes.count - 4096, by: 4096) {
            masks[start + Int(random.next() % 4096)] = UInt8(1 + random.next() % 255)
        }
        let sent = programme.damaged(masks)
        let recording = try LiveRecording(of: sent, LiveScript(.stream(LiveStream(sent))), seconds: seconds)
        let frames = recording.frames
        try Harm.unless(frames.duplicated.isEmpty && frames.disorders == 0, "\(frames)")
        try Harm.unless(frames.foreign == 0 && frames.junkBytes == 0, "\(frames)")
        try Harm.unless(recording.files == 1, "\(recording.files) files")
        try Harm.unless(recording.reconnects == 0, "\(recording.reconnects) reconnects")
        let range = programme.byteRange(of: (frames.first ?? 0)..<(frames.last ?? 0) + 1)
        let hits = masks.keys.count { range.contains($0) }
        try Harm.unless(frames.lost.count <= 2 * hits, "\(hits) wrong bytes cost \(frames.lost.count) frames")
        return "\(hits) wrong bytes cost \(frames.lost.count) of \(frames.places.count) frames"
    }
}
