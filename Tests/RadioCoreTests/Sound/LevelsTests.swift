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

    @Test("Each second has the RMS and the peak of its own windows, and of all channels of a pair")
    func seconds() throws {
        var meter = LevelMeter(channels: 3)
        var bytes = meter.head()
        for index in 0..<100 where !(40..<80 ~= index) {
            let sound = window(index, rms: index < 38 ? 0.5 : 0.1, peak: index == 90 ? 1 : 0.5, channels: 3)
            bytes += meter.take(sound, at: sound.start)
        }
        bytes += meter.end()
        let levels = try #require(Levels(bytes: bytes))
        #expect(levels.seconds == 3 && levels.pairs == 2)
        #expect((0..<3).allSatisfy { levels[$0].first == levels[$0].last })
        let decibels = (0..<3).compactMap { levels[$0].first?.decibels }
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
        let seconds = (1..<6).flatMap { Levels.Entry(rms: 1 / Float($0), peak: 1).bytes }
        let bytes = Levels.head(pairs: 1) + seconds + [0, 0, 0, 0]
        var levels = try #require(Levels(bytes: bytes))
        #expect(levels.seconds == 7 && levels[6].first == .unknown && !levels.areWhole(for: 7))
        #expect(Levels(bytes: Array(bytes.dropLast(4)))?.areWhole(for: 7) == true)
        #expect(Levels(bytes: Array(bytes.dropLast(6)))?.areWhole(for: 7) == false)
        #expect(Levels(bytes: Levels.head(pairs: 1, areFinal: true) + bytes.dropFirst(16))?.areWhole(for: 9) == true)
        for count in 0...bytes.count {
            let read = Levels(bytes: Array(bytes[..<count]))
            #expect(read?.seconds == (count < 16 ? nil : (count - 16) / 2))
        }
        for index in 0..<9 {
            var other = bytes
            other[index] ^= 0xFF
            #expect(Levels(bytes: other) == nil)
        }
        levels.resize(to: .max)
        #expect(levels.seconds == Levels.mostSeconds)
        levels.resize(to: 2)
        #expect(levels.seconds == 2)
    }
}
