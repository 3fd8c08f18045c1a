// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import TestSupport
import Testing

@testable import RadioCore

/// Random streams: every frame comes out once, in order, in segments that a recorder can make.
@Suite struct SegmentPlannerPropertyTests {
    @Test("Any order of events yields actions that a recorder can run", arguments: 0..<200)
    func anyEvents(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let policies = [SegmentPolicy.none, .title, .period(.seconds(5)), .period(.seconds(1))]
        let offsets = [Duration.zero, .seconds(1), .milliseconds(-700)]
        var stream = PlannedStream(
            try #require(policies.randomElement(using: &random)), zone: TableZone.berlin,
            titleOffset: try #require(offsets.randomElement(using: &random)))
        if Int.random(in: 0..<5, using: &random) == 0 {
            stream.send(.station(StationInfo(kind: .finite, name: "x", url: "x")))
        }
        stream.begin(PlannedStream.mp3)
        for _ in 0..<300 { step(&stream, using: &random) }
        stream.finish()
        let oracle = ActionOracle(stream.actions)
        #expect(oracle.complaints.isEmpty)
        #expect(oracle.segments.first.map(\.frames.lowerBound) ?? 0 == 0)
        #expect(oracle.segments.last.map(\.frames.upperBound) ?? 0 == stream.position.frames)
        #expect(!stream.planner.isWaiting)
    }

    private func step(_ stream: inout PlannedStream, using random: inout SplitMix64) {
        stream.now = stream.now + .milliseconds(Int64.random(in: 0...400, using: &random))
        let skew = Duration.milliseconds(Int64.random(in: -20_000...20_000, using: &random))
        switch Int.random(in: 0..<40, using: &random) {
        case 0: stream.gap()
        case 1: stream.send(.discontinuity(Discontinuity(kind: .resync, position: stream.position)))
        case 2: stream.begin(Bool.random(using: &random) ? PlannedStream.mono : PlannedStream.mp3)
        case 3...5: stream.settle((stream.now + skew).rfc3339(in: FixedZone.utc), isSettled: false)
        case 6...8: stream.settle((stream.now + skew).rfc3339(in: FixedZone.utc))
        case 9: stream.settle((stream.now + skew * 1_000_000).rfc3339(in: FixedZone.utc))
        case 10: stream.actions += stream.planner.settleTimeout(now: stream.now)
        case 11:
            Bool.random(using: &random) ? stream.splice() : stream.foreign(last: .random(in: 1...90, using: &random))
        case 12...14: stream.title(["", "A", "B", "C"].randomElement(using: &random) ?? "")
        default:
            let count = Int.random(in: 1...60, using: &random)
            stream.frames(
                count, chunk: Int.random(in: 1...60, using: &random),
                samples: [0, 1000, 1000].randomElement(using: &random) ?? 0)
        }
    }

    /// The planner is compared with the rule itself, frame by frame. The frame length and the sample rate do not divide
    /// each other.
    @Test("Each period begins with the first frame that ends after its boundary", arguments: 0..<40)
    func periods(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let zone = TableZone.berlin
        let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)
        let period = Duration.seconds([1, 2, 3, 5, 7].randomElement(using: &random) ?? 1)
        // The stream begins up to 20 s before clocks go back and repeat an hour.
        let change: Int64 = 1_792_890_000_000_000_000
        let origin = WallInstant(nanoseconds: change + .random(in: -20_000_000_000...0, using: &random))
        var stream = PlannedStream(.period(period), zone: zone)
        stream.begin(format)
        stream.send(.airTime(AirTime(origin: origin, sampleRate: 44_100, isSettled: true)))
        for _ in 0..<30 {
            stream.frames(
                .random(in: 1...80, using: &random), chunk: .random(in: 1...50, using: &random), samples: 1152)
        }
        stream.finish()
        let oracle = ActionOracle(stream.actions)
        #expect(oracle.complaints.isEmpty)

        var expected: [Int64] = [0]
        var boundary = PeriodAlignment.nextBoundary(after: origin, period: period, zone: zone)
        for frame in 0..<stream.position.frames {
            let end = origin + .samples((frame + 1) * 1152, at: 44_100)
            guard end > boundary else { continue }
            if frame > 0 { expected.append(frame) }
            boundary = PeriodAlignment.nextBoundary(after: boundary, period: period, zone: zone)
        }
        #expect(oracle.segments.map(\.frames.lowerBound) == expected)
    }
}
