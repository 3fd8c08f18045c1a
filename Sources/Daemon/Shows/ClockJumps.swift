// SPDX-License-Identifier: MIT

import Instants

/// The times that the wall clock has left out while this daemon ran. It was set forward, rightly or not, or the machine
/// slept: then nothing was recorded at these times, or what was recorded has other times.
struct ClockJumps {
    private var last: ClockReading?
    /// The newest jumps, in order.
    private var jumps: [Range<WallInstant>] = []

    /// A time server corrects smaller errors little by little.
    private static let shortest = Duration.milliseconds(500)
    private static let most = 100

    /// Compares how far the two clocks have advanced since the last call. Call it often.
    mutating func look(_ clocks: ClockReading) {
        defer { last = clocks }
        // If the clock was set back, the times after the present one are still to come.
        jumps = jumps.map { $0.clamped(to: $0.lowerBound..<max($0.lowerBound, clocks.wall)) }.filter { !$0.isEmpty }
        guard let expected = last?.wall(at: clocks.now), clocks.wall - expected >= Self.shortest else { return }
        jumps = (jumps + [expected..<clocks.wall]).sorted { $0.lowerBound < $1.lowerBound }.suffix(Self.most)
    }

    /// The jumps as causes of missing audio.
    var causes: [RecordingResult.Cause] { jumps.map { .init(span: $0, text: RecordingResult.clockSet) } }
}
