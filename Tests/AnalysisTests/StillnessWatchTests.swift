// SPDX-License-Identifier: MIT

import Testing

@testable import Analysis
@testable import RadioCore

/// When a programme counts as silent, or as standing still, in windows of 100 ms.
struct StillnessWatchTests {
    private enum Sound {
        case silence, music, tone(Double, level: Float)
    }

    /// A change, with the numbers of frames.
    private enum Told: Equatable {
        case began(Stretch.Kind, frame: Int64)
        case turned(Stretch.Kind, frame: Int64, end: Int64)
        case ended(Stretch.Kind, frame: Int64, after: Duration)

        init(_ change: StillnessWatch.Change) {
            switch change {
            case .began(let first, _): self = .began(first.kind, frame: first.first.frame)
            case .turned(let part, let end): self = .turned(part.kind, frame: part.first.frame, end: end.frame)
            case .ended(let first, let sound):
                self = .ended(first.kind, frame: sound.frame, after: sound.start - first.first.start)
            }
        }
    }

    /// The changes that a watch reports, each with the window that brought it.
    private func changes(_ sounds: [Sound], threshold: Duration = .seconds(5)) -> [(Int, Told)] {
        var watch = StillnessWatch(threshold: threshold)
        var random = 7
        return sounds.enumerated().compactMap { index, sound in
            random = (random &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
            let noise = Float(random % 1_000) / 1_000
            let (rms, peak, crossings): (Float, Float, Double) =
                switch sound {
                case .silence: (0.000_5, 0.002, 900)
                case .music: (0.1 + 0.1 * noise, 0.5 + 0.2 * noise, 800 + 900 * Double(noise))
                case .tone(let pitch, let level): (level, level * 1.42, 2 * pitch + Double(noise) * 10)
                }
            let window = SoundWindow(
                frame: Int64(index * 4), start: .milliseconds(100) * index, length: .milliseconds(100),
                loudness: Loudness(channels: Array(repeating: .init(rms: rms, peak: peak), count: 2)),
                crossings: crossings)
            return watch.take(window).map { (index, Told($0)) }
        }
    }

    private func windows(_ sound: Sound, _ count: Int) -> [Sound] { Array(repeating: sound, count: count) }

    @Test("Silence is told once, when it has lasted for the threshold, and its end after a second of sound")
    func silence() {
        let found = changes(windows(.music, 20) + windows(.silence, 80) + windows(.music, 30))
        #expect(found.map(\.0) == [69, 109])
        #expect(
            found.map(\.1) == [
                .began(.silence, frame: 80), .ended(.silence, frame: 400, after: .seconds(8)),
            ])
    }

    @Test("Silence that is shorter than the threshold is not told") func pause() {
        #expect(changes(windows(.silence, 49) + windows(.music, 20) + windows(.silence, 49)).isEmpty)
    }

    @Test("A click does not end silence that was told, and its length counts from the sound that ends it")
    func click() {
        let found = changes(
            windows(.silence, 60) + windows(.music, 3) + windows(.silence, 40) + windows(.music, 20))
        #expect(
            found.map(\.1) == [
                .began(.silence, frame: 0), .ended(.silence, frame: 412, after: .milliseconds(10_300)),
            ])
    }

    @Test("One tone is told, another pitch or level is another tone", arguments: [50.0, 440, 1_000, 8_000])
    func tone(pitch: Double) {
        #expect(changes(windows(.tone(pitch, level: 0.25), 60)).map(\.1) == [.began(.tone, frame: 0)])
        let steps = (0..<60).flatMap { windows(.tone(pitch * ($0 % 2 == 0 ? 1 : 1.5), level: 0.25), 4) }
        #expect(changes(steps).isEmpty)
        let pulses = (0..<60).flatMap { windows(.tone(pitch, level: $0 % 2 == 0 ? 0.25 : 0.15), 4) }
        #expect(changes(pulses).isEmpty)
    }

    @Test("A44: a tone, silence and another tone after each other are one stillness") func parts() {
        let (tone, other) = (Sound.tone(440, level: 0.25), Sound.tone(1_000, level: 0.25))
        let sounds = windows(tone, 60) + windows(.music, 2) + windows(.silence, 60) + windows(other, 60)
        let found = changes(sounds + windows(.music, 20))
        #expect(
            found.map(\.1) == [
                .began(.tone, frame: 0), .turned(.silence, frame: 248, end: 240),
                .turned(.tone, frame: 488, end: 488), .ended(.tone, frame: 728, after: .milliseconds(18_200)),
            ])
        // They are so as well before the threshold, without a new wait.
        let early = changes(windows(tone, 30) + windows(.silence, 30))
        #expect(early.map(\.0) == [49] && early.map(\.1) == [.began(.tone, frame: 0)])
        // Sound that stands still for less than a second is sound.
        let melody = (0..<10).flatMap { windows($0 % 2 == 0 ? tone : other, 4) }
        let sung = changes(windows(.silence, 60) + melody)
        #expect(sung.map(\.1).last == .ended(.silence, frame: 240, after: .seconds(6)))
    }

    @Test("Music is never told") func music() { #expect(changes(windows(.music, 5_000)).isEmpty) }
}
