// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Testing

@testable import TestSupport

/// Recordings with one fault each, made on purpose: the judge finds exactly this fault.
struct RecordingJudgeTests {
    private static let programme = Broadcast([.music(.seconds(20))])
    private static let heard = HeardFrames(of: programme)
    private static let other = Broadcast([.music(.seconds(2))], seed: 2)
    private static let frame = Duration.samples(1_152, at: 44_100)

    /// What a recording has in order: frames of the programme, frames of another one, or what was told about the next
    /// frame.
    private enum Item {
        case frames(Range<Int>)
        case foreign(Int)
        case gap(Duration?, overlap: Duration = .zero)
        case stretch(Stretch.Kind, Range<Int64>)
        /// Frames found for the place before a frame.
        case found(Range<Int>, before: Int64, continuing: (Bool, Bool), rest: Duration?)
    }

    /// Judges a recording. Unless something else is said, one connection has sent exactly its frames.
    private static func judge(
        _ items: [Item], sent: [[Range<Int>]]? = nil, timing: RecordingJudge.Timing? = nil
    ) -> RecordingJudge {
        var recording = AuditedRecording(heard)
        var time = Duration.seconds(1)
        for item in items {
            switch item {
            case .frames(let places): recording.add(programme.frames[places].map(\.bytes), at: time)
            case .foreign(let count): recording.add(other.frames.prefix(count).map(\.bytes), at: time)
            case .gap(let length, let overlap):
                var gap = Gap(at: WallInstant(nanoseconds: 0), length: length, cause: "test")
                gap.overlap = overlap
                let position = Position(frames: Int64(recording.places.count))
                recording.add(.discontinuity(Discontinuity(kind: .gap(gap), position: position)), at: time)
            case .stretch(let kind, let frames):
                let stretch = Stretch(kind, frames: frames, at: WallInstant(nanoseconds: 0), length: .zero)
                recording.add(.stretch(stretch), at: time)
            case .found(let places, let count, let continuing, let rest):
                recording.add(.found(found(places, before: count, continuing, rest)), at: time)
            }
            time += .seconds(1)
        }
        let own = items.compactMap { if case .frames(let places) = $0 { places } else { nil } }
        return RecordingJudge(recording, of: programme, sent: connections(sent ?? own.map { [$0] }), timing: timing)
    }

    private static func found(
        _ places: Range<Int>, before: Int64, _ continuing: (Bool, Bool), _ rest: Duration?
    ) -> FoundAudio {
        var batch = FrameBatch()
        for place in places {
            batch.append(FrameBatch(FrameFacts(samples: 1_152), length: programme.frames[place].bytes.count))
        }
        return FoundAudio(
            before: before, continuesBefore: continuing.0, isContinuedAfter: continuing.1,
            format: StreamFormat(codec: .mp3, sampleRate: 44_100, channels: 2), batch: batch,
            bytes: Array(programme.bytes[programme.byteRange(of: places)]), length: frame * places.count, rest: rest,
            source: "test")
    }

    /// Connections that have sent these frames.
    private static func connections(_ sent: [[Range<Int>]]) -> [SentFrames] {
        var log = OriginLog()
        let began = MonotonicInstant(nanoseconds: 0)
        for (number, runs) in sent.enumerated() {
            let at = began + .seconds(number)
            let connection = log.accepted(at: at, host: "test")
            for places in runs { log.sent(programme.byteRange(of: places), on: connection, at: at, read: at) }
        }
        return SentFrames.all(of: log, programme, since: began)
    }

    private static func kinds(
        _ items: [Item], sent: [[Range<Int>]]? = nil, timing: RecordingJudge.Timing? = nil
    ) -> [AuditFinding.Kind] {
        judge(items, sent: sent, timing: timing).findings.map(\.kind)
    }

    @Test("A recording that is right has no findings, with or without gaps") func right() {
        #expect(Self.kinds([.frames(10..<500)]) == [])
        #expect(Self.kinds([.frames(10..<200), .frames(200..<500)]) == [])
        let gap = Self.judge([.frames(10..<200), .gap(Self.frame * 100), .frames(300..<500)])
        #expect(gap.findings.isEmpty && gap.rightLengths == 1 && gap.unknownLengths == 0)
        let unknown = Self.judge([.frames(10..<200), .gap(nil), .frames(300..<500)])
        #expect(unknown.findings.isEmpty && unknown.rightLengths == 0 && unknown.unknownLengths == 1)
        // Two gaps at one place, and one after the last frame.
        let two: [Item] = [.gap(Self.frame * 60), .gap(Self.frame * 40)]
        #expect(Self.kinds([.frames(10..<200)] + two + [.frames(300..<500), .gap(.seconds(1))]) == [])
    }

    @Test("A length may be wrong by as much as all frames on one side of the gap were late") func lateness() {
        // Each connection sends its frames at once. They are 0.2 s late, measured by the last of them.
        func late(at second: Int, _ end: Int) -> RecordingJudge.Timing {
            .init(onAir: Self.frame * end + .seconds(Double(-second) + 0.2), lags: [:])
        }
        func kinds(_ length: Double?, _ next: Int, _ timing: RecordingJudge.Timing?) -> [AuditFinding.Kind] {
            let gap = length.map { Item.gap(.seconds($0)) }
            return Self.kinds([.frames(10..<200)] + [gap].compactMap(\.self) + [.frames(next..<500)], timing: timing)
        }
        let lost = (Self.frame * 100).inSeconds
        let (before, after) = (late(at: 0, 200), late(at: 1, 500))
        #expect(kinds(lost - 0.24, 300, before) == [] && kinds(lost + 0.24, 300, after) == [])
        #expect(kinds(lost - 0.3, 300, before) == [.wrongLength] && kinds(lost + 0.3, 300, after) == [.wrongLength])
        #expect(kinds(lost + 0.1, 300, before) == [.wrongLength] && kinds(lost - 0.1, 300, nil) == [.wrongLength])
        #expect(kinds(nil, 207, before) == [] && kinds(nil, 208, before) == [.untoldLoss])
        #expect(kinds(0.19, 200, after) == [] && kinds(0.21, 200, after) == [.falseGap])
        // A host that is behind sends no frame late because of that.
        let behind = RecordingJudge.Timing(onAir: before.onAir, lags: ["test": .seconds(0.2)])
        #expect(kinds(lost - 0.1, 300, behind) == [.wrongLength])
    }

    @Test("Frames that are missing without a gap are a loss") func losses() throws {
        let judge = Self.judge([.frames(10..<200), .frames(230..<500)])
        let finding = try #require(judge.findings.first)
        #expect(judge.findings.count == 1 && finding.kind == .untoldLoss)
        #expect(finding.place == 200 && finding.frames == 30 && finding.position == 190)
        #expect(abs((finding.length - Self.frame * 30).inSeconds) < 0.001 && finding.time == .seconds(2))
        #expect(Self.kinds([.frames(10..<200), .frames(201..<500)]) == [.untoldLoss])
    }

    @Test("Frames that come again are a repeat, which a gap or a stretch may tell") func repeats() {
        #expect(Self.kinds([.frames(10..<200), .frames(150..<500)]) == [.untoldRepeat])
        #expect(Self.kinds([.frames(10..<200), .gap(nil), .frames(150..<500)]) == [.untoldRepeat])
        #expect(Self.kinds([.frames(10..<200), .gap(nil, overlap: .seconds(1)), .frames(150..<500)]) == [.toldRepeat])
        #expect(
            Self.kinds([.frames(10..<200), .frames(150..<500), .stretch(.repeated, 190..<240)]) == [.toldRepeat])
        #expect(
            Self.kinds([.frames(10..<200), .gap(.seconds(2)), .frames(150..<500)]) == [.untoldRepeat, .wrongLength])
        // Out of order: only the step back is one.
        #expect(
            Self.kinds([.frames(10..<200), .frames(300..<400), .frames(200..<300), .frames(400..<500)]) == [
                .untoldRepeat
            ])
    }

    @Test("A gap where nothing is missing is false") func falseGaps() {
        #expect(Self.kinds([.frames(10..<200), .gap(.seconds(1)), .frames(200..<500)]) == [.falseGap])
        #expect(Self.kinds([.frames(10..<200), .gap(nil), .frames(200..<500)]) == [.falseGap])
        #expect(Self.kinds([.gap(.seconds(1)), .frames(10..<500)]) == [.falseGap])
    }

    @Test("A gap that is one frame off is misplaced; one that is further off is false, and the loss is not told")
    func misplacedGaps() {
        for (first, second) in [(199, 200), (300, 301)] {
            let items: [Item] =
                first < 200
                ? [.frames(10..<first), .gap(Self.frame * 100), .frames(first..<second), .frames(300..<500)]
                : [.frames(10..<200), .frames(first..<second), .gap(Self.frame * 100), .frames(second..<500)]
            let judge = Self.judge(items)
            #expect(judge.findings.map(\.kind) == [.misplacedGap] && judge.rightLengths == 1)
        }
        let late: [Item] = [.frames(10..<200), .frames(300..<302), .gap(Self.frame * 100), .frames(302..<500)]
        #expect(Self.kinds(late) == [.untoldLoss, .falseGap])
    }

    @Test("A length may be wrong by 50 ms", arguments: [(-3, true), (-1, false), (1, false), (3, true)])
    func lengths(frames: Int, isWrong: Bool) {
        let length = Self.frame * (100 + frames)
        let kinds = Self.kinds([.frames(10..<200), .gap(length), .frames(300..<500)])
        #expect(kinds == (isWrong ? [.wrongLength] : []))
    }

    @Test("Frames that were sent whole must be in the recording; a gap that covers them changes the kind") func sent() {
        let holed: [Item] = [.frames(10..<200), .gap(Self.frame * 100), .frames(300..<500)]
        let untold: [Item] = [.frames(10..<200), .frames(300..<500)]
        let sent = [[10..<200], [250..<500]]
        #expect(Self.kinds(holed, sent: sent) == [.sentButNotKept])
        #expect(Self.kinds(untold, sent: sent) == [.untoldLoss, .sentAndUntold])
        let finding = Self.judge(holed, sent: sent).findings.first
        #expect(finding?.place == 250 && finding?.frames == 50)
        // What was sent before the recording or after it does not count.
        #expect(Self.kinds([.frames(10..<200)], sent: [[0..<220]]) == [])
        #expect(Self.kinds([], sent: [[0..<220]]) == [.sentAndUntold])
        // Two connections make two findings.
        #expect(Self.kinds(holed, sent: [[10..<220], [280..<500]]) == [.sentButNotKept, .sentButNotKept])
    }

    @Test("A frame counts as sent if all of its bytes were sent on one connection") func wholeFrames() {
        var log = OriginLog()
        let began = MonotonicInstant(nanoseconds: 0)
        let bytes = Self.programme.byteRange(of: 10..<20)
        func send(_ range: Range<Int>, after seconds: Int, on connection: Int) {
            log.sent(range, on: connection, at: began + .seconds(seconds), read: began + .seconds(seconds))
        }
        let first = log.accepted(at: began, host: "test")
        send(bytes.lowerBound + 1..<bytes.lowerBound + 700, after: 1, on: first)
        send(bytes.lowerBound + 700..<bytes.upperBound - 1, after: 2, on: first)
        let second = log.accepted(at: began, host: "test")
        send(bytes.lowerBound..<bytes.lowerBound + 1, after: 3, on: second)
        send(bytes.lowerBound + 2..<bytes.upperBound, after: 4, on: second)
        let sent = SentFrames.all(of: log, Self.programme, since: began)
        #expect(sent.map { $0.runs.map(\.places) } == [[11..<19], [11..<20]])
        #expect(sent.map { $0.runs.map(\.at) } == [[.seconds(2)], [.seconds(4)]])
    }

    @Test("Frames of no programme are foreign, and frames of the programme may not be called so") func foreign() {
        #expect(Self.kinds([.frames(10..<200), .foreign(20), .frames(200..<500)]) == [.foreign])
        #expect(
            Self.kinds([.frames(10..<200), .foreign(20), .frames(200..<500), .stretch(.foreign, 190..<210)])
                == [.foreign])
        let inside: [Item] = [.frames(10..<200), .frames(200..<500), .stretch(.foreign, 190..<210)]
        #expect(Self.kinds(inside) == [.falseForeign])
        // Apart from that, the programme goes on as if they were not there.
        #expect(
            Self.kinds([.frames(100..<200), .frames(10..<50), .frames(200..<500), .stretch(.foreign, 100..<140)])
                == [.falseForeign])
        // The stretch withdraws the gaps at its ends.
        let told: [Item] = [.frames(10..<200), .gap(.seconds(1)), .foreign(20), .gap(.zero), .frames(200..<500)]
        #expect(Self.kinds(told + [.stretch(.foreign, 190..<210)]) == [.foreign])
    }

    @Test("Audio that is found later is judged at its place, and shortens the gap or closes it") func found() {
        let heard: [Item] = [.frames(10..<200), .gap(Self.frame * 100), .frames(300..<500)]
        func kinds(_ found: [Item]) -> [AuditFinding.Kind] { Self.kinds(heard + found, sent: [[10..<500]]) }
        #expect(kinds([]) == [.sentButNotKept])
        #expect(kinds([.found(200..<300, before: 190, continuing: (true, true), rest: .zero)]) == [])
        let early = Item.found(200..<240, before: 190, continuing: (true, false), rest: Self.frame * 60)
        let late = Item.found(270..<300, before: 190, continuing: (false, true), rest: Self.frame * 30)
        #expect(kinds([early]) == [.sentButNotKept])
        #expect(kinds([early, late]) == [.sentButNotKept])
        let last = Item.found(240..<270, before: 190, continuing: (true, true), rest: .zero)
        #expect(kinds([early, late, last]) == [])
        // In the wrong place, with a wrong length, or again.
        #expect(kinds([.found(200..<300, before: 100, continuing: (true, true), rest: .zero)]) == [.untoldRepeat])
        let wrong = Item.found(200..<240, before: 190, continuing: (true, false), rest: Self.frame * 20)
        #expect(kinds([wrong]).contains(.wrongLength))
        #expect(kinds([early, early]).contains(.untoldRepeat))
    }
}
