// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

/// E6: the format changes inside a burst, before the air time of the burst is known.
@Suite struct FormatInBurstTests {
    private func segments(_ stream: PlannedStream) -> [MadeSegment] {
        let oracle = ActionOracle(stream.actions)
        #expect(oracle.complaints.isEmpty, "\(oracle.complaints)")
        return oracle.segments
    }

    /// Four seconds of one format, then three of another, all arriving at noon. The air time is an estimate until the
    /// burst is over.
    private func burst(_ policy: SegmentPolicy = .none) -> PlannedStream {
        var stream = PlannedStream(policy)
        stream.begin(PlannedStream.mp3)
        stream.settle("2026-11-21T11:59:57Z", isSettled: false)
        stream.title("First")
        stream.frames(4 * 48)
        stream.begin(PlannedStream.mono)
        stream.title("Second")
        stream.frames(3 * 32)
        #expect(stream.actions.isEmpty && stream.planner.isWaiting)
        return stream
    }

    @Test("E6: The first file is dated by the second, and no file is dated later than the next")
    func dates() {
        var stream = burst()
        // The second format's audio, at 32,000 samples a second, ends at noon.
        stream.settle("2026-11-21T12:00:00Z")
        stream.frames(32)
        stream.finish()
        let made = segments(stream)
        #expect(made.map(\.plan.airTime) == ["2026-11-21T11:59:53Z", "2026-11-21T11:59:57Z"].map { WallInstant($0) })
        #expect(made.map(\.frames) == [0..<192, 192..<320])
        #expect(made.map(\.plan.title) == ["First", "Second"])
        #expect(!stream.planner.isWaiting)
    }

    @Test("E6: A boundary in the first format's part of a burst is cut where it aired")
    func boundary() {
        var stream = burst(.period(.seconds(5)))
        stream.settle("2026-11-21T12:00:00Z")
        stream.frames(32)
        stream.finish()
        #expect(segments(stream).map(\.frames.lowerBound) == [0, 96, 192, 288])
    }

    @Test("E6: Several format changes in one burst are all dated")
    func several() {
        var stream = burst()
        stream.begin(PlannedStream.mp3)
        stream.frames(2 * 48)
        #expect(stream.actions.isEmpty)
        stream.settle("2026-11-21T12:00:00Z")
        stream.finish()
        let seconds = segments(stream).map { $0.plan.airTime - WallInstant("2026-11-21T12:00:00Z") }
        #expect(seconds == [-9, -5, -2].map { Duration.seconds($0) })
    }

    @Test("E6: A burst whose air time can settle no more is planned with the latest estimate", arguments: 0..<4)
    func hopeless(end: Int) {
        var stream = burst()
        switch end {
        case 0: stream.actions += stream.planner.settleTimeout(now: stream.now)
        case 1: stream.gap()
        case 2: for number in 0..<5_000 { stream.title("\(number)") }
        default: break
        }
        stream.finish()
        let made = segments(stream)
        #expect(made.prefix(2).map(\.frames) == [0..<192, 192..<288])
        #expect(made.first?.plan.airTime == WallInstant("2026-11-21T11:59:57Z"))
        #expect(zip(made, made.dropFirst()).allSatisfy { $0.plan.airTime <= $1.plan.airTime })
    }
}
