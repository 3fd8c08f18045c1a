// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@testable import Analysis

/// How windows become the seconds of a file.
struct LevelTrackTests {
    private func window(_ index: Int, rms: Float, peak: Float, channels: Int = 2) -> SoundWindow {
        SoundWindow(
            frame: Int64(index * 4), start: .milliseconds(104) * index, length: .milliseconds(104),
            loudness: Loudness(channels: Array(repeating: .init(rms: rms, peak: peak), count: channels)), crossings: 0)
    }

    private func levels(_ track: LevelTrack, _ bytes: [UInt8]) throws -> Levels {
        try #require(Levels(bytes: track.head + bytes))
    }

    @Test("Each second of a file has the RMS and the peak of its own windows") func seconds() throws {
        var track = LevelTrack(from: 40, channels: 2)
        var bytes: [UInt8] = []
        for index in 0..<60 {
            bytes += track.take(window(index, rms: index < 20 ? 0.5 : 0.1, peak: index == 25 ? 1 : 0.5))
        }
        #expect(bytes.count == 2 * 5, "the file begins with window 10, and the sixth second is not over")
        bytes += track.finish()
        let levels = try levels(track, bytes)
        #expect(levels.seconds == 6)
        #expect(levels[0].first == .init(rms: 12, peak: 12))
        #expect(levels[1].first == .init(rms: 40, peak: 0))
        #expect(levels[2].first == .init(rms: 40, peak: 12))
    }

    @Test("A file ends before its last frame, and windows that did not come are unknown") func ends() throws {
        var track = LevelTrack(from: 0, channels: 6)
        var bytes: [UInt8] = []
        for index in 0..<100 where !(20..<50 ~= index) {
            bytes += track.take(window(index, rms: 1, peak: 1, channels: 6))
            if index == 60 { track.end(before: 4 * 70) }
        }
        #expect(track.isComplete)
        let levels = try levels(track, bytes)
        #expect(levels.pairs == 3 && levels.seconds == 8)
        #expect((0..<8).map { levels[$0].allSatisfy(\.isKnown) } == [true, true, true, false, false, true, true, true])
    }

    @Test("Loudness is kept to half a decibel", arguments: [Float(1), 0.5, 0.1, 0.001, 0.000_01])
    func steps(value: Float) {
        let byte = Levels.Entry.halfDecibels(value)
        #expect(abs(Loudness.Channel.decibels(value) + Double(byte) / 2) <= 0.26)
    }

    @Test("A companion that is cut short, foreign or of another version is read as far as it is whole")
    func bytes() throws {
        var levels = Levels(channels: 2)
        for second in 0..<5 { levels.append([.init(rms: UInt8(second), peak: 7)]) }
        let bytes = levels.head + Levels.bytes(of: levels.entries)
        for count in 0...bytes.count {
            let read = Levels(bytes: Array(bytes[..<count]))
            #expect(read?.seconds == (count < 16 ? nil : (count - 16) / 2))
        }
        for index in 0..<10 {
            var other = bytes
            other[index] ^= 0xFF
            #expect(Levels(bytes: other) == nil)
        }
        #expect(Levels(bytes: bytes) == levels)
    }
}
