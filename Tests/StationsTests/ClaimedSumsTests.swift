// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Stations

/// Frames that claim absurd playing times, on the way from a connection to the hub: no sum of them traps.
struct ClaimedSumsTests {
    private let programme = SampleProgramme(400)

    @Test(
        "B21: Frames that claim absurd playing times pass joint, filter, inlet and hub without a trap",
        arguments: [1, 44_100, 1_000_000])
    func everyStep(sampleRate: Int) throws {
        let (hub, reactor) = (StreamHub(), ManualReactor())
        let inlet = HubInlet(hub: hub)
        let filter = ForeignFilter(inlet: inlet, reactor: reactor)
        var clock = EdgeClock()
        let claims = [Int.max, Int.max - 1, Int(UInt32.max), Int(UInt32.max) + 1, 1_152, 0]
        func bring(_ frames: Range<Int>, to joint: Joint) {
            joint.take(.format(StreamFormat(codec: .flac, sampleRate: sampleRate, channels: 2)))
            for number in frames {
                programme.frames(number..<number + 1).withUnsafeBytes {
                    let facts = FrameFacts(samples: claims[number % claims.count])
                    joint.take(FrameBatch(facts, length: $0.count), $0)
                }
                clock.arrived(upTo: joint.played, now: reactor.now)
                reactor.advance(by: .milliseconds(20))
            }
        }
        func settle(_ joint: Joint) {
            _ = joint.deadline(clock)
            if joint.arrived(clock, at: reactor.now, mayGap: true) ?? joint.conclude(clock) != nil { joint.open() }
            inlet.arrived(clock, at: joint.passed - filter.duration, reactor.readClocks())
            hub.flush()
        }
        let first = Joint(after: inlet.bookmark, taker: filter)
        bring(0..<100, to: first)
        settle(first)
        // The next connection begins with frames already delivered, behind a gap.
        let clocks = reactor.readClocks()
        _ = inlet.report(
            .inside(at: clocks.wall, length: .seconds(1)), isFinal: true, start: clocks.now, isSettled: true, clocks)
        filter.watch(for: inlet.bookmark, missing: nil, clocks)
        clock = EdgeClock()
        let second = Joint(after: inlet.bookmark, taker: filter)
        bring(60..<200, to: second)
        settle(second)
        for claim in [.max, .max - 1, 1] as [Int64] {
            _ = inlet.report(missing: claim, clocks)
            bring(200..<300, to: second)
            settle(second)
        }
        filter.release()
        settle(second)
        #expect(hub.position.frames >= 300 && hub.position.samples > 0)
        #expect(inlet.end > .zero && second.played > .zero)
    }
}
