// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import Stations
import Testing

@testable import Engine
@testable import RadioCore

/// The end of a recording that has to wait for audio that aired before it.
struct EndGateTests {
    /// Counts what passes the gate.
    private final class Keeper: StreamSink {
        var frames = 0
        var hasEnded = false
        var gaps: [Gap] = []
        var tolerance: Duration? { .seconds(1) }

        func receive(_ event: StreamEvent) {
            switch event {
            case .chunk(let chunk): frames += chunk.frames.count
            case .discontinuity(let discontinuity):
                if case .gap(let gap) = discontinuity.kind { gaps.append(gap) }
            case .ended: hasEnded = true
            default: break
            }
        }
    }

    private static let start = WallInstant(nanoseconds: 1_795_249_500_000_000_000)
    private static let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 48_000, channels: 2)
    private let keeper = Keeper()
    private let gate: EndGate
    private let hub = StreamHub()

    init() {
        gate = EndGate(before: keeper)
        hub.attach(gate)
        hub.begin(Self.format)
        hub.report(.firstJoin)
        settle(Self.start)
    }

    /// Sets the air time: sample 0 aired at `origin`.
    private func settle(_ origin: WallInstant, isSettled: Bool = true) {
        hub.setAirTime(AirTime(origin: origin, sampleRate: 48_000, isSettled: isSettled))
    }

    /// Feeds frames of 1,000 samples: 48 a second.
    private func feed(_ count: Int) {
        for _ in 0..<count {
            [UInt8](repeating: 0, count: 8).withUnsafeBytes { hub.append($0, samples: 1_000, backReference: 0) }
        }
        hub.flush()
    }

    @Test("Everything passes the gate until an end is set") func noEnd() {
        feed(480)
        hub.end(nil)
        #expect(keeper.frames == 480 && keeper.hasEnded && !gate.isClosing)
        #expect(gate.tolerance == .seconds(1))
    }

    @Test("A gate that another recording follows passes no more frames, but the end of the programme") func shut() {
        feed(48)
        gate.shut()
        feed(48)
        hub.end(nil)
        #expect(keeper.frames == 48 && keeper.hasEnded)
    }

    @Test("A gap is reported only as far as it lies before the end") func gapAcrossEnd() {
        feed(96)
        func lose(at offset: Duration, _ length: Duration?) {
            hub.report(.gap(Gap(at: Self.start + offset, length: length, cause: "silence")))
        }
        lose(at: .seconds(1), .seconds(7))
        gate.close { Self.start + .seconds(5) }
        lose(at: .seconds(2), .seconds(1))
        lose(at: .seconds(3), .seconds(7))
        // All further audio lies after the end.
        #expect(!gate.isClosing)
        feed(48)
        lose(at: .seconds(4), .seconds(1))
        #expect(keeper.gaps.map(\.length) == [.seconds(7), .seconds(1), .seconds(2)] && keeper.frames == 96)
    }

    @Test("A gap is reported only as far as it lies after the beginning") func gapAcrossBeginning() {
        let keeper = Keeper()
        let gate = EndGate(before: keeper) { Self.start + .seconds(2) }
        hub.attach(gate)
        for (at, length) in [(0, 5), (0, 1), (3, 4)] as [(Double, Double)] {
            hub.report(.gap(Gap(at: Self.start + .seconds(at), length: .seconds(length), cause: "silence")))
        }
        hub.report(.gap(Gap(at: Self.start, length: nil, cause: "silence")))
        #expect(keeper.gaps.map { ($0.at - Self.start).inSeconds } == [2, 2, 3, 2])
        #expect(keeper.gaps.map { $0.length?.inSeconds } == [3, 0, 4, nil])
    }

    @Test("Behind audio that aired before the beginning, a gap has its whole length") func gapBehindEarlyAudio() {
        let keeper = Keeper()
        let gate = EndGate(before: keeper) { Self.start + .seconds(10) }
        hub.attach(gate)
        feed(48)
        hub.report(.gap(Gap(at: Self.start + .seconds(1), length: .seconds(2), cause: "silence")))
        #expect(keeper.gaps.map(\.length) == [.seconds(2)] && keeper.gaps.first?.at == Self.start + .seconds(1))
    }

    /// Keeps what was found.
    private final class Finder: StreamSink {
        var found: [FoundAudio] = []
        func receive(_ event: StreamEvent) { if case .found(let audio) = event { found.append(audio) } }
    }

    /// Audio of so many frames of 1/48 s, for a gap of this length.
    private func find(_ frames: Int, continuesBefore: Bool, isContinuedAfter: Bool, in gap: Duration) {
        var batch = FrameBatch()
        for number in 0..<frames { batch.append(FrameBatch(FrameFacts(samples: 1_000), length: 1 + number % 2)) }
        let length = Duration.seconds(frames) / 48
        hub.report(
            FoundAudio(
                before: hub.position.frames, continuesBefore: continuesBefore, isContinuedAfter: isContinuedAfter,
                format: Self.format, batch: batch, bytes: [UInt8](repeating: 1, count: batch.byteCount),
                length: length, rest: gap - length, source: "a second connection"))
    }

    @Test("Of found audio, only what aired after the beginning is passed on") func foundAcrossBeginning() throws {
        let keeper = Finder()
        let gate = EndGate(before: keeper) { Self.start + .seconds(2) }
        hub.attach(gate)
        hub.report(.gap(Gap(at: Self.start, length: .seconds(3), cause: "silence")))
        // The whole gap, its first and its last two seconds, its first second.
        for (frames, isFirst, isLast) in [(144, true, true), (96, true, false), (96, false, true), (48, true, false)] {
            find(frames, continuesBefore: isFirst, isContinuedAfter: isLast, in: .seconds(3))
        }
        #expect(keeper.found.map(\.batch.count) == [48, 48])
        #expect(keeper.found.allSatisfy { $0.bytes.count == $0.batch.byteCount && $0.length == .seconds(1) })
        #expect(keeper.found.map(\.isContinuedAfter) == [true, true])
    }

    @Test("Of found audio, only what aired before the end is passed on") func foundAcrossEnd() throws {
        let keeper = Finder()
        let gate = EndGate(before: keeper)
        hub.attach(gate)
        feed(96)
        gate.close { Self.start + .seconds(5) }
        hub.report(.gap(Gap(at: Self.start + .seconds(4), length: .seconds(7), cause: "silence")))
        for (frames, isFirst, isLast) in [(336, true, true), (24, true, false), (96, false, true)] {
            find(frames, continuesBefore: isFirst, isContinuedAfter: isLast, in: .seconds(7))
        }
        #expect(keeper.found.map(\.batch.count) == [48, 24] && keeper.found.map(\.rest) == [.zero, .seconds(0.5)])
        #expect(keeper.found.map(\.isContinuedAfter) == [true, false])
        #expect(keeper.found.allSatisfy { $0.bytes.count == $0.batch.byteCount && $0.continuesBefore })
    }

    @Test("A gap after the end closes the gate") func gapAfterEnd() {
        feed(96)
        gate.close { Self.start + .seconds(3) }
        hub.report(.gap(Gap(at: Self.start + .seconds(3), length: nil, cause: "silence")))
        feed(48)
        #expect(keeper.gaps.isEmpty && keeper.frames == 96 && !gate.isClosing)
    }

    @Test("Audio that aired before the end passes to the frame, and the closing is reported once") func exactEnd() {
        var closed = 0
        gate.onClosed = { closed += 1 }
        feed(96)
        gate.close { Self.start + .seconds(3) }
        #expect(gate.isClosing)
        feed(47)
        #expect(closed == 0 && keeper.frames == 143)
        feed(100)
        #expect(closed == 1 && keeper.frames == 144 && !gate.isClosing)
        feed(100)
        hub.end(nil)
        #expect(closed == 1 && keeper.frames == 144 && keeper.hasEnded)
    }

    @Test("Nothing is judged after a gap until there is an air time") func noAirTime() {
        var closed = 0
        gate.onClosed = { closed += 1 }
        feed(96)
        gate.close { Self.start + .seconds(5) }
        hub.report(.gap(Gap(at: Self.start + .seconds(2), length: .seconds(2), cause: "test")))
        feed(10)
        #expect(closed == 0 && keeper.frames == 106)
        settle(Self.start + .seconds(2))
        feed(38)
        #expect(closed == 0 && keeper.frames == 144)
        feed(1)
        #expect(closed == 1 && keeper.frames == 144)
    }

    @Test("An end that moves with the wall clock moves as soon as the air time does") func movedEnd() {
        var end = Self.start + .seconds(3)
        feed(96)
        gate.close { end }
        // The clock is set. Frames still arrive with the air time from before that.
        end = end + .seconds(3_600)
        feed(24)
        #expect(keeper.frames == 120 && gate.isClosing)
        settle(Self.start + .seconds(3_600))
        feed(48)
        #expect(keeper.frames == 144 && !gate.isClosing)
    }

    @Test("An air time that has not settled closes the gate at a frame, too") func unsettled() {
        var closed = 0
        gate.onClosed = { closed += 1 }
        // Four seconds arrive at once, and then lumps of three seconds, each over another connection.
        settle(Self.start, isSettled: false)
        feed(192)
        gate.close { Self.start + .seconds(9) }
        feed(144)
        #expect(closed == 0 && keeper.frames == 336)
        feed(144)
        #expect(closed == 1 && keeper.frames == 432)
    }

    @Test("The end of the station is reported after the keeper has received it") func stationEnd() {
        var failure: Failure?
        var order: [Bool] = []
        gate.onEnd = { [keeper] in
            failure = $0
            order.append(keeper.hasEnded)
        }
        hub.end(Failure(.dropped, "gone", remedy: "wait"))
        #expect(failure?.failureClass == .dropped && order == [true])
    }
}
