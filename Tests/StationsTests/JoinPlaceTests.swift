// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import Stations
import TestSupport
import Testing

@testable import RadioCore

/// A sink that joins in the past receives what it would have received had it been attached then.
struct JoinPlaceTests {
    private static let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)
    private static let other = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 48_000, channels: 2)
    private static let wall = WallInstant(nanoseconds: 1_700_000_000_000_000_000)

    /// Records every event, and every frame of the chunks, with the number of the frame before which it was received.
    private final class Witness: StreamSink {
        var told: [(frame: Int64, text: String)] = []
        var airTimes: [AirTime] = []
        private var next: Int64 = 0

        func receive(_ event: StreamEvent) {
            switch event {
            case .chunk(let chunk):
                next = chunk.position.frames
                for index in chunk.frames {
                    let frame = chunk.slab.withBytes(chunk.slab.range(ofFrame: index)) { Fingerprint($0) }
                    told.append((next, "frame \(frame.value)"))
                    next += 1
                }
            case .format(let format, let position):
                next = position.frames
                told.append((next, "format \(format.sampleRate)"))
            case .title(let title):
                #expect(title.position.frames == next)
                told.append((next, "title \(title.text)"))
            case .discontinuity(let discontinuity): told.append((next, "\(discontinuity.kind)"))
            case .hole(let gap, let position): told.append((position.frames, "gap(\(gap))"))
            case .splice(let splice): told.append((next, "splice \(splice.droppedFrames)"))
            case .stretch(let stretch): told.append((next, "stretch \(stretch.frames)"))
            case .found(let found): told.append((next, "found \(found.before)"))
            case .airTime(let map): airTimes.append(map)
            case .station, .ended: break
            }
        }

        /// What was received after the frame of this number.
        func after(_ frame: Int64) -> [String] { told.filter { $0.frame > frame }.map(\.text) }
        func last(_ kind: String, upTo frame: Int64) -> String? {
            told.last { $0.frame <= frame && $0.text.hasPrefix(kind) }?.text
        }
    }

    @Test(
        "A late sink receives the same from its first frame on as a sink that was there from the start",
        arguments: 0..<40 as Range<UInt64>)
    func lateSink(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let hub = StreamHub(depth: .seconds(4))
        let witness = Witness()
        hub.attach(witness)
        hub.begin(Self.format)
        hub.report(.firstJoin)
        for number in 0..<1_500 {
            perform(Int.random(in: 0..<200, using: &random), number, on: hub)
            var frame = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
            frame.append(UInt8(truncatingIfNeeded: number))
            frame.withUnsafeBytes { hub.append($0, samples: 1_152, backReference: 0) }
            if Int.random(in: 0..<5, using: &random) == 0 { hub.flush() }
            guard number % 97 == 96 else { continue }
            let late = Witness()
            hub.attach(late, at: .behind(.milliseconds(Int.random(in: 0...6_000, using: &random))))
            hub.detach(late)
            let start = try #require(late.told.first?.frame)
            #expect(late.after(start) == witness.after(start))
            #expect(late.told.first?.text == witness.last("format", upTo: start))
            #expect(late.last("title", upTo: start) == witness.last("title", upTo: start))
            #expect(late.told.count { $0.frame == start && $0.text == "firstJoin" } == 1)
        }
    }

    private func perform(_ choice: Int, _ number: Int, on hub: StreamHub) {
        let at = Self.wall + .milliseconds(26 * number)
        switch choice {
        case 0: hub.begin(hub.ring.format == Self.format ? Self.other : Self.format)
        case 1...4: hub.setTitle("title \(number)")
        case 5: hub.report(.resync)
        case 6: hub.report(.gap(Gap(at: at, length: .seconds(number), cause: "test")))
        case 7: hub.report(Splice(position: hub.position, at: at, droppedFrames: Int64(number), method: .match))
        case 8: hub.report(Stretch(.foreign, frames: Int64(number) - 5..<Int64(number), at: at, length: .seconds(1)))
        case 9...12:
            hub.setAirTime(AirTime(origin: at, sampleRate: 44_100, isSettled: true))
        default: break
        }
    }

    @Test("A sink can begin at the frame that was on air at an instant") func joinAtAirTime() {
        let hub = StreamHub(depth: .seconds(60))
        hub.begin(Self.format)
        hub.report(.firstJoin)
        hub.setAirTime(AirTime(origin: Self.wall, sampleRate: 44_100, isSettled: true))
        feed(hub, 500)
        hub.report(.gap(Gap(at: Self.wall, length: .seconds(100), cause: "test")))
        let gap = hub.position.samples
        hub.setAirTime(AirTime(origin: Self.wall + .seconds(100), sampleRate: 44_100, isSettled: true))
        feed(hub, 500)
        func first(from instant: WallInstant) -> (frame: Int64?, airTime: AirTime?) {
            let sink = Witness()
            hub.attach(sink, at: .airTime(instant))
            hub.detach(sink)
            return (sink.told.first?.frame, sink.airTimes.first)
        }
        #expect(first(from: Self.wall - .seconds(5)).frame == 0)
        #expect(first(from: Self.wall + .samples(1_152 * 100, at: 44_100)).frame == 100)
        #expect(first(from: Self.wall + .samples(1_152 * 101 - 1, at: 44_100)).frame == 100)
        #expect(first(from: Self.wall + .samples(1_152 * 101, at: 44_100)).frame == 101)
        #expect(first(from: Self.wall + .seconds(50)).frame == 500, "in the gap")
        let behind = first(from: Self.wall + .seconds(100) + .samples(gap + 1_152 * 3, at: 44_100))
        #expect(behind.frame == 503 && behind.airTime?.origin == Self.wall + .seconds(100))
        #expect(first(from: Self.wall + .seconds(3_000)).frame == 1_000, "nothing is that new")
    }

    @Test("A sink that begins at an instant does not begin with foreign audio") func joinBehindForeignAudio() {
        let hub = StreamHub(depth: .seconds(60))
        hub.begin(Self.format)
        hub.report(.firstJoin)
        hub.setAirTime(AirTime(origin: Self.wall, sampleRate: 44_100, isSettled: true))
        feed(hub, 500)
        hub.report(Stretch(.foreign, frames: 200..<300, at: Self.wall, length: .seconds(2)))
        for (frame, first) in [(100, 100), (200, 300), (250, 300), (300, 300), (400, 400)] {
            let sink = Witness()
            hub.attach(sink, at: .airTime(Self.wall + .samples(Int64(1_152 * frame), at: 44_100)))
            #expect(sink.told.first?.frame == Int64(first))
        }
    }

    @Test("A gap that was told again is told once to a sink that begins before it, with what is known last")
    func gapToldAgain() {
        let hub = StreamHub(depth: .seconds(60))
        hub.begin(Self.format)
        hub.report(.firstJoin)
        feed(hub, 500)
        let place = hub.position
        hub.report(.gap(Gap(at: Self.wall, length: .seconds(5), cause: "test")))
        hub.setAirTime(AirTime(origin: Self.wall, sampleRate: 44_100, isSettled: true))
        feed(hub, 500)
        let shorter = Gap(at: Self.wall, length: .seconds(4), cause: "test")
        hub.report(shorter, before: place)
        hub.setAirTime(AirTime(origin: Self.wall + .seconds(1), sampleRate: 44_100, isSettled: true))
        let sink = Witness()
        hub.attach(sink, at: .behind(.seconds(20)))
        #expect(sink.told.filter { $0.text.hasPrefix("gap") }.map(\.text) == ["\(Discontinuity.Kind.gap(shorter))"])
        #expect(sink.airTimes.last?.origin == Self.wall + .seconds(1))
    }

    @Test("An air-time map that was found later applies to earlier frames as well") func laterMap() {
        let hub = StreamHub(depth: .seconds(60))
        hub.begin(Self.format)
        hub.report(.firstJoin)
        hub.setAirTime(AirTime(origin: Self.wall, sampleRate: 44_100, isSettled: false))
        feed(hub, 100)
        let settled = AirTime(origin: Self.wall - .seconds(4), sampleRate: 44_100, isSettled: true)
        hub.setAirTime(settled)
        feed(hub, 10)
        let late = Witness()
        hub.attach(late, at: .behind(.seconds(60)))
        #expect(late.airTimes == [settled])
    }

    @Test("A map that a silence has put in doubt does not replace that of the frames before it") func doubtfulMap() {
        let hub = StreamHub(depth: .seconds(60))
        hub.begin(Self.format)
        hub.report(.firstJoin)
        let settled = AirTime(origin: Self.wall, sampleRate: 44_100, isSettled: true)
        hub.setAirTime(settled)
        feed(hub, 100)
        hub.setAirTime(AirTime(origin: Self.wall, sampleRate: 44_100, isSettled: false))
        feed(hub, 10)
        let late = Witness()
        hub.attach(late, at: .behind(.seconds(60)))
        #expect(late.airTimes == [settled])
    }

    @Test("A sink that leaves while it receives past audio receives no more") func leaver() {
        final class Leaver: StreamSink {
            var chunks = 0
            weak var hub: StreamHub?
            func receive(_ event: StreamEvent) {
                guard case .chunk = event else { return }
                chunks += 1
                hub?.detach(self)
            }
        }
        let hub = StreamHub(depth: .seconds(60))
        hub.begin(Self.format)
        feed(hub, 500)
        let sink = Leaver()
        sink.hub = hub
        hub.attach(sink, at: .behind(.seconds(60)))
        feed(hub, 500)
        #expect(sink.chunks == 1)
    }

    @Test("The ring is as deep as its deepest claim, and shrinks again") func ringDepth() {
        let hub = StreamHub()
        hub.begin(Self.format)
        var kept: Int64 { hub.position.frames - hub.ring.oldestFrame }
        feed(hub, 1_000)
        #expect(kept < 120)
        var claims = [hub.claim(.seconds(10)), hub.claim(.seconds(20))]
        feed(hub, 1_000)
        #expect(kept > 760 && kept < 880)
        claims.removeLast()
        #expect(kept > 380 && kept < 480, "at once")
        claims = []
        #expect(kept < 120)
    }

    @Test("Old events of an endless series are forgotten, and a sink begins after them") func endlessEvents() throws {
        let hub = StreamHub(depth: .seconds(600))
        hub.begin(Self.format)
        for number in 0..<20_000 {
            hub.setTitle("title \(number)")
            [UInt8(truncatingIfNeeded: number)].withUnsafeBytes { hub.append($0, samples: 1_152, backReference: 0) }
        }
        let late = Witness()
        hub.attach(late, at: .behind(.seconds(600)))
        let start = try #require(late.told.first?.frame)
        #expect(20_000 - start > 4_000 && 20_000 - start < 4_200)
        #expect(late.last("title", upTo: start) == "title title \(start)")
    }

    @Test("Old events of an endless series without a frame are forgotten, too") func framelessEvents() {
        let hub = StreamHub()
        hub.begin(Self.format)
        feed(hub, 10)
        for number in 0..<20_000 { hub.setTitle("title \(number)") }
        #expect(hub.timeline.count <= 4096)
        let late = Witness()
        hub.attach(late, at: .behind(.seconds(600)))
        #expect(late.told.map(\.text).contains("title title 19999"))
    }

    private func feed(_ hub: StreamHub, _ count: Int) {
        let frame = [UInt8](repeating: 7, count: 418)
        for _ in 0..<count { frame.withUnsafeBytes { hub.append($0, samples: 1_152, backReference: 0) } }
        hub.flush()
    }
}
