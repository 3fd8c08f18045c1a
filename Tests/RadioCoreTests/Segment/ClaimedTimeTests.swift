// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import Testing

@testable import RadioCore

/// Streams whose frames claim playing times that overflow the counters: no such stream may stop the program.
struct ClaimedTimeTests {
    private static let policies: [SegmentPolicy] = [.none, .period(.seconds(3_600)), .title]

    @Test("B21: The planner handles any events with counters that start near overflow", arguments: policies)
    func planner(_ policy: SegmentPolicy) {
        var random = SplitMix64(seed: 21)
        for round in 0..<300 {
            let offset = [Duration.zero, .seconds(5), .seconds(-5)][round % 3]
            var stream = PlannedStream(policy, from: "2026-11-21T12:00:00Z", titleOffset: offset)
            if round % 2 == 0 {
                stream.send(.station(StationInfo(kind: .finite, name: "File", url: "http://radio.test/")))
            }
            for _ in 0..<20 {
                switch Int.random(in: 0..<9, using: &random) {
                case 0:
                    let places: [Int64] = [.max, .max - 1, .max - 70_000, .max / 2]
                    stream.go(to: places.randomElement(using: &random) ?? .max)
                case 1: stream.title("Title \(round)")
                case 2: stream.gap()
                case 3: stream.settle("2026-11-21T12:00:10Z")
                case 4: stream.begin(StreamFormat(codec: .flac, sampleRate: 1_000_000, channels: 2))
                case 5: stream.begin(StreamFormat(codec: .flac, sampleRate: 1, channels: 2))
                case 6: stream.splice()
                default: stream.frames(3, samples: [65_535, 0, Int(UInt32.max)].randomElement(using: &random) ?? 1)
                }
            }
            stream.finish()
            let frames = stream.actions.reduce(0) { sum, action in
                if case .append(let chunk) = action { sum + chunk.frames.count } else { sum }
            }
            #expect(frames % 3 == 0)
        }
    }

    @Test("B21: Sums and products of claimed times saturate at 64 bits") func saturation() {
        #expect(Int64.max.addingSaturated(1) == .max && Int64.min.addingSaturated(-1) == .min)
        #expect(Int64.max.addingSaturated(-1) == .max - 1)
        #expect(Int64.max.multipliedSaturated(by: 2) == .max && Int64.max.multipliedSaturated(by: -2) == .min)
        #expect(Int64(clampingRounded: 9.3e18) == .max && Int64(clampingRounded: -.infinity) == .min)
        #expect(Int64(clampingRounded: .nan) == 0 && Int64(clampingRounded: 2.5) == 3)
        for instant in [WallInstant(nanoseconds: .min), WallInstant(nanoseconds: .max)] {
            let back = CivilTime(instant, in: FixedZone.utc).instant
            #expect(abs((back - instant).inSeconds) < 2)
        }
    }

    @Test("B21: Positions of a slab and its chunks saturate at the end of the count") func slab() {
        let format = StreamFormat(codec: .flac, sampleRate: 1_000, channels: 1)
        let slab = Slab(format: format, capacity: 100, position: Position(samples: .max - 70_000))
        for byte in 0..<7 as Range<UInt8> {
            withUnsafeBytes(of: byte) { _ = slab.append($0, FrameFacts(samples: 65_535)) }
        }
        let chunk = Chunk(slab: slab, frames: 0..<7, bytes: 0..<7, position: slab.position, samples: slab.samples)
        #expect(chunk.subchunk(3..<7).position.samples == .max)
        #expect(slab.position(at: 5).samples == .max)
        let map = AirTime(origin: WallInstant(nanoseconds: .max), sampleRate: 1_000, isSettled: true)
        #expect(chunk.frames(airedBefore: WallInstant(nanoseconds: 0), by: map) == 0)
    }
}
