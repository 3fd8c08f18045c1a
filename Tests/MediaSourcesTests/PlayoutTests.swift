// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import MediaSources

@Suite struct PlayoutTests {
    @Test("Files of one kind are played in order, each frame once") func oneKind() throws {
        let songs = (1...3).map { SampleProgramme(80 + $0, sampleRate: .cd, seed: UInt64($0)) }
        let heard = Heard(songs.indices.map { MediaItem(name: "\($0 + 1).mp3", bytes: songs[$0].bytes) })
        #expect(heard.bytes == songs.flatMap(\.bytes) && heard.formats.map(\.sampleRate) == [44_100])
        #expect(heard.titles == ["1", "2", "3"])
        #expect(heard.skipped.isEmpty && heard.resyncs == 0 && heard.failure == nil)
    }

    @Test("F26: Sample rate and channels are those of most files; other files are skipped and named")
    func majorityKind() async throws {
        let dat = SampleProgramme(80, sampleRate: .dat, seed: 1)
        let cd = (2...4).map { SampleProgramme(80, sampleRate: .cd, seed: UInt64($0)) }
        let mono = try await ReferenceProgramme.make(.init(.mp3(64), channels: 1, seconds: 2))
        let heard = Heard(
            MediaItem(name: "1.mp3", bytes: dat.bytes), MediaItem(name: "2.mp3", bytes: cd[0].bytes),
            MediaItem(name: "3.mp3", bytes: mono.bytes), MediaItem(name: "4.mp3", bytes: cd[1].bytes),
            MediaItem(name: "5.mp3", bytes: dat.bytes), MediaItem(name: "6.mp3", bytes: cd[2].bytes))
        #expect(heard.bytes == cd.flatMap(\.bytes) && heard.formats.count == 1)
        #expect(
            heard.skipped == [
                "1.mp3: it is MP3 (48 kHz, stereo), but MP3 (44.1 kHz, stereo) is being played",
                "3.mp3: it is MP3 (44.1 kHz, mono), but MP3 (44.1 kHz, stereo) is being played",
                "5.mp3: it is MP3 (48 kHz, stereo), but MP3 (44.1 kHz, stereo) is being played",
            ])
    }

    @Test("F26: The rest of a file that changes its kind is skipped") func kindChangesInside() {
        let (cd, dat) = (SampleProgramme(80, sampleRate: .cd, seed: 1), SampleProgramme(80, sampleRate: .dat, seed: 2))
        let heard = Heard(
            MediaItem(name: "1.mp3", bytes: cd.bytes + dat.bytes), MediaItem(name: "2.mp3", bytes: cd.bytes))
        #expect(heard.bytes == cd.bytes + cd.bytes && heard.skipped.count == 1)
    }

    @Test("F26: When all files of the kind are gone, the others are played") func otherKindLater() async throws {
        let (cd, dat) = (SampleProgramme(80, sampleRate: .cd, seed: 1), SampleProgramme(80, sampleRate: .dat, seed: 2))
        let supply = ChangingSupply()
        supply.items =
            ["1", "2"].map { MediaItem(name: $0, bytes: cd.bytes) } + [MediaItem(name: "3", bytes: dat.bytes)]
        let playout = Playout(supply, repeats: true)
        let heard = PlayedParts()
        var skipped: [String] = []
        while heard.formats.count < 2 {
            switch playout.next() {
            case .parts(let parts): parts.pass(to: heard)
            case .skipped(let item, _): skipped.append(item)
            default: break
            }
            if heard.bytes.count >= 2 * cd.bytes.count { supply.items.removeAll { $0.name != "3" } }
        }
        #expect(skipped == ["3"] && heard.formats.map(\.sampleRate) == [44_100, 48_000])
    }

    @Test("F26: Of a large collection, files from all parts of it are looked at") func largeCollection() {
        let (cd, dat) = (SampleProgramme(4, sampleRate: .cd), SampleProgramme(4, sampleRate: .dat))
        let items = (0..<500).map { number in
            MediaItem(name: "\(number).mp3", bytes: number < 100 ? dat.bytes : cd.bytes)
        }
        var pick = KindPick()
        pick.choose(from: items, nil)
        #expect(pick.kind?.sampleRate == 44_100)
    }

    @Test("The codec is that of most files, not of the first one") func majorityCodec() {
        let music = SampleProgramme(50)
        let heard = Heard(
            MediaItem(name: "0.aac", bytes: silentADTS(frames: 20)), MediaItem(name: "1.mp3", bytes: music.bytes),
            MediaItem(name: "2.mp3", bytes: music.bytes))
        #expect(heard.bytes == music.bytes + music.bytes)
        #expect(
            heard.skipped == ["0.aac: it is AAC in ADTS (44.1 kHz, stereo), but MP3 (44.1 kHz, stereo) is being played"]
        )
    }

    @Test("Files that are no audio do not count for the codec") func filesWithoutAudio() {
        let music = SampleProgramme(50)
        let notes = (0..<5).map {
            MediaItem(name: "\($0).txt", bytes: Array("words and words and words and words".utf8))
        }
        let heard = Heard(
            notes + [
                MediaItem(name: "6.aac", bytes: silentADTS(frames: 20)), MediaItem(name: "7.mp3", bytes: music.bytes),
                MediaItem(name: "8.mp3", bytes: music.bytes),
            ])
        #expect(heard.bytes == music.bytes + music.bytes && heard.skipped.count == 6)
    }

    @Test("If most files are not what their names say, the others are played") func wrongNames() {
        let music = SampleProgramme(50)
        let heard = Heard(
            MediaItem(name: "0.aac", bytes: Array("no audio at all, but words and words and words".utf8)),
            MediaItem(name: "1.aac", bytes: []), MediaItem(name: "2.mp3", bytes: music.bytes))
        #expect(heard.bytes == music.bytes && heard.skipped.count == 2)
    }

    @Test("A file without an extension is recognised by its bytes") func noExtension() {
        let music = SampleProgramme(50)
        #expect(Heard(MediaItem(name: "song", bytes: music.bytes)).bytes == music.bytes)
    }

    @Test("Random bytes are given up after a megabyte, and the next item is played") func randomBytes() {
        var random = SplitMix64(seed: 5)
        let music = SampleProgramme(50)
        let noise = random.bytes(3 << 19).map { $0 & 0x7F }
        let heard = Heard(MediaItem(name: "0.mp3", bytes: noise), MediaItem(name: "1.mp3", bytes: music.bytes))
        #expect(heard.bytes == music.bytes && heard.skipped.count == 1)
    }

    @Test("An item that is cut short or damaged inside is played as far as it has frames") func damagedItems() {
        let music = SampleProgramme(200)
        var damaged = music.bytes
        for index in 40_000..<42_000 { damaged[index] = 0 }
        let heard = Heard(
            MediaItem(name: "1.mp3", bytes: Array(music.bytes.dropLast(100))),
            MediaItem(name: "2.mp3", bytes: damaged), MediaItem(name: "3.mp3", bytes: music.bytes))
        #expect(heard.bytes.starts(with: music.frames(0..<199)))
        #expect(heard.bytes.suffix(music.bytes.count).elementsEqual(music.bytes))
        #expect(heard.resyncs == 1 && heard.skipped.isEmpty)
    }

    @Test("Ogg files are links of one chain, each with its own headers and title") func oggChain() throws {
        let one = try ReferenceProgramme(.init(.vorbis(96), seconds: 3, seed: 1))
        let two = try ReferenceProgramme(.init(.vorbis(64), seconds: 3, seed: 2))
        let other = try ReferenceProgramme(.init(.opus(64), sampleRate: 48_000, seconds: 2, seed: 3))
        let heard = Heard(
            MediaItem(name: "a.ogg", bytes: one.bytes), MediaItem(name: "b.ogg", bytes: two.bytes),
            MediaItem(name: "c.opus", bytes: other.bytes))
        let packets = try Broadcast(one).frames + Broadcast(two).frames
        #expect(heard.frames == packets.map { Array($0.bytes) })
        #expect(heard.formats.count == 2 && heard.formats.allSatisfy { !$0.headerPackets.isEmpty })
        #expect(
            heard.skipped == [
                "c.opus: it is Opus in Ogg (48 kHz, stereo), but Vorbis in Ogg (44.1 kHz, stereo) is being played"
            ])
        #expect(heard.titles == ["a", "b"])
    }

    @Test("A title comes from the tag, even beside a picture larger than is read") func titleFromTag() throws {
        let music = SampleProgramme(20)
        let picture = [UInt8](repeating: 0x41, count: 300_000)
        let tag = id3([("TPE1", Array("\u{3}Artist".utf8)), ("TIT2", Array("\u{3}Song".utf8)), ("APIC", picture)])
        let heard = Heard(MediaItem(name: "x.mp3", bytes: tag + music.bytes))
        #expect(heard.titles == ["Artist - Song"] && heard.bytes == music.bytes)
        let aac = silentADTS(frames: 50)
        let recording = Heard(MediaItem(name: "x.aac", bytes: id3([("TIT2", Array("\u{3}News".utf8))]) + aac))
        #expect(recording.titles == ["News"] && recording.bytes == aac)
    }

    @Test("Each round is shuffled again, and no item is played twice in a row") func shuffledRounds() {
        let items = (0..<7).map { MediaItem(name: "\($0)", bytes: []) }
        var order = RoundOrder(shuffleSeed: 9)
        var rounds: [[String]] = []
        for _ in 0..<200 { rounds.append(order.arranged(items, after: rounds.last?.last).map(\.key)) }
        let played = rounds.flatMap { $0 }
        let repeats = zip(played, played.dropFirst()).count { $0 == $1 }
        #expect(rounds.allSatisfy { Set($0).count == 7 } && repeats == 0 && Set(rounds).count > 150)
        // Each item is first in a fair share of the rounds.
        for key in items.map(\.key) { #expect((10...50).contains(rounds.count { $0[0] == key })) }
    }

    @Test("A shuffled programme plays every item of a round once") func shuffledProgramme() {
        let items = (0..<4).map { MediaItem(name: "\($0).mp3", bytes: SampleProgramme(3, seed: UInt64($0)).bytes) }
        let playout = Playout(ItemSupply(items), shuffleSeed: 1, repeats: true)
        var titles: [String] = []
        while titles.count < 12 {
            if case .parts(let parts) = playout.next() { titles += PlayedParts(parts).titles }
        }
        for round in 0..<3 { #expect(Set(titles[round * 4..<round * 4 + 4]).count == 4) }
        #expect(titles[3] != titles[4] && titles[7] != titles[8])
    }

    @Test("A single song is repeated for ever, shuffled or not") func oneSong() {
        let music = SampleProgramme(10)
        let playout = Playout(
            ItemSupply([MediaItem(name: "a.mp3", bytes: music.bytes)]), shuffleSeed: 1, repeats: true)
        var bytes: [UInt8] = []
        while bytes.count < 5 * music.bytes.count {
            if case .parts(let parts) = playout.next() { bytes += PlayedParts(parts).bytes }
        }
        #expect(bytes.prefix(5 * music.bytes.count).elementsEqual((0..<5).flatMap { _ in music.bytes }))
    }

    @Test("Frames of zero length do not play for ever") func framesWithoutLength() throws {
        // Opus packets without frames: a valid stream of zero length.
        let programme = try ReferenceProgramme(.init(.opus(64), sampleRate: 48_000, seconds: 1))
        let format = try #require(Heard(MediaItem(name: "a.opus", bytes: programme.bytes)).formats.first)
        var pages = OggPaginator(format: format, serial: 1, comments: [])
        var silent = pages.headerPages()
        for _ in 0..<100_000 {
            [UInt8]([0x03, 0x00]).withUnsafeBytes { pages.append(packet: $0, samples: 0, into: &silent) }
        }
        pages.finish(into: &silent)
        let playout = Playout(ItemSupply([MediaItem(name: "a.opus", bytes: silent)]), repeats: true)
        var events = 0
        var failure: Failure?
        while events < 1000, failure == nil {
            if case .ended(let found) = playout.next() { failure = found }
            events += 1
        }
        #expect(failure?.failureClass == .notAudio)
    }
}

/// The output of a playout that plays each item once.
private struct Heard {
    private let played = PlayedParts()
    private(set) var skipped: [String] = []
    private(set) var failure: Failure?
    var bytes: [UInt8] { played.bytes }
    var frames: [[UInt8]] { played.frames }
    var formats: [StreamFormat] { played.formats }
    var titles: [String] { played.titles }
    var resyncs: Int { played.resyncs }

    init(_ items: MediaItem...) { self.init(items) }

    init(_ items: [MediaItem]) {
        let playout = Playout(ItemSupply(items), repeats: false)
        while true {
            switch playout.next() {
            case .parts(let parts): parts.pass(to: played)
            case .skipped(let item, let reason): skipped.append("\(item): \(reason)")
            case .ended(let failure):
                self.failure = failure
                return
            case .leftOut, .idle, .opened, .mayBeIncomplete, nil: break
            }
        }
    }
}

/// Items that change between rounds, as the files of a folder do.
private final class ChangingSupply: MediaSupply {
    var items: [MediaItem] = []
    let mayChange = true
    let stop: StopFlag? = nil

    func round(_ skipped: (String, String) -> Void) -> [MediaItem] { items }
}
