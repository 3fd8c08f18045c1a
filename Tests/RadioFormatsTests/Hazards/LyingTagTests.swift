// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Tags of any size, and tags that claim a false size: frames are found, and memory use stays small.
struct LyingTagTests {
    /// An ID3v2 header that claims 200 MB.
    private static let lie = Array("ID3".utf8) + [4, 0, 0, 0x5f, 0x2e, 0x50, 0]

    @Test("B5: A tag in mid-stream that claims 200 MB does not hide the frames after it")
    func falseSize() async throws {
        let mp3 = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 3))
        let aac = try await ReferenceProgramme.make(.init(.aac(128), seconds: 3))
        for (programme, isADTS) in [(mp3, false), (aac, true)] {
            let frames = try programme.checker().frames.map { Array($0) }
            let half = frames.count / 2
            let bytes = frames[..<half].joined() + Self.lie + frames[half...].joined()
            let said =
                isADTS
                ? FramerTranscript(of: [Array(bytes)[...]], by: ADTSFramer())
                : FramerTranscript(of: [Array(bytes)[...]], by: MPEGAudioFramer())
            #expect(said.accounted == bytes.count)
            #expect(said.frames.map(\.bytes).starts(with: frames[..<(half - 3)]))
            #expect(said.frames.map(\.bytes).suffix(frames.count - half - 3) == frames[(half + 3)...])
            #expect(said.frames.count >= frames.count - 3 && said.discontinuities <= 1)
        }
    }

    @Test("B5: A true tag of 8 MB is skipped whole, and no more than a piece of it is held")
    func largeTag() {
        var source = SyntheticMPEG(seed: 9)
        let frames = source.frames(4)
        let size = 8 << 20
        let header = Array("ID3".utf8) + [4, 0, 0] + [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7f) }
        let piece = [UInt8](repeating: 0x41, count: 16 << 10)
        var framer = MPEGAudioFramer()
        var skipped = 0
        var most = 0
        func feed(_ bytes: [UInt8]) -> [[UInt8]] {
            var found: [[UInt8]] = []
            bytes.withUnsafeBytes { framer.append($0) }
            while let event = framer.next() {
                if case .skipped(let count, .tag) = event { skipped += count }
                if case .frame(let frame) = event { found.append(framer.withBytes(of: frame) { Array($0) }) }
            }
            most = max(most, heldBytes(framer))
            return found
        }
        #expect(feed(header).isEmpty)
        for _ in 0..<size / piece.count { #expect(feed(piece).isEmpty) }
        #expect(feed(frames.flatMap { $0 }) == Array(frames[..<3]))
        #expect(skipped == header.count + size)
        #expect(most <= 1 << 20, "\(most) bytes are held")
    }

    @Test("B5: A framer holds less than 1 MiB of endless false tags, headers and half pages")
    func hostileStreams() {
        var generator = SplitMix64(seed: 55)
        let mpeg: [[UInt8]] = [[0xff, 0xfb, 0x90, 0x64], [0xff, 0xfb, 0x00, 0x64], Self.lie, Array("APETAGEX".utf8)]
        let adts: [[UInt8]] = [[0xff, 0xf1, 0x50, 0x83, 0xff, 0xff, 0xfc], Self.lie]
        let ogg: [[UInt8]] = [Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [0xff], [0xff, 0xff]]
        func most(_ framer: some Framer, _ alphabet: [[UInt8]]) -> Int {
            var framer = framer
            var most = 0
            for _ in 0..<400 {
                var piece: [UInt8] = []
                for _ in 0..<40 {
                    piece += alphabet.randomElement(using: &generator) ?? []
                    piece += generator.bytes(Int.random(in: 0...30, using: &generator))
                }
                piece.withUnsafeBytes { framer.append($0) }
                while framer.next() != nil {}
                most = max(most, heldBytes(framer))
            }
            return most
        }
        #expect(most(MPEGAudioFramer(), mpeg) < 1 << 20)
        #expect(most(ADTSFramer(), adts) < 1 << 20)
        #expect(most(OggFramer(), ogg) < 1 << 20)
    }
}
