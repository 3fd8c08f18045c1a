// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

/// Splices, gaps and foreign spans on their way to the sidecar.
@Suite struct SegmentMarkTests {
    @Test("A splice is marked at its frame and changes neither air time nor cuts") func splice() {
        var stream = PlannedStream(.period(.seconds(5)), from: "2026-11-21T12:00:00Z")
        stream.frames(100)
        stream.splice()
        stream.frames(200)
        stream.splice()
        stream.frames(10)
        #expect(!stream.planner.isWaiting)
        let segments = stream.finished()
        #expect(segments.map(\.frames) == [0..<240, 240..<310])
        #expect(segments.map(\.marked) == [[100], [300]])
        #expect(segments.map(\.plan.airTime) == ["2026-11-21T12:00:00Z", "2026-11-21T12:00:05Z"].map(WallInstant.init))
    }

    @Test("Marks keep their places while frames are held back") func heldFrames() {
        var stream = PlannedStream(.none, titleOffset: .seconds(-1))
        stream.begin(PlannedStream.mp3)
        stream.frames(10)
        stream.splice()
        stream.frames(5)
        stream.send(.discontinuity(Discontinuity(kind: .resync, position: stream.position)))
        stream.frames(5)
        stream.foreign(last: 8)
        stream.frames(5)
        #expect(stream.actions.isEmpty)
        stream.settle("2026-11-21T12:00:01Z")
        #expect(stream.finished().map(\.marked) == [[10, 15, 20]])
    }

    @Test("A splice at a cut belongs to the new segment") func spliceAtCut() {
        var stream = PlannedStream(.period(.seconds(5)), from: "2026-11-21T12:00:00Z")
        stream.frames(240)
        stream.splice()
        stream.frames(10)
        #expect(stream.finished().map(\.marked) == [[], [240]])
    }

    @Test("A gap after the last frame is marked in the last segment") func finalGap() {
        var stream = PlannedStream(.none, from: "2026-11-21T12:00:00Z")
        stream.frames(10)
        stream.gap()
        #expect(stream.finished().map(\.marked) == [[10]])
    }

    @Test("A gap after a format without frames is marked in the last segment too") func gapAfterFormat() {
        var stream = PlannedStream(.none, from: "2026-11-21T12:00:00Z")
        stream.frames(10)
        stream.begin(PlannedStream.mono)
        stream.gap()
        let segments = stream.finished()
        #expect(segments.map(\.marked) == [[10]])
        #expect(segments.map(\.end) == [.end])
    }

    @Test("A format without frames begins no segment") func formatWithoutFrames() {
        var stream = PlannedStream(.none, from: "2026-11-21T12:00:00Z")
        stream.frames(10)
        stream.begin(PlannedStream.mono)
        stream.begin(PlannedStream.mp3)
        stream.settle("2026-11-21T12:00:01Z")
        stream.frames(10)
        #expect(stream.finished().map(\.frames) == [0..<20])
    }

    @Test("A format change at a boundary makes one cut, whose cause is the format") func formatAtBoundary() {
        var stream = PlannedStream(.period(.seconds(5)), from: "2026-11-21T12:00:04Z")
        stream.frames(48)
        stream.begin(PlannedStream.mono)
        stream.settle("2026-11-21T12:00:05Z")
        stream.frames(32 * 6)
        let segments = stream.finished()
        #expect(segments.map(\.frames) == [0..<48, 48..<208, 208..<240])
        #expect(segments.map(\.plan.cause) == [.start, .format, .period])
    }
}
