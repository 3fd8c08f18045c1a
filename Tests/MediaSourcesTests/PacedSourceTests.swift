// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import MediaSources
import RadioCore
import RadioFormats
import TestSupport
import Testing

@Suite struct PacedSourceTests {
    @Test func playsTheDemoInRealTimeWithItsTitles() throws {
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
        // The end is told when the last frame has played, less what the source is ahead.
        let ended = try #require(player.endedAt)
        #expect(abs((ended - player.startedAt).inSeconds - (seconds - 4)) < 0.13)
    }

    @Test func isNeverBehindNorEarlyByMoreThanATick() {
        let player = Player(demoItems(), ahead: .seconds(2))
        player.onCaughtUp = { [unowned player] in
            let wanted = (player.reactor.now - player.startedAt).inSeconds + 2
            let played = Double(player.samples) / 44100
            #expect(played > wanted && played < wanted + 0.03)
        }
        player.run(for: .seconds(30))
        #expect((480...482).contains(player.turns))
    }

    @Test func repeatsForEver() {
        let player = Player(Array(demoItems().prefix(1)), repeats: true)
        player.run(for: .seconds(60))
        #expect(!player.isOver)
        #expect(abs(Double(player.samples) / 44100 - 60) < 0.1)
        #expect(player.titles.count == 9)
    }

    @Test func catchesUpAShortPauseAndForgivesALongOne() {
        let player = Player(demoItems())
        player.run(for: .seconds(1))
        player.standStill(for: .seconds(5))
        #expect(abs(Double(player.samples) / 44100 - 6) < 0.1)
        player.standStill(for: .seconds(20))
        player.run(for: .seconds(1))
        #expect(abs(Double(player.samples) / 44100 - 7) < 0.1)
    }

    @Test func skipsWhatItCannotPlayAndSaysItOnce() {
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

    @Test func endsWhereNothingCanBePlayedAlsoWhenItRepeats() {
        let player = Player([MediaItem(name: "a", bytes: [1, 2, 3])], repeats: true)
        player.run(for: .seconds(1))
        #expect(player.isOver && player.failure?.failureClass == .notAudio)
    }

    @Test func takesTheNameWhereNoTagHasATitle() {
        let player = Player([MediaItem(name: "jingle.aac", bytes: silentADTS(frames: 100))])
        player.run(for: .seconds(1))
        #expect(player.titles == ["jingle.aac"])
    }

    @Test func mayBeStoppedFromEveryCall() {
        for call in 0..<20 {
            let player = Player(demoItems())
            player.stopAfterCalls = call
            player.run(for: .seconds(1))
            #expect(player.calls == call + 1)
        }
    }
}

/// A source on virtual time with a delegate that writes down what it hears.
private final class Player: PacedSourceDelegate {
    let reactor = ManualReactor()
    let startedAt: MonotonicInstant
    private(set) var format: StreamFormat?
    private(set) var titles: [String] = []
    private(set) var bytes: [UInt8] = []
    private(set) var samples: Int64 = 0
    private(set) var skipped: [(item: String, reason: String)] = []
    private(set) var turns = 0
    private(set) var calls = 0
    private(set) var isOver = false
    private(set) var endedAt: MonotonicInstant?
    private(set) var failure: Failure?
    var stopAfterCalls = Int.max
    var onCaughtUp: (() -> Void)?
    private var source: PacedSource?

    init(_ items: [MediaItem], repeats: Bool = false, ahead: Duration = .zero) {
        startedAt = reactor.now
        source = PacedSource(items, repeats: repeats, ahead: ahead, reactor: reactor, delegate: self)
        source?.start()
    }

    func run(for duration: Duration) {
        reactor.advance(by: duration)
    }

    func standStill(for duration: Duration) {
        reactor.standStill(for: duration)
    }

    private func called() {
        calls += 1
        if calls > stopAfterCalls { source?.stop() }
    }

    func source(_ source: PacedSource, began format: StreamFormat) {
        self.format = format
        called()
    }

    func source(_ source: PacedSource, played frame: Frame, _ bytes: UnsafeRawBufferPointer) {
        self.bytes += bytes
        samples += Int64(frame.samples)
        called()
    }

    func source(_ source: PacedSource, title: String) {
        titles.append(title)
        called()
    }

    func sourceResynced(_ source: PacedSource) {
        called()
    }

    func source(_ source: PacedSource, skipped item: String, because reason: String) {
        skipped.append((item, reason))
        called()
    }

    func sourceCaughtUp(_ source: PacedSource) {
        turns += 1
        onCaughtUp?()
        called()
    }

    func source(_ source: PacedSource, endedWith failure: Failure?) {
        isOver = true
        endedAt = reactor.now
        self.failure = failure
        called()
    }
}

private func demoItems() -> [MediaItem] {
    DemoProgramme.pieces.enumerated().map { MediaItem(name: "\($0).mp3", staticBytes: $1) }
}

/// ADTS frames of AAC-LC, 44.1 kHz stereo, with a payload that no decoder will see.
private func silentADTS(frames: Int) -> [UInt8] {
    let payload: [UInt8] = [0x21, 0x10, 0x05, 0x20]
    let length = 7 + payload.count
    let header: [UInt8] = [0xff, 0xf1, 0x50, 0x80, UInt8(length >> 3), UInt8(length & 7) << 5 | 0x1f, 0xfc]
    return (0..<frames).flatMap { _ in header + payload }
}
