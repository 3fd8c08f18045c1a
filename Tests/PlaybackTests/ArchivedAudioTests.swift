// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import Playback
import RadioCore
import Stations
import Testing

@Suite("A player whose recording has what the ring has dropped")
struct ArchivedAudioTests {
    private let rig: PlayerRig

    init() throws { rig = try PlayerRig() }

    /// Whether each sample follows the one before it, except in the fades at both ends.
    private func isUnbroken(_ played: some Collection<Float>) -> Bool {
        let middle = Array(played.dropFirst(1_440).dropLast(1_440))
        return zip(middle, middle.dropFirst()).allSatisfy { $1 - $0 == 1 }
    }

    @Test("Playback resumes from the archive after a pause longer than the ring, to the sample", arguments: [31, 90])
    func longPause(minutes: Int) throws {
        let archive = FakeArchive(of: rig.programme.hub, rig.reactor)
        let before = rig.continues(after: .seconds(minutes * 60))
        rig.run(.seconds(30))
        #expect(rig.state == .playing && rig.player.snapshot.behind > .seconds(minutes * 60))
        #expect(rig.player.snapshot.underruns == 0)
        let after = rig.sound.played[before...]
        #expect(after.count > 48_000 * 28)
        let isWhole = isUnbroken(after)
        #expect(isWhole)
        #expect(abs((after.first ?? 0) - rig.sound.played[before - 1]) < 3 * 1_440)
        #expect(archive.reads > 10)
    }

    @Test("The change from the archive to the ring is inaudible")
    func intoTheRing() throws {
        let archive = FakeArchive(of: rig.programme.hub, rig.reactor)
        let before = rig.continues(after: .seconds(31 * 60))
        // The station sends nothing, and playback reaches the audio in the ring.
        rig.wait(.seconds(120))
        #expect(rig.sound.played.count - before > 48_000 * 115)
        let isWhole = isUnbroken(rig.sound.played[before...])
        #expect(isWhole)
        let reads = archive.reads
        rig.wait(.seconds(20))
        #expect(archive.reads == reads)
    }

    @Test("A jump may go back beyond the ring, and forward again")
    func jumpBack() throws {
        _ = FakeArchive(of: rig.programme.hub, rig.reactor)
        rig.run(.seconds(5), burst: .seconds(2))
        rig.run(.seconds(200), step: .seconds(1))
        rig.player.perform(.seek(.seconds(-150)))
        let before = rig.sound.played.count
        rig.run(.seconds(10))
        #expect(rig.state == .playing && abs(rig.player.snapshot.behind.inSeconds - 152) < 2)
        let after = rig.sound.played[before...]
        let isWhole = isUnbroken(after.suffix(48_000 * 8))
        #expect(isWhole)
        #expect(abs(Double(after.last ?? 0) / 48_000 - 65) < 3)
        rig.perform(.seek(.seconds(-10)), for: .seconds(5))
        #expect(abs(rig.player.snapshot.behind.inSeconds - 162) < 2)
        rig.perform(.liveEdge, for: .seconds(5))
        #expect(rig.player.snapshot.behind < .seconds(4))
    }

    @Test("Audio missing in the archive is skipped with a fade")
    func gap() throws {
        let archive = FakeArchive(of: rig.programme.hub, rig.reactor)
        rig.run(.seconds(5), burst: .seconds(2))
        rig.player.perform(.pause)
        archive.isKeeping = false
        rig.run(.seconds(60), step: .seconds(1))
        archive.isKeeping = true
        rig.run(.seconds(40 * 60), step: .seconds(1))
        let before = rig.sound.played.count
        rig.perform(.resume, for: .seconds(20))
        #expect(rig.state == .playing)
        let after = Array(rig.sound.played[before...])
        let steps = zip(after, after.dropFirst()).map { abs($1 - $0) }
        // A cut of a minute would be a step of 2,880,000.
        #expect(steps.allSatisfy { $0 < 6_000 }, "\(steps.max() ?? 0)")
        #expect((after.last ?? 0) > 48_000 * 75)
        #expect(rig.player.snapshot.behind < .seconds(41 * 60 + 30))
    }

    @Test("An unreadable archive is skipped")
    func unreadable() throws {
        let archive = FakeArchive(of: rig.programme.hub, rig.reactor)
        archive.isReadable = false
        _ = rig.continues(after: .seconds(45 * 60))
        rig.run(.seconds(10))
        #expect(rig.state == .playing && rig.player.snapshot.behind < .seconds(31 * 60))
        // Playback at the ring's oldest end may fall out of the ring again, so a few more reads are allowed.
        #expect(archive.reads < 5)
    }

    @Test("Playback waits for a slow disk, and then plays all it delivers")
    func slowDisk() throws {
        let archive = FakeArchive(of: rig.programme.hub, rig.reactor)
        archive.delay = .seconds(20)
        let before = rig.continues(after: .seconds(40 * 60))
        rig.run(.seconds(10))
        #expect(rig.state == .rebuffering(.slow))
        archive.delay = .zero
        rig.run(.seconds(30))
        #expect(rig.state == .playing && rig.sound.played.count - before > 48_000 * 15)
        // The player did not poll for the missing audio.
        #expect(rig.events.count < 20)
    }

    @Test("Titles of archived audio are reported when that audio is heard")
    func titles() throws {
        _ = FakeArchive(of: rig.programme.hub, rig.reactor)
        rig.run(.seconds(5), burst: .seconds(2))
        rig.perform(.pause, for: .seconds(10))
        rig.programme.hub.setTitle("Second")
        rig.run(.seconds(40 * 60), step: .seconds(1))
        rig.programme.hub.setTitle("Third")
        rig.run(.seconds(10))
        rig.perform(.resume, for: .seconds(30))
        let titles = rig.events.compactMap { if case .title(let title) = $0 { title } else { nil } }
        #expect(titles == ["Second"])
    }
}

/// Keeps all chunks of a hub in memory, and reads them as slowly as a test wants.
final class FakeArchive: FrameArchive, StreamSink {
    var isKeeping = true
    var isReadable = true
    var delay = Duration.zero
    private(set) var reads = 0
    private let reactor: any Reactor
    private var chunks: [Chunk] = []

    init(of hub: StreamHub, _ reactor: any Reactor) {
        self.reactor = reactor
        hub.attach(self)
        hub.add(self)
    }

    var tolerance: Duration? { nil }

    func receive(_ event: StreamEvent) {
        if case .chunk(let chunk) = event, isKeeping { chunks.append(chunk) }
    }

    func firstFrame(from frame: Int64) -> Int64? { chunk(from: frame)?.position.frames }

    func makeReader(from frame: Int64) -> any ArchiveReader { Reader(self, frame) }

    private func chunk(from frame: Int64) -> Chunk? {
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            let chunk = chunks[middle]
            if chunk.position.frames + Int64(chunk.frames.count) <= frame { low = middle + 1 } else { high = middle }
        }
        guard low < chunks.count else { return nil }
        let chunk = chunks[low]
        return chunk.subchunk(Int(max(0, frame - chunk.position.frames))..<chunk.frames.count)
    }

    private final class Reader: ArchiveReader {
        private let archive: FakeArchive
        private var next: Int64
        private var timer: (any ReactorTimer)?

        init(_ archive: FakeArchive, _ frame: Int64) {
            self.archive = archive
            next = frame
        }

        func read(_ done: @escaping (Chunk?) -> Void) {
            archive.reads += 1
            let chunk = archive.isReadable ? archive.chunk(from: next) : nil
            if let chunk { next = chunk.position.frames + Int64(chunk.frames.count) }
            let timer = archive.reactor.makeTimer { done(chunk) }
            timer.arm(at: archive.reactor.now + archive.delay)
            self.timer = timer
        }
    }
}

extension PlayerRig {
    /// Plays for five seconds, pauses for `pause` while the station keeps sending, and resumes. Returns how many
    /// samples had been played when playback resumed.
    fileprivate func continues(after pause: Duration) -> Int {
        run(.seconds(5), burst: .seconds(2))
        player.perform(.pause)
        run(pause, step: .seconds(1))
        player.perform(.resume)
        return sound.played.count
    }
}
