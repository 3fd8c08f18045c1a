// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

/// Programmes that repeat frames: lost and doubled frames are still counted.
struct FrameSequenceTests {
    /// 42 different frames, 10 silent ones, three times the 21 frames of a jingle, and 42 different ones. At 48 kHz
    /// there is no padding.
    static let programme = Broadcast(
        [
            .music(.seconds(1)), .silence(.milliseconds(240)), .jingle(.milliseconds(500), times: 3),
            .music(.seconds(1)),
        ], MPEGShape(sampleRate: 48_000))
    static let checker = FrameChecker(programme)

    /// Checks frames one by one and as a file: both reports must be equal.
    private func report(_ places: [Int]) -> FrameReport {
        var heard = HeardFrames(of: Self.programme)
        for place in places { Self.programme.frames[place].bytes.withUnsafeBytes { heard.add($0) } }
        let file = Self.checker.check(places.flatMap { Array(Self.programme.frames[$0].bytes) })
        #expect("\(heard.report)" == "\(file)")
        return file
    }

    @Test("The programme itself is exact, from any place to any other")
    func whole() throws {
        #expect(Self.programme.frames.count == 42 + 10 + 63 + 42)
        #expect(report(Array(0..<157)).exactStretch == 0...156)
        #expect(report(Array(30..<120)).exactStretch == 30...119)
        #expect(report(Array(45..<157)).exactStretch == 45...156)
        #expect(throws: SetupError.self) {
            try FrameChecker(source: Self.programme.bytes, container: .mpegAudio)
        }
        #expect(
            try FrameChecker(source: Self.programme.bytes, container: .mpegAudio, allowingEqualFrames: true)
                .check(Self.programme.bytes).isExact)
    }

    @Test("Missing or surplus silence is counted, although its frames do not say where they belong")
    func silence() {
        let short = report(Array(0..<45) + Array(48..<157))
        #expect(short.lost.count == 3 && short.duplicated.isEmpty && !short.isExact)
        #expect(short.lost.allSatisfy { (42..<52).contains($0) })
        let long = report(Array(0..<52) + Array(47..<157))
        #expect(long.lost.isEmpty && long.duplicated.count == 5 && !long.isExact)
    }

    @Test("A missing or surplus jingle is counted")
    func jingle() {
        let seldom = report(Array(0..<73) + Array(94..<157))
        #expect(seldom.lost.count == 21 && seldom.duplicated.isEmpty)
        let often = report(Array(0..<80) + Array(59..<157))
        #expect(often.lost.isEmpty && often.duplicated.count == 21)
    }

    @Test("Frames of another programme are foreign, and frames after them are not lost")
    func foreign() {
        var heard = HeardFrames(of: Self.programme)
        let other = Broadcast([.music(.seconds(1))], MPEGShape(sampleRate: 48_000), seed: 7)
        for frame in Self.programme.frames[10..<60] + other.frames + Self.programme.frames[60..<157] {
            frame.bytes.withUnsafeBytes { heard.add($0) }
        }
        let report = heard.report
        #expect(report.foreign == 42 && report.lost.isEmpty && report.duplicated.isEmpty && report.disorders == 0)
    }
}
