// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import MediaSources

@Suite struct PacedSourceTests {
    @Test("The demo is played in real time with its titles") func demo() throws {
        let player = Player(demoItems(), ahead: .seconds(4))
        player.run(for: .seconds(120))
        #expect(
            player.titles == [
                "Aircheck - Sign On", "Aircheck Ensemble - First Light", "Aircheck Ensemble - Waltz for a Small Window",
                "Aircheck Night Band - Last Bus Home",
            ])
        #expect(player.format == StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44100, channels: 2))
        #expect(player.skipped.isEmpty)
        #expect(player.isOver && player.failure == nil)
        #expect(player.bytes == DemoProgramme.frames)
        let seconds = Double(player.samples) / 44100
        #expect((60...90).contains(seconds))
        // The end is reported when the last frame has played, minus the time that the source is ahead.
        let ended = try #require(player.endedAt)
        #expect(abs((ended - player.startedAt).inSeconds - (seconds - 4)) < 0.13)
    }

    @Test("The source is never behind, nor ahead by more than one tick") func pace() {
        let player = Player(demoItems(), ahead: .seconds(2))
        player.onCaughtUp = { [unowned player] in
            let wanted = (player.reactor.now - player.startedAt).inSeconds + 2
            let played = Double(player.samples) / 44100
            #expect(played > wanted && played < wanted + 0.03)
        }
        player.run(for: .seconds(30))
        #expect((480...482).contains(player.turns))
    }

    @Test("A repeating source never ends") func repeating() {
        let player = Player(Array(demoItems().prefix(1)), repeats: true)
        player.run(for: .seconds(60))
        #expect(!player.isOver)
        #expect(abs(Double(player.samples) / 44100 - 60) < 0.1)
        #expect(player.titles.count == 9)
    }

    @Test("A short pause of the process is caught up, and a long one is not") func pauses() {
        let player = Player(demoItems())
        player.run(for: .seconds(1))
        player.standStill(for: .seconds(5))
        #expect(abs(Double(player.samples) / 44100 - 6) < 0.1)
        player.standStill(for: .seconds(20))
        player.run(for: .seconds(1))
        #expect(abs(Double(player.samples) / 44100 - 7) < 0.1)
    }

    @Test("Items that cannot be played are skipped, and each is reported once") func skipping() {
        let good = demoItems()[0]
        let items = [
            MediaItem(name: "page.html", bytes: Array("<html><body>not music".utf8)), good,
            MediaItem(name: "other.aac", bytes: silentADTS(frames: 20)), MediaItem(name: "empty.mp3", bytes: []),
        ]
        let player = Player(items, repeats: true)
        player.run(for: .seconds(60))
        #expect(Set(player.skipped.map(\.item)) == ["page.html", "other.aac", "empty.mp3"])
        #expect(player.skipped.count == 3)
        #expect(Set(player.titles) == ["Aircheck - Sign On"])
        #expect(abs(Double(player.samples) / 44100 - 60) < 0.1)
    }

    @Test("A source without any playable item ends, even if it repeats") func nothingPlayable() {
        let player = Player([MediaItem(name: "a", bytes: [1, 2, 3])], repeats: true)
        player.run(for: .seconds(1))
        #expect(player.isOver && player.failure?.failureClass == .notAudio)
    }

    @Test("An item without a title tag gets its name as title") func titleByName() {
        let player = Player([MediaItem(name: "jingle.aac", bytes: silentADTS(frames: 100))])
        player.run(for: .seconds(1))
        #expect(player.titles == ["jingle"])
    }

    @Test("A source may be stopped within any call") func stopping() {
        for call in 0..<20 {
            let player = Player(demoItems())
            player.stopAfterCalls = call
            player.run(for: .seconds(1))
            #expect(player.calls == call + 1)
        }
    }

    @Test("Each frame of an hour at two sample rates has its time without drift") func noDrift() {
        let player = Player(Metronome())
        player.run(for: .seconds(3600))
        var due = Duration.zero
        var (earliest, latest) = (Duration.zero, Duration.zero)
        for frame in player.frames {
            let late = frame.at - player.startedAt - due
            earliest = min(earliest, late)
            latest = max(latest, late)
            due += frame.length
        }
        #expect(earliest == .zero && latest < .milliseconds(63))
        #expect(abs(due.inSeconds - 3600) < 0.1)
        #expect(player.formats.count > 100)
    }

    @Test("A feed's short pause is caught up, and a long one is not") func pausingFeed() {
        let feed = Tap(SampleProgramme(10_000))
        let player = Player(feed, ahead: .seconds(2))
        player.run(for: .seconds(100))
        #expect(player.frames.isEmpty)
        feed.isOpen = true
        player.run(for: .seconds(1))
        #expect(abs(player.played - 3) < 0.1)
        feed.isOpen = false
        player.run(for: .seconds(8))
        feed.isOpen = true
        player.run(for: .seconds(1))
        #expect(abs(player.played - 12) < 0.1)
        feed.isOpen = false
        player.run(for: .seconds(600))
        feed.isOpen = true
        player.run(for: .seconds(1))
        // The audio delivered ahead has played in the meantime, and the same amount is delivered ahead again.
        #expect(abs(player.played - 15) < 0.3)
    }
}

/// A feed that delivers nothing while it is closed.
private final class Tap: StepSource {
    var isOpen = false
    private let feed: Playout

    init(_ programme: SampleProgramme) {
        feed = Playout([MediaItem(name: "a.mp3", bytes: programme.bytes)], repeats: false)
    }

    func next() -> MediaStep? { isOpen ? feed.next() : nil }
    func close() { feed.close() }
}

/// A feed without end that alternates between two sample rates: a thousand frames of one byte have one rate, the next
/// thousand the other.
private final class Metronome: StepSource {
    private var calls = 0

    func next() -> MediaStep? {
        defer { calls += 1 }
        let sampleRate = calls & 2 == 0 ? 44_100 : 48_000
        var parts = StreamParts()
        if calls & 1 == 0 {
            parts.append(.format(StreamFormat(codec: .mp3, sampleRate: sampleRate, channels: 2)))
        } else {
            for _ in 0..<1000 {
                withUnsafeBytes(of: UInt8(0)) { parts.append(FrameBatch(FrameFacts(samples: 1152), length: 1), $0) }
            }
        }
        return .parts(parts)
    }

    func close() {}
}
