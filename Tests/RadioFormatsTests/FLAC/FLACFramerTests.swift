// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

@testable import RadioFormats

struct FLACFramerTests {
    private static let source = SyntheticFLAC()

    private func expect(_ said: FramerTranscript, _ frames: [[UInt8]], at location: SourceLocation = #_sourceLocation) {
        let isSame = said.frames.map(\.bytes) == frames
        #expect(isSame, "\(said.frames.count) of \(frames.count) frames", sourceLocation: location)
    }

    @Test("A stream read from its head on yields its frames, however it is split") func wholeStream() {
        let (head, frames) = (Self.source.head(title: "Here"), Self.source.frames(0..<8))
        let said = expectSameEvents(head + frames.flatMap { $0 }, twoPieceSplits: 400) { FLACFramer() }
        expect(said, frames)
        #expect(said.skipped() == head.count && said.skipped(.container) == head.count)
        #expect(said.titles == ["Here"] && said.discontinuities == 0)
        #expect(said.frames.allSatisfy { $0.samples == 1_152 })
        let format = StreamFormat(
            codec: .flac, in: .flac, sampleRate: 44_100, channels: 1, headerPackets: [Self.source.streamInfo()])
        #expect(said.formats == [format])
        #expect(format.fileHead()?.bytes == Self.source.head())
    }

    @Test("B35: A cover of megabytes costs neither the audio nor the title") func covers() {
        let (head, frames) = (Self.source.head(title: "Here"), Self.source.frames(0..<8))
        let length = 1_600_000
        var covered = head
        covered.insert(contentsOf: OggSample.block(6, [UInt8](repeating: 0xFF, count: length)), at: 4 + 38)
        let said = FLACFramer.events(of: covered + frames.flatMap { $0 })
        expect(said, frames)
        #expect(said.titles == ["Here"] && said.discontinuities == 0)
        #expect(said.skipped(.attachment) == length + 4 && said.skipped(.container) == head.count)
        let comments = OggSample.block(0x84, OggSample.comments("There", nil, cover: length))
        // The head with STREAMINFO, which is not the last block here.
        let start = Array(head.prefix(42))
        let other = FLACFramer.events(of: start + comments + frames.flatMap { $0 })
        #expect(other.titles == ["There"] && other.skipped(.attachment) == comments.count)
    }

    @Test("A framer that joins in mid-stream reports the same format and every whole frame") func joining() {
        let frames = Self.source.frames(100_000..<100_004)
        let whole = FLACFramer.events(of: Self.source.head() + frames.flatMap { $0 })
        for start in stride(from: 1, to: frames[0].count, by: 13) {
            let said = FLACFramer.events(of: Array(frames.joined().dropFirst(start)))
            expect(said, Array(frames.dropFirst()))
            #expect(said.formats == whole.formats && said.discontinuities == 0)
            #expect(said.skipped(.junk) == frames[0].count - start)
        }
    }

    @Test("Frame headers that refer to STREAMINFO need a STREAMINFO block") func streamInfo() {
        var source = SyntheticFLAC()
        (source.rateCode, source.sizeCode) = (0, 0)
        let frames = source.frames(7..<10)
        let whole = FLACFramer.events(of: source.head() + frames.flatMap { $0 })
        expect(whole, frames)
        #expect(whole.formats.map(\.sampleRate) == [44_100])
        #expect(FLACFramer.events(of: frames.flatMap { $0 }).frames.isEmpty)
    }

    @Test("Blocks of variable size are found, and missing samples between them are counted") func variableBlocks() {
        var source = SyntheticFLAC()
        source.isVariable = true
        let sizes = [16, 1_000, 192, 4_608, 300, 301]
        var first = 70_000
        var frames: [[UInt8]] = []
        for size in sizes {
            frames.append(source.frame(first, samples: size))
            first += size
        }
        let head = source.head(smallest: 16, largest: 4_608)
        let said = expectSameEvents(head + frames.flatMap { $0 }, twoPieceSplits: 50) { FLACFramer() }
        expect(said, frames)
        #expect(said.frames.map(\.samples) == sizes && said.discontinuities == 0 && said.formats.count == 1)
        let joined = FLACFramer.events(of: frames.flatMap { $0 })
        #expect(joined.formats == said.formats)
        let holed = FLACFramer.events(of: (frames[..<2] + frames[4...]).flatMap { $0 })
        #expect(holed.missing == [192 + 4_608])
    }

    @Test(
        "B2: A wrong bit costs its frame, at the frame's start also the one before, and the loss is counted",
        arguments: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 500, 1_160, 1_161])
    func damage(_ place: Int) {
        var frames = Self.source.frames(20..<26)
        let whole = frames
        frames[3][min(place, frames[3].count - 1)] ^= 0x10
        let said = expectSameEvents(
            Self.source.head() + frames.flatMap { $0 }, twoPieceSplits: 12, randomSplits: 3, truncations: 2
        ) { FLACFramer() }
        // Without a header after it, a frame cannot be confirmed as whole.
        let lost = place < 2 ? 2 : 1
        expect(said, Array(whole[..<(4 - lost)] + whole[4...]))
        #expect(said.missing == [Int64(lost) * 1_152] && said.discontinuities == 1 && said.formats.count == 1)
        #expect(said.skipped(.damaged) + said.skipped(.junk) == lost * frames[3].count)
    }

    @Test("B4: A frame does not end at a sync code where its checksum happens to be right", arguments: [40, 600])
    func falseEnds(_ place: Int) {
        var frames = Self.source.frames(0..<8)
        for number in [0, 3, 4, 7] { frames[number] = Self.source.frame(number, falseEnd: place) }
        let whole = frames
        let head = Self.source.head()
        let said = expectSameEvents(head + frames.flatMap { $0 }, twoPieceSplits: 400) { FLACFramer() }
        expect(said, whole)
        #expect(said.skipped() == head.count && said.discontinuities == 0)
        // A damaged header ends the frame before it, also at every second frame.
        for number in [1, 4, 6] { frames[number][4] ^= 0x10 }
        let damaged = expectSameEvents(head + frames.flatMap { $0 }, twoPieceSplits: 40) { FLACFramer() }
        expect(damaged, [0, 2, 3, 5, 7].map { whole[$0] })
        #expect(damaged.missing == [1_152, 1_152, 1_152])
        let lost = [1, 4, 6].reduce(0) { $0 + whole[$1].count }
        #expect(damaged.skipped(.damaged) + damaged.skipped(.junk) == lost)
        // So does one that is cut.
        expect(FLACFramer.events(of: whole[..<4].flatMap { $0 } + whole[4].prefix(5)), Array(whole[..<4]))
    }

    @Test("A hole of any place and length is reported to the sample") func hole() {
        let frames = Self.source.frames(0..<12)
        let bytes = frames.flatMap { $0 }
        for (start, end) in [(2_000, 2_300), (3_000, 9_000), (1_165, 5_000), (4_000, 4_001)] {
            let said = FLACFramer.events(of: Array(bytes[..<start] + bytes[end...]))
            let lost = 12 - said.frames.count
            #expect(lost >= 1 && said.missing == [Int64(lost) * 1_152], "\(start) to \(end)")
            #expect(said.frames.allSatisfy { frame in frames.contains(frame.bytes) })
        }
    }

    @Test("A second stream continues the first, but a frame number that goes back is a discontinuity")
    func chainedStreams() {
        let (first, second) = (Self.source.frames(5..<8), Self.source.frames(0..<3))
        let links = Self.source.head(title: "One") + first.joined() + Self.source.head(title: "Two") + second.joined()
        let chained = expectSameEvents(Array(links), twoPieceSplits: 60) { FLACFramer() }
        expect(chained, first + second)
        #expect(chained.discontinuities == 0 && chained.formats.count == 1 && chained.titles == ["One", "Two"])
        let back = FLACFramer.events(of: (first + second).flatMap { $0 })
        #expect(back.discontinuities == 1 && back.missing.isEmpty)
    }

    @Test("Tags around a file are no audio and cost no frame") func tags() {
        let (head, frames) = (Self.source.head(), Self.source.frames(0..<3))
        let front = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0x07, 0x68] + [UInt8](repeating: 0, count: 1_000)
        let back = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        let said = expectSameEvents(front + head + frames.joined() + back, twoPieceSplits: 60) { FLACFramer() }
        expect(said, frames)
        #expect(said.skipped(.tag) == front.count + back.count && said.skipped() == said.skipped(.tag) + head.count)
    }

    @Test("An end in the middle of a frame is reported as truncation, not as damage") func truncation() {
        let frames = Self.source.frames(0..<3)
        let said = FLACFramer.events(of: Array(frames.joined().dropLast()))
        expect(said, Array(frames.dropLast()))
        #expect(said.skipped(.truncated) == frames[2].count - 1 && said.skipped() == said.skipped(.truncated))
    }

    @Test("A new format is reported before its first frame") func newFormat() {
        var other = SyntheticFLAC()
        other.rateCode = 10
        let frames = Self.source.frames(0..<2) + other.frames(0..<2)
        let said = FLACFramer.events(of: frames.flatMap { $0 })
        expect(said, frames)
        #expect(said.formats.map(\.sampleRate) == [44_100, 48_000])
    }

    @Test(
        "B15: Headers side by side cost no more than other bytes, and no more than a frame is held",
        arguments: [1, 1_400])
    func headersSideBySide(_ piece: Int) {
        let header = Array(Self.source.frame(0, samples: 65_535).prefix(8))
        let bytes = [[UInt8]](repeating: header, count: 30_000).flatMap { $0 }
        var framer = FLACFramer()
        var (events, held) = (0, 0)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { framer.append($0) }
            while framer.next() != nil { events += 1 }
            if start % 4_096 == 0 { held = max(held, heldBytes(framer)) }
        }
        #expect(events <= bytes.count / header.count && held < 400_000)
    }

    @Test(
        "The frames found in files of real encoders are those that ffprobe lists",
        arguments: [
            ["-0", "--no-padding"], ["-8", "--blocksize=4608"], ["-5", "--blocksize=192", "--lax"], ["-8", "-p"],
            ["--channels=1"], ["--bps=24"],
        ])
    func realFiles(_ options: [String]) async throws {
        let folder = try TemporaryFolder()
        let (raw, path) = (folder.file("noise.raw"), folder.file("noise.flac"))
        var noise = SplitMix64(seed: 13)
        // The samples have loud and quiet parts, so that some subframes are predicted and others stored verbatim.
        let samples = (0..<120_000).flatMap { number -> [UInt8] in
            let value = Int16(truncatingIfNeeded: Int(noise.next() & 0x3FFF) >> (number / 9_000 % 12))
            return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
        try folder.write("noise.raw", samples)
        let shape = ["channels", "bps"].map { name in options.first { $0.hasPrefix("--\(name)=") } }
        let input =
            ["--force-raw-format", "--endian=little", "--sign=signed", "--sample-rate=48000"]
            + [shape[0] ?? "--channels=2", shape[1] ?? "--bps=16"]
        let encoding = try await ChildProcess(
            .flac, ["-s", "-f", "-o", path] + input + options.filter { !shape.contains($0) } + [raw]
        ).outcome(within: .seconds(60))
        #expect(encoding.succeeded, "\(encoding.standardError)")
        let listing = try await ChildProcess(
            .ffprobe, ["-v", "error", "-show_entries", "packet=size,pos", "-of", "csv=p=0", path]
        ).outcome(within: .seconds(60))
        let listed = listing.text.split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
        let said = expectSameEvents(try bytes(ofFile: path), twoPieceSplits: 8, randomSplits: 3, truncations: 4) {
            FLACFramer()
        }
        #expect(said.frames.map { [$0.bytes.count, Int($0.offset)] } == listed)
        #expect(said.formats.count == 1 && said.discontinuities == 0)
        #expect(said.skipped() == said.skipped(.container))
        let size = (shape[1] == nil ? 2 : 3) * (shape[0] == nil ? 2 : 1)
        #expect(said.frames.reduce(0) { $0 + $1.samples } == samples.count / size)
    }
}

extension FLACFramer {
    fileprivate static func events(of bytes: [UInt8]) -> FramerTranscript {
        FramerTranscript(of: [bytes[...]], by: FLACFramer())
    }
}
