// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

struct PartFramerTests {
    /// Everything that a framer yields for a body that arrives in pieces.
    private struct Transcript: Equatable {
        var frames: [[UInt8]] = []
        var offsets: [Int64] = []
        /// Parts, each with the number of the next frame.
        var parts: [String] = []
        var skipped: [SkipReason: Int] = [:]
        var wrongChecksums: [Int] = []
        var content = ContentGuess.undecided
        var isRefused = false
        var lacksAudio = false

        init(_ pieces: [ArraySlice<UInt8>], _ framer: PartFramer) {
            var framer = framer
            for piece in pieces { piece.withUnsafeBytes { framer.push($0) { take($0) } } }
            framer.finish { take($0) }
            (content, isRefused, lacksAudio) = (framer.content, !framer.isRecognized, framer.lacksAudio)
        }

        private mutating func take(_ output: PartFramer.Output) -> Bool {
            switch output {
            case .frames(let batch, let bytes):
                batch.forEach(in: bytes) {
                    frames.append(Array($1))
                    offsets.append($0.offset)
                }
            case .part(let part): parts.append("\(frames.count) \(part)")
            case .skipped(let count, let reason): skipped[reason, default: 0] += count
            case .wrongChecksum: wrongChecksums.append(frames.count)
            }
            return true
        }

        var accounted: Int { skipped.values.reduce(0, +) + frames.reduce(0) { $0 + $1.count } }
    }

    @Test("Audio in MP4 is framed, and told by its container", arguments: ["progressive", "fragments", "quicktime"])
    func movies(name: String) throws {
        let seeds = #filePath.replacing("RadioCoreTests/Stream/PartFramerTests.swift", with: "Seeds/mp4")
        let body = try bytes(ofFile: "\(seeds)/\(name)")
        let whole = Transcript([body[...]], PartFramer(name: nil))
        #expect(whole.content == .audio(.adts) && !whole.frames.isEmpty && whole.skipped == [:])
        #expect(whole.parts.count { $0.contains("format") } == 1)
        var random = SplitMix64(seed: 1)
        for longest in [1, 3, 40, 700] {
            #expect(Transcript(Self.pieces(of: body, upTo: longest, &random), PartFramer(name: nil)) == whole)
        }
        // A file that is cut yields the frames before the cut, and says what it is if there are none.
        for length in stride(from: 0, to: body.count, by: 41) {
            let cut = Transcript([body.prefix(length)], PartFramer(name: nil))
            #expect(whole.frames.starts(with: cut.frames) && cut.content != .undecided)
        }
    }

    @Test("MP4 from which no audio can be taken out is named")
    func refusedMovies() throws {
        let seeds = #filePath.replacing("RadioCoreTests/Stream/PartFramerTests.swift", with: "Seeds/mp4")
        let behind = Transcript([try bytes(ofFile: "\(seeds)/index-behind")[...]], PartFramer(name: nil))
        #expect(behind.content == .unsupported("MP4 whose index stands behind its audio") && behind.isRefused)
        let empty: [UInt8] = [0, 0, 0, 40] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 28)
        let alone = Transcript([empty[...]], PartFramer(name: nil))
        #expect(alone.content == .unsupported("MP4 without audio"))
    }

    private static func pieces(of body: [UInt8], upTo longest: Int, _ random: inout SplitMix64) -> [ArraySlice<UInt8>] {
        var (pieces, rest) = ([ArraySlice<UInt8>](), body[...])
        while !rest.isEmpty {
            pieces.append(rest.prefix(Int.random(in: 0...longest, using: &random)))
            rest = rest.dropFirst(pieces.last?.count ?? 0)
        }
        return pieces
    }

    /// Whole, byte by byte, at random places, and cut short at random places.
    private func check(_ body: [UInt8], _ framer: PartFramer) -> Transcript {
        let whole = Transcript([body[...]], framer)
        #expect(whole.accounted == (whole.isRefused ? 0 : body.count))
        #expect(Transcript(body.indices.map { body[$0...$0] }, framer) == whole, "byte by byte")
        var random = SplitMix64(seed: 1)
        for longest in [3, 40, 700, 5_000, 40_000] {
            #expect(Transcript(Self.pieces(of: body, upTo: longest, &random), framer) == whole, "up to \(longest)")
            let short = Array(body.prefix(Int.random(in: 0...body.count, using: &random)))
            let cut = Transcript([short[...]], framer)
            #expect(cut.accounted == (cut.isRefused ? 0 : short.count), "cut to \(short.count)")
            let pieces = Self.pieces(of: short, upTo: longest, &random)
            #expect(Transcript(pieces, framer) == cut, "cut to \(short.count), up to \(longest)")
        }
        return whole
    }

    @Test(
        "Audio is the same however its bytes arrive, with junk in it and with text before it",
        arguments: [ReferenceProgramme.Encoding.mp3(128), .mp2(192), .aac(128), .opus(96), .vorbis(112), .flac])
    func audio(_ encoding: ReferenceProgramme.Encoding) async throws {
        let programme = try await ReferenceProgramme.make(.init(encoding, sampleRate: 48_000, seconds: 2))
        let frames = try programme.checker().frames.filter { !$0.isEmpty }.map { Array($0) }
        let whole = check(programme.bytes, PartFramer(name: nil))
        #expect(whole.frames == frames && !whole.isRefused && whole.parts.first?.hasPrefix("0 ") == true)
        if case .audio(let container) = whole.content {
            #expect(check(programme.bytes, PartFramer(container)) == whole)
        }
        var random = SplitMix64(seed: 2)
        let middle = programme.bytes.count / 2
        let damaged = programme.bytes[..<middle] + random.bytes(3_000) + programme.bytes[middle...]
        let holed = check(Array(damaged), PartFramer(name: nil))
        #expect(holed.frames.count >= frames.count * 3 / 4 && holed.parts.count > whole.parts.count)
    }

    @Test(
        "What is no audio is refused with its bytes, however they arrive",
        arguments: ["", "<html><body>off the air</body></html>", "#EXTM3U\nhttp://radio.example/\n"])
    func refused(_ text: String) {
        let body = Array(text.utf8)
        let heard = check(body, PartFramer(name: nil))
        #expect(heard.isRefused && heard.content != .undecided)
        var framer = PartFramer(name: nil)
        body.withUnsafeBytes { framer.push($0) { _ in true } }
        #expect(framer.prefix == body)
    }

    @Test("Audio is lacking after a mebibyte without a frame; tags do not count", arguments: [true, false])
    func idle(isTag: Bool) {
        let music = SampleProgramme(40).bytes
        let size = 2 << 20
        let tag = Array("ID3".utf8) + [4, 0, 0] + [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7f) }
        let body = (isTag ? tag : []) + [UInt8](repeating: 0, count: size)
        #expect(Transcript([body[...]], PartFramer(.mpeg)).lacksAudio == !isTag)
        #expect(!Transcript([(body + music)[...]], PartFramer(.mpeg)).lacksAudio)
    }

    @Test("A receiver that has enough gets the rest later") func stopping() {
        let music = SampleProgramme(40)
        var framer = PartFramer(.mpeg)
        var (frames, outputs) = (0, 0)
        func take(_ output: PartFramer.Output) -> Bool {
            if case .frames(let batch, _) = output { frames += batch.count }
            outputs += 1
            return outputs > 1
        }
        music.bytes.withUnsafeBytes { framer.push($0, take) }
        #expect(frames == 0 && outputs == 1)
        framer.finish(take)
        #expect(frames == 40)
    }
}
