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

/// When a better entry of a list is tried again.
@Suite struct BetterEntryTests {
    private typealias Machine = ConnectionMachine

    /// The second of three entries plays, because the first was refused.
    private static func machine() -> Machine {
        var machine = Machine(mirrors: 3, giveUp: nil, seed: 1)
        _ = machine.start(Machine.epoch)
        let next = machine.ended(.first, Failure(.serverBusy, "busy", remedy: ""), Machine.epoch)
        #expect(next.connected?.mirror == 1)
        _ = machine.climb(.first, Machine.epoch)
        machine.set([.init(isBetter: true), .init(), .init(mayBeTried: false)])
        return machine
    }

    @Test("A32: A better entry is tried beside the one that plays, at pauses that double up to a minute") func pauses()
    {
        var machine = Self.machine()
        var now = Machine.epoch
        var tries: [Duration] = []
        while now < Machine.epoch + .seconds(300) {
            now = now + .milliseconds(100)
            _ = machine.frames(.first, now)
            guard let hedge = machine.tick(now).hedged else { continue }
            #expect(hedge.mirror == 0 && machine.isReturning)
            tries.append(now - Machine.epoch)
            // Frames of the entry that plays do not end the try.
            _ = machine.frames(.first, now)
            #expect(machine.recovered() == .none)
            #expect(machine.ended(.hedge, Failure(.serverBusy, "busy", remedy: ""), now) == .closeHedge)
        }
        let pauses = zip(tries, [.zero] + tries).map { Int(($0 - $1).inSeconds.rounded()) }
        #expect(pauses == [2, 4, 8, 16, 32, 60, 60, 60] && machine.hedges == 0)
    }

    @Test("A32: A better entry takes over after some seconds of audio, or as soon as its frames match") func takesOver()
    {
        var machine = Self.machine()
        var now = Machine.epoch
        var hedge: Machine.Attempt?
        while hedge == nil {
            now = now + .milliseconds(100)
            _ = machine.frames(.first, now)
            hedge = machine.tick(now).hedged
        }
        #expect(machine.climb(.hedge, now) == .none)
        var matching = machine
        #expect(matching.matched(now).promoted == hedge)
        var ahead = machine
        #expect(machine.frames(.hedge, now + .seconds(2)) == .none)
        #expect(machine.frames(.hedge, now + .seconds(3)).promoted == hedge)
        // The one that plays may still deliver what precedes its frames.
        #expect(ahead.frames(.hedge, now + .seconds(29), mayMatch: true) == .none)
        #expect(ahead.frames(.hedge, now + .seconds(31), mayMatch: true).promoted == hedge)
        #expect(!machine.isReturning && machine.attempt?.mirror == 0)
    }

    @Test("A31: An entry that may not be tried gets no turn and no hedge") func otherStations() {
        var machine = Self.machine()
        machine.set([.init(mayBeTried: false), .init(), .init(mayBeTried: false)])
        var now = Machine.epoch
        for _ in 0..<200 {
            now = machine.deadline ?? now
            switch machine.tick(now) {
            case .connect(let attempt), .openHedge(let attempt):
                #expect(attempt.mirror == 1)
                _ = machine.ended(machine.isHedged ? .hedge : .first, Failure(.refused, "refused", remedy: ""), now)
            default: break
            }
        }
        #expect(now > Machine.epoch + .seconds(60))
    }
}
