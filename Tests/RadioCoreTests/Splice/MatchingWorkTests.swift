// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import Testing

@testable import RadioCore

/// The cost of finding a connection's place, counted in frames and places examined, is bounded, whatever frames a
/// server sends.
struct MatchingWorkTests {
    /// The frames of a server, of which `kinds` are different. They come in turn or at random.
    struct Frames: Sendable, CustomTestStringConvertible {
        let kinds: UInt64
        let areInTurn: Bool
        var testDescription: String { "\(kinds) kinds \(areInTurn ? "in turn" : "at random")" }

        /// The marks of `count` frames, which play as long as the smallest Vorbis frames.
        func marks(_ count: Int, seed: UInt64) -> [FrameMark] {
            var random = SplitMix64(seed: seed)
            return (0..<count).map { number in
                let kind = areInTurn ? UInt64(number) % kinds : random.next() % kinds
                return FrameMark(fingerprint: kind, nanoseconds: 2_900_000)
            }
        }
    }

    private static let all = (1...6).flatMap { kinds in
        [true, false].map { Frames(kinds: kinds, areInTurn: $0) }
    }

    /// The number of frames that are remembered.
    private static let full = 1 << 15
    /// One query examines 16 ends with 16 places each, and 16 places of the newest frames. It then compares all of
    /// them.
    private static let mostOfTold = 2 * (16 * 16 + 16)
    private static let mostOfFitting = 2_048

    private static func memory(_ marks: [FrameMark]) -> FrameMemory {
        var memory = FrameMemory()
        for mark in marks { memory.append(mark) }
        return memory
    }

    @Test("C20: Each frame costs the matcher the same, and the cost of each query is bounded", arguments: all)
    func matcher(_ frames: Frames) {
        var matcher = FrameMatcher(Self.memory(frames.marks(Self.full, seed: 1)))
        #expect(matcher.work <= 2 * Self.full)
        for (number, mark) in frames.marks(6_000, seed: 2).enumerated() {
            var before = matcher.work
            matcher.add(mark)
            #expect(matcher.work - before == 1)
            guard number % 30 == 0 else { continue }
            before = matcher.work
            #expect(matcher.told().count <= 16 * 16 + 16)
            #expect(matcher.work - before <= Self.mostOfTold, "frame \(number)")
            before = matcher.work
            _ = matcher.fitting(.seconds(20), within: .milliseconds(1_500))
            #expect(matcher.work - before <= Self.mostOfFitting, "frame \(number)")
        }
    }

    /// A verdict takes at most two queries by frames and three queries by time.
    @Test("C20: The matching cost of a reconnect is bounded, also if frames are delivered meanwhile", arguments: all)
    func reconnect(_ frames: Frames) {
        let heard = frames.marks(Self.full, seed: 1)
        let tail = MonotonicInstant(nanoseconds: 1_000_000_000_000)
        var splicer = Splicer(after: .init(Self.memory(heard), tail: tail))
        #expect(splicer.matcher.work <= 2 * Self.full)
        // The burst consists of all remembered frames and as many new ones, and arrives in pieces. It is too late for
        // most places.
        let new = heard + frames.marks(Self.full, seed: 3)
        let delivery = 512
        var clock = EdgeClock()
        for start in stride(from: 0, to: new.count, by: delivery) {
            let before = splicer.matcher.work
            let piece = new[start..<start + delivery]
            for mark in piece { splicer.add(mark, bytes: 2) }
            let now = tail + .seconds(1) + .milliseconds(start / delivery)
            clock.arrived(upTo: .nanoseconds(2_900_000 * Int64(start + delivery)), now: now)
            _ = splicer.arrived(clock, at: now, mayGap: true)
            let cost = splicer.matcher.work - before - delivery
            #expect(cost <= 2 * Self.mostOfTold + 3 * Self.mostOfFitting, "frame \(start)")
        }
        var before = splicer.matcher.work
        _ = splicer.conclude(clock)
        #expect(splicer.matcher.work - before <= 2 * Self.mostOfTold + 3 * Self.mostOfFitting)
        before = splicer.matcher.work
        var memory = Self.memory(heard)
        for mark in new.prefix(delivery) { memory.append(mark) }
        let isExtended = splicer.extend(to: .init(memory, tail: tail + .seconds(2)))
        #expect(isExtended)
        #expect(splicer.matcher.work - before <= delivery + new.count)
        before = splicer.matcher.work
        _ = splicer.conclude(clock)
        #expect(splicer.matcher.work - before <= 2 * Self.mostOfTold + 3 * Self.mostOfFitting)
    }
}
