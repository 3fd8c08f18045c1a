// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

@testable import Engine

/// When a programme is started and stopped.
struct HostLifeTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private static let dropped = Failure(.dropped, "test", remedy: "none")
    private static let refused = Failure(.unauthorized, "test", remedy: "none")

    @Test("A programme runs while it is claimed, and lingers for the longest time that was requested") func claims() {
        var life = HostLife()
        #expect(life.claimed(Self.start) == .begin)
        #expect(life.claimed(Self.start) == .none)
        #expect(life.released(linger: .seconds(30), isClaimed: true, Self.start) == .none)
        #expect(life.released(linger: .zero, isClaimed: false, Self.start + .seconds(1)) == .none)
        #expect(life.state == .lingering && life.deadline == Self.start + .seconds(30))
        #expect(life.tick(Self.start + .seconds(29)) == .none)
        #expect(life.tick(Self.start + .seconds(30)) == .stop)
        #expect(life.ended(nil, wasHeard: true, Self.start + .seconds(31)) == .none)
        #expect(life.state == .idle && life.deadline == nil)
    }

    @Test("A claim while the programme ends makes it begin anew") func claimAtEnd() {
        var life = HostLife()
        _ = life.claimed(Self.start)
        #expect(life.released(linger: .zero, isClaimed: false, Self.start) == .stop)
        #expect(life.claimed(Self.start) == .none)
        #expect(life.ended(nil, wasHeard: true, Self.start) == .begin)
    }

    @Test("A programme that fails rests longer each time, until it has brought audio") func rest() {
        var life = HostLife()
        var now = Self.start
        _ = life.claimed(now)
        for rest in [2, 4, 8, 16, 32, 60, 60] {
            #expect(life.ended(Self.dropped, wasHeard: false, now) == .none && life.claimed(now) == .none)
            #expect(life.deadline == now + .seconds(rest))
            now = now + .seconds(rest)
            #expect(life.tick(now) == .begin)
        }
        #expect(life.ended(Self.dropped, wasHeard: true, now) == .none)
        #expect(life.restsUntil == now + .seconds(2))
        _ = life.claimed(now)
        #expect(life.ended(Self.refused, wasHeard: false, now) == .none)
        #expect(life.restsUntil == now + .seconds(300))
    }

    /// Events occur in any order. The programme must run if it is claimed and its rest is over, and never otherwise.
    @Test("An oracle agrees with each decision about when a programme runs", arguments: 0..<50 as Range<UInt64>)
    func oracle(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var life = HostLife()
        var now = Self.start
        var (claims, isRunning, isStopping) = (0, false, false)
        func heed(_ action: HostLife.Action) {
            switch action {
            case .none: break
            case .begin:
                #expect(!isRunning && claims > 0 && (life.restsUntil ?? now) <= now)
                isRunning = true
            case .stop:
                #expect(isRunning && !isStopping && claims == 0)
                isStopping = true
            }
        }
        for _ in 0..<300 {
            now = now + .milliseconds(Int.random(in: 0...2_000, using: &random))
            if let deadline = life.deadline, deadline <= now { heed(life.tick(now)) }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                claims += 1
                heed(life.claimed(now))
            case 1 where claims > 0:
                claims -= 1
                let linger = Duration.seconds(Int.random(in: 0...5, using: &random))
                heed(life.released(linger: linger, isClaimed: claims > 0, now))
            case 2 where isRunning:
                let failure = Bool.random(using: &random) && !isStopping ? Self.dropped : nil
                if !isStopping { claims = 0 }
                (isRunning, isStopping) = (false, false)
                heed(life.ended(failure, wasHeard: Bool.random(using: &random), now))
            default: break
            }
            #expect(isRunning == [.running, .lingering, .stopping].contains(life.state))
            #expect(claims == 0 || life.state != .idle && life.state != .lingering)
        }
    }
}
