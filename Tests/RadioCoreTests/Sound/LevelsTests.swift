// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import RadioCore

/// How windows become seconds, and seconds bytes.
struct LevelsTests {
    private func window(_ index: Int, rms: Float, peak: Float, channels: Int = 2) -> SoundWindow {
        SoundWindow(
            frame: Int64(index), start: .milliseconds(26) * index, length: .milliseconds(26),
            loudness: Loudness(channels: Array(repeating: .init(rms: rms, peak: peak), count: channels)))
    }

    @Test("Each second has the RMS and the peak of its own windows, and of all channels of a pair") func seconds() {
        var meter = LevelMeter(channels: 3)
        var seconds: [LevelMeter.Second] = []
        for index in 0..<100 where !(40..<80 ~= index) {
            let sound = window(index, rms: index < 38 ? 0.5 : 0.1, peak: index == 90 ? 1 : 0.5, channels: 3)
            meter.take(sound, at: sound.start).map { seconds.append($0) }
        }
        meter.takeSecond().map { seconds.append($0) }
        #expect(seconds.map(\.number) == [0, 1, 2])
        #expect(seconds.allSatisfy { $0.entries.count == 2 && $0.entries[0] == $0.entries[1] })
        let decibels = seconds.compactMap { $0.entries[0].decibels }
        #expect(decibels.map(\.rms) == [-6, -20, -20] && decibels.map(\.peak) == [-6, -6, 0])
    }

    @Test("Loudness is kept to half a decibel", arguments: [Float(1), 0.5, 0.1, 0.001, 0.000_02])
    func steps(value: Float) throws {
        let found = try #require(Levels.Entry(rms: value, peak: value).decibels)
        #expect(abs(Loudness.Channel.decibels(value) - found.rms) <= 0.26 && found.peak == found.rms)
        #expect(Levels.Entry(rms: 0, peak: 2).decibels.map { [$0.rms, $0.peak] } == [Levels.Entry.silence, 0])
    }

    @Test("A companion that is cut short, foreign or of another version is read as far as it is whole")
    func bytes() throws {
        var levels = Levels(channels: 2)
        for second in 1..<6 { levels.append([.init(rms: 1 / Float(second), peak: 1)]) }
        levels.resize(to: 7)
        #expect(levels.seconds == 7 && levels[6].first == .unknown && levels.isKnown)
        let bytes = levels.bytes
        #expect(bytes.suffix(4) == [0, 0, 0, 0] && bytes.count == 30)
        for count in 0...bytes.count {
            let read = Levels(bytes: Array(bytes[..<count]))
            #expect(read?.seconds == (count < 16 ? nil : (count - 16) / 2))
        }
        for index in 0..<9 {
            var other = bytes
            other[index] ^= 0xFF
            #expect(Levels(bytes: other) == nil)
        }
        #expect(Levels(bytes: bytes) == levels)
        levels.resize(to: 2)
        #expect(levels.seconds == 2)
    }
}
