// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import TestSupport
import Testing

@testable import RadioCore

@Suite struct SegmentPlannerTests {
    private static let fiveSeconds = SegmentPolicy.period(.seconds(5))

    private func starts(_ segments: [MadeSegment]) -> [Int64] { segments.map(\.frames.lowerBound) }
    private func causes(_ segments: [MadeSegment]) -> [CutCause] { segments.map(\.plan.cause) }

    // MARK: Periods

    @Test("A period begins with the frame that starts on the boundary") func frameOnBoundary() {
        var stream = PlannedStream(Self.fiveSeconds, from: "2026-11-21T12:00:02.5Z")
        stream.frames(48 * 12)
        let segments = stream.finished()
        #expect(starts(segments) == [0, 120, 360] && causes(segments) == [.start, .period, .period])
        #expect(
            segments.map { $0.plan.airTime.rfc3339(in: FixedZone.utc) } == [
                "2026-11-21T12:00:02.500Z", "2026-11-21T12:00:05.000Z", "2026-11-21T12:00:10.000Z",
            ])
        #expect(segments.map(\.end) == [.period, .period, .end])
        #expect(segments.map(\.isComplete) == [true, true, true])
    }

    @Test("A period begins with the frame that contains the boundary") func frameAcrossBoundary() {
        var stream = PlannedStream(Self.fiveSeconds, from: "2026-11-21T12:00:02.51Z")
        stream.frames(48 * 12, chunk: 1000)
        let segments = stream.finished()
        #expect(starts(segments) == [0, 119, 359])
        // A name states the boundary, not the start of the frame that contains the boundary.
        #expect(
            segments.map { $0.plan.nameTime.rfc3339(in: FixedZone.utc) } == [
                "2026-11-21T12:00:02.510Z", "2026-11-21T12:00:05.000Z", "2026-11-21T12:00:10.000Z",
            ])
    }

    @Test("A boundary inside the very first frame makes no empty segment") func boundaryInFirstFrame() {
        var stream = PlannedStream(Self.fiveSeconds, from: "2026-11-21T11:59:59.99Z")
        stream.frames(48 * 6)
        #expect(starts(stream.finished()) == [0, 240])
    }

    @Test("One chunk can contain several boundaries") func severalBoundaries() {
        var stream = PlannedStream(.period(.seconds(1)), from: "2026-11-21T12:00:00Z")
        stream.frames(48 * 4, chunk: 48 * 4)
        #expect(starts(stream.finished()) == [0, 48, 96, 144])
    }

    @Test("A gap across boundaries cuts once") func gapAcrossBoundaries() {
        var stream = PlannedStream(.period(.seconds(3600)), from: "2026-11-21T07:59:00Z")
        stream.frames(480)
        stream.gap()
        stream.settle("2026-11-21T10:10:00Z")
        stream.frames(480)
        let segments = stream.finished()
        #expect(starts(segments) == [0, 480])
        #expect(segments.map(\.marked) == [[], [480]], "the gap belongs to the frame after it")
    }

    @Test("Air time that steps back after a cut does not cut again") func airTimeBack() {
        var stream = PlannedStream(Self.fiveSeconds, from: "2026-11-21T12:00:04Z")
        stream.frames(96)
        stream.gap()
        // The new connection's edge is two seconds behind.
        stream.settle("2026-11-21T12:00:04Z")
        stream.frames(48 * 7)
        let segments = stream.finished()
        #expect(starts(segments) == [0, 48, 96 + 48 * 6])
        #expect(segments.last?.plan.airTime == WallInstant("2026-11-21T12:00:10Z"))
    }

    @Test(
        "A step of the clock cuts nothing, and later boundaries follow the new clock",
        arguments: ["2026-11-21T13:30:30Z", "2026-11-21T11:10:30Z", "2027-11-21T12:10:30Z", "2025-11-21T12:10:30Z"])
    func clockStep(time: String) {
        var stream = PlannedStream(.period(.seconds(60)), from: "2026-11-21T12:10:10Z")
        stream.frames(48 * 10)
        stream.settle(time)
        stream.frames(48 * 60)
        let segments = stream.finished()
        #expect(starts(segments) == [0, 480 + 48 * 30])
        #expect(segments.last?.plan.airTime == WallInstant(time) + .seconds(30))
    }

    @Test("A small correction of the air time moves the next cut") func correctedAirTime() {
        var stream = PlannedStream(Self.fiveSeconds, from: "2026-11-21T12:00:01Z")
        stream.frames(48)
        stream.settle("2026-11-21T12:00:02.5Z")
        stream.frames(48 * 3)
        #expect(starts(stream.finished()) == [0, 48 + 120])
    }

    @Test("Frames without playing time stay with the frames before them") func timelessFrames() {
        var stream = PlannedStream(Self.fiveSeconds, from: "2026-11-21T12:00:04Z")
        stream.frames(10, samples: 0)
        stream.frames(48)
        stream.frames(10, samples: 0)
        stream.frames(48)
        #expect(starts(stream.finished()) == [0, 68])
    }

    // MARK: Settling

    @Test("A burst is cut where it aired, not where it arrived") func burst() {
        var stream = PlannedStream(Self.fiveSeconds)
        stream.begin(PlannedStream.mp3)
        stream.settle("2026-11-21T12:00:12Z", isSettled: false)
        stream.frames(480)
        #expect(stream.actions.isEmpty && stream.planner.isWaiting)
        // Ten seconds turn out to have arrived at once.
        stream.send(
            .airTime(AirTime(origin: WallInstant("2026-11-21T12:00:02Z"), sampleRate: 48_000, isSettled: true)))
        #expect(!stream.planner.isWaiting)
        stream.frames(48)
        let segments = stream.finished()
        #expect(starts(segments) == [0, 144, 384])
        #expect(segments.first?.plan.airTime == WallInstant("2026-11-21T12:00:02Z"))
    }

    @Test("While a new connection settles, only audio that may be cut waits") func settling() {
        var stream = PlannedStream(Self.fiveSeconds, from: "2026-11-21T12:00:00Z")
        stream.frames(48)
        stream.gap()
        stream.settle("2026-11-21T12:00:04Z", isSettled: false)
        stream.frames(48)
        #expect(!stream.planner.isWaiting)
        stream.frames(48)
        #expect(stream.planner.isWaiting)
        stream.settle("2026-11-21T12:00:04Z")
        #expect(!stream.planner.isWaiting, "two seconds earlier than it had seemed: no boundary any more")
        stream.frames(96)
        #expect(starts(stream.finished()) == [0, 144 + 48])
    }

    @Test("Frames that arrive before the first air time after a gap wait for that air time") func awaitedAirTime() {
        var stream = PlannedStream(.period(.seconds(3600)), from: "2026-11-21T07:59:00Z")
        stream.frames(48)
        stream.gap()
        stream.frames(48)
        #expect(stream.planner.isWaiting, "they may have aired before eight or after it")
        stream.settle("2026-11-21T08:10:01Z")
        stream.frames(48)
        let segments = stream.finished()
        #expect(starts(segments) == [0, 48])
        #expect(segments.last?.plan.airTime == WallInstant("2026-11-21T08:10:00Z"))
    }

    @Test("The wait for an air time ends when the caller reports a timeout") func timeout() {
        var stream = PlannedStream(.none)
        stream.begin(PlannedStream.mp3)
        stream.settle("2026-11-21T12:00:12Z", isSettled: false)
        stream.frames(10)
        stream.actions += stream.planner.settleTimeout(now: stream.now)
        stream.frames(10)
        #expect(stream.actions.count == 3, "open and two chunks")
        stream.settle("2026-11-21T12:00:12Z", isSettled: false)
        stream.frames(10)
        #expect(stream.finished().map(\.frames) == [0..<30])
    }

    @Test("Without any air time, the last frame counts as just arrived") func withoutAirTime() {
        var stream = PlannedStream(.none)
        stream.begin(PlannedStream.mp3)
        stream.frames(96)
        #expect(stream.finished().first?.plan.airTime == stream.now - .seconds(2))
    }

    @Test("The audio that waits is bounded, even if the caller never reports a timeout") func boundedWait() {
        var stream = PlannedStream(.none)
        stream.begin(PlannedStream.mp3)
        stream.frameBytes = 10_000
        stream.frames(2000)
        #expect(stream.actions.contains { if case .append = $0 { true } else { false } })
    }

    // MARK: Titles

    @Test("A title begins a segment at its frame, and the first and last songs are incomplete") func titles() {
        var stream = PlannedStream(.title, from: "2026-11-21T12:00:00Z")
        stream.frames(20)
        stream.title("A")
        stream.frames(30)
        stream.title("B")
        stream.frames(30)
        stream.title("B")
        stream.frames(5)
        stream.title("")
        stream.frames(30)
        stream.title("C")
        stream.frames(10)
        let segments = stream.finished()
        #expect(starts(segments) == [0, 50, 85, 115] && segments.map(\.plan.title) == ["A", "B", "", "C"])
        #expect(segments.map(\.titles) == [["A"], ["B"], [""], ["C"]])
        #expect(segments.map(\.isComplete) == [false, true, true, false])
        #expect(causes(segments) == [.start, .title, .title, .title])
    }

    @Test("A song that lost audio is incomplete") func lostAudio() {
        var stream = PlannedStream(.title, from: "2026-11-21T12:00:00Z")
        for title in ["A", "B", "C", "D", "E"] {
            stream.title(title)
            stream.frames(20)
            if title == "B" { stream.gap() }
            if title == "C" { stream.send(.discontinuity(Discontinuity(kind: .resync, position: stream.position))) }
            stream.frames(title == "B" ? 0 : 20)
        }
        // The gap lies between B and C, so neither is complete.
        #expect(stream.finished().map(\.isComplete) == [false, false, false, true, false])
    }

    @Test(
        "A song is incomplete if the first title after a gap names it, wherever that title stands",
        arguments: [-1, 0, 1])
    func titleAfterGap(offset: Int) {
        var stream = PlannedStream(
            .title, from: "2026-11-21T12:00:00Z", titleOffset: .samples(Int64(offset) * 5_000, at: 48_000))
        stream.title("A")
        stream.frames(20)
        stream.title("B")
        stream.frames(60)
        stream.gap()
        stream.settle("2026-11-21T12:01:00Z")
        stream.frames(30)
        stream.title("C", mayBeOlder: true)
        stream.frames(60)
        stream.title("D")
        stream.frames(60)
        stream.title("E")
        stream.frames(20)
        let segments = stream.finished()
        #expect(segments.map(\.plan.title) == ["A", "B", "C", "D", "E"])
        #expect(segments.map(\.isComplete) == [false, false, false, true, false])
    }

    @Test("The planner waits for the first title until the caller reports a timeout") func firstTitle() {
        var stream = PlannedStream(.title, from: "2026-11-21T12:00:00Z")
        stream.frames(20)
        #expect(stream.planner.isWaiting && stream.actions.isEmpty)
        stream.actions += stream.planner.settleTimeout(now: stream.now)
        #expect(!stream.planner.isWaiting)
        stream.title("")
        stream.frames(20)
        stream.title("A")
        stream.frames(20)
        let segments = stream.finished()
        #expect(starts(segments) == [0, 40] && segments.map(\.plan.title) == [nil, "A"])
    }

    @Test("A station without titles makes one file, and one notice after ten minutes") func noTitles() {
        var stream = PlannedStream(.title, from: "2026-11-21T12:00:00Z")
        stream.frames(10)
        stream.actions += stream.planner.settleTimeout(now: stream.now)
        stream.frames(48 * 599, chunk: 480)
        #expect(ActionOracle(stream.actions).notices == 0)
        stream.frames(48 * 2)
        #expect(ActionOracle(stream.actions).notices == 1)
        stream.frames(48 * 600, chunk: 480)
        #expect(stream.finished().count == 1)
        #expect(ActionOracle(stream.actions).notices == 1)
    }

    @Test("A short recording without titles gives a notice at its end") func shortWithoutTitles() {
        var stream = PlannedStream(.title, from: "2026-11-21T12:00:00Z")
        stream.title("")
        stream.frames(10)
        stream.finish()
        #expect(ActionOracle(stream.actions).notices == 1)
    }

    @Test("With periods, a title is a mark and is carried over to the next segment") func titlesInPeriods() {
        var stream = PlannedStream(Self.fiveSeconds, from: "2026-11-21T12:00:00Z")
        stream.title("A")
        stream.frames(48 * 6)
        stream.title("B")
        stream.frames(48)
        let segments = stream.finished()
        #expect(starts(segments) == [0, 240] && segments.map(\.plan.title) == ["A", "A"])
        #expect(segments.map(\.titles) == [["A"], ["B"]])
        #expect(segments.map(\.titleFrames) == [[0], [288]])
    }

    @Test("A title offset can move titles later", arguments: [("1s", 48), ("250ms", 12), ("10ms", 1)])
    func laterTitles(offset: String, frames: Int64) throws {
        var stream = PlannedStream(
            .title, from: "2026-11-21T12:00:00Z", titleOffset: try HumanDuration.parse(offset))
        stream.title("A")
        stream.frames(100)
        stream.title("B")
        stream.frames(100)
        #expect(starts(stream.finished()) == [0, 100 + frames])
    }

    @Test(
        "A title offset can move titles earlier, which holds audio back",
        arguments: [("1s", 48), ("250ms", 12), ("10ms", 0)])
    func earlierTitles(offset: String, frames: Int64) throws {
        let duration = try HumanDuration.parse(offset)
        var stream = PlannedStream(.title, from: "2026-11-21T12:00:00Z", titleOffset: .zero - duration)
        stream.title("A")
        stream.frames(100)
        stream.title("B")
        stream.frames(100)
        #expect(!stream.planner.isWaiting)
        #expect(starts(stream.finished()) == [0, 100 - frames])
    }

    @Test("A delayed title survives a change of format") func delayedTitle() {
        var stream = PlannedStream(.none, from: "2026-11-21T12:00:00Z", titleOffset: .seconds(2))
        stream.title("A")
        stream.frames(48)
        stream.begin(PlannedStream.mono)
        stream.settle("2026-11-21T12:00:01Z")
        stream.frames(96)
        let segments = stream.finished()
        #expect(segments.map(\.titleFrames) == [[], [48 + 32]], "32 frames a second in the new format")
    }

    // MARK: Formats, files, the end

    @Test("A new format begins a segment under every policy, a repeated format does not") func formats() {
        for policy in [SegmentPolicy.none, .title, .period(.seconds(3600))] {
            var stream = PlannedStream(policy, from: "2026-11-21T12:00:00Z")
            stream.title("A")
            stream.frames(10)
            stream.begin(PlannedStream.mono)
            stream.settle("2026-11-21T12:00:01Z")
            stream.frames(10)
            stream.begin(PlannedStream.mono)
            stream.frames(10)
            let segments = stream.finished()
            #expect(starts(segments) == [0, 10] && causes(segments) == [.start, .format])
            #expect(segments.map(\.plan.format) == [PlannedStream.mp3, PlannedStream.mono])
        }
    }

    @Test("A31: Another station of a list begins a new segment, with its name, and a new connection does not")
    func changeOfStation() {
        for isHolding in [false, true] {
            var stream = PlannedStream(.none, titleOffset: isHolding ? .seconds(-1) : .zero)
            var info = StationInfo(kind: .live, name: "One", url: "http://one.test/")
            stream.send(.station(info))
            stream.begin(PlannedStream.mp3)
            stream.settle("2026-11-21T12:00:00Z")
            stream.frames(96)
            info.url = "http://mirror.test/"
            stream.send(.station(info))
            stream.frames(96)
            (info.name, info.changes, info.standsIn) = ("Two", 1, true)
            stream.send(.station(info))
            stream.settle("2026-11-21T12:00:04Z")
            stream.frames(96)
            let segments = stream.finished()
            #expect(starts(segments) == [0, 192] && causes(segments) == [.start, .station])
            #expect(segments.map(\.plan.station) == ["One", "Two"] && segments.map(\.plan.standsIn) == [false, true])
        }
    }

    @Test("A change of format leaves the next boundary where it was") func boundaryAfterFormat() {
        var stream = PlannedStream(.period(.seconds(3600)), from: "2026-11-21T12:59:50Z")
        stream.frames(48 * 4)
        stream.begin(PlannedStream.mono)
        stream.settle("2026-11-21T12:59:54Z")
        stream.frames(32 * 10)
        #expect(starts(stream.finished()) == [0, 192, 192 + 32 * 6])
    }

    @Test("A file is cut by media time, counted from its beginning") func mediaTime() {
        var stream = PlannedStream(Self.fiveSeconds, zone: TableZone.kathmandu)
        stream.now = WallInstant("2026-11-21T12:34:56.789Z")
        stream.send(.station(StationInfo(kind: .finite, name: "x", url: "file:///x")))
        stream.begin(PlannedStream.mp3)
        stream.frames(48 * 7, chunk: 1000)
        stream.begin(PlannedStream.mono)
        stream.frames(32 * 4, chunk: 1000)
        #expect(!stream.planner.isWaiting)
        let segments = stream.finished()
        #expect(starts(segments) == [0, 240, 336, 336 + 96])
        #expect(segments.map { ($0.plan.airTime - stream.now).inSeconds } == [0, 5, 7, 10])
    }

    @Test("A recorder that joins a station late starts at the first frame it receives") func lateRecorder() {
        var stream = PlannedStream(Self.fiveSeconds)
        stream.begin(PlannedStream.mp3)
        stream.frames(96)
        var late = stream
        late.planner = SegmentPlanner(policy: Self.fiveSeconds, zone: FixedZone.utc)
        late.actions = []
        late.send(.format(PlannedStream.mp3, at: late.position))
        late.settle("2026-11-21T12:00:04Z")
        late.frames(96)
        let segments = late.finished()
        #expect(starts(segments) == [96, 144])
        #expect(segments.first?.plan.airTime == WallInstant("2026-11-21T12:00:04Z"))
    }

    @Test("No actions follow the end, and a stream without frames yields none") func afterEnd() {
        var stream = PlannedStream(Self.fiveSeconds, from: "2026-11-21T12:00:00Z")
        stream.finish()
        #expect(stream.actions.isEmpty)
        stream.frames(10)
        stream.finish()
        stream.actions += stream.planner.settleTimeout(now: stream.now)
        #expect(stream.actions.isEmpty)
    }
}
