// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

/// How soon the machine connects to a station that has returned after an absence, for many seeds.
@Suite struct ReturnTests {
    private static let longestRoundTrip = Duration.milliseconds(50)

    /// The time from the station's return to the first frame, and the number of attempts.
    private static func comeback(after absence: Duration, seed: UInt64) -> (delay: Duration, tries: Int)? {
        var random = SplitMix64(seed: seed)
        var machine = ConnectionMachine.live(seed: seed)
        var now = ConnectionMachine.epoch
        // The station had delivered audio for up to two minutes.
        now = now + .milliseconds(Int.random(in: 0...120_000, using: &random))
        _ = machine.frames(.first, now)
        let back = now + absence
        var action = machine.ended(.first, nil, now)
        var tries = 0
        while tries < 1_000 {
            if action == .wait, let deadline = machine.deadline {
                now = deadline
                action = machine.tick(now)
            }
            guard action.connected != nil else { return nil }
            tries += 1
            let isBack = now >= back
            now = now + longestRoundTrip * Double.random(in: 0...1, using: &random)
            if isBack {
                _ = machine.climb(.first, now)
                return (now - back, tries)
            }
            action = machine.ended(.first, Failure(.refused, "refused", remedy: ""), now)
        }
        return nil
    }

    @Test("A station that was gone for three seconds is connected within 0.6 s of its return") func shortAbsence() {
        let comebacks = (0..<1_000 as Range<UInt64>).map { Self.comeback(after: .seconds(3), seed: $0) }
        let latest = Duration.milliseconds(600) + Self.longestRoundTrip * 2
        #expect(comebacks.allSatisfy { $0.map { $0.delay <= latest && $0.tries <= 10 } ?? false })
    }

    /// Frames are held for up to two more seconds, because they may continue the frames already delivered.
    @Test(
        "A station that was gone for long is connected within three seconds of its return",
        arguments: [12, 20, 30, 300]) func longAbsence(
            seconds: Int
        )
    {
        let comebacks = (0..<1_000 as Range<UInt64>).map { Self.comeback(after: .seconds(seconds), seed: $0) }
        #expect(comebacks.allSatisfy { $0.map { $0.delay <= .seconds(3) && $0.tries <= 20 + seconds / 2 } ?? false })
        // Stations do not all return in the same instant.
        #expect(Set(comebacks.map { $0?.delay }).count > 900)
    }
}
