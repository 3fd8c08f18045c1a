// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Undamaged streams: every frame is found, of whatever kind and however the bytes are split.
struct MPEGAudioFramerTests {
    struct Kind: CustomTestStringConvertible {
        var version: StreamFormat.MPEGVersion
        var layer: MPEGFrameHeader.Layer
        var mode: MPEGFrameHeader.Mode
        var hasChecksum: Bool
        var testDescription: String { "MPEG \(version.rawValue) layer \(layer) \(mode) checksum \(hasChecksum)" }

        static let all: [Kind] = [.mpeg1, .mpeg2, .mpeg25].flatMap { version in
            [.one, .two, .three].flatMap { layer in
                [.stereo, .mono].flatMap { mode in
                    [false, true].map { Kind(version: version, layer: layer, mode: mode, hasChecksum: $0) }
                }
            }
        }
    }

    @Test(
        "B6: Every frame of every version, layer and mode is found whole, with and without checksum",
        arguments: Kind.all)
    func everyKind(_ kind: Kind) {
        var source = SyntheticMPEG(seed: 10)
        source.version = kind.version
        source.layer = kind.layer
        source.mode = kind.mode
        source.hasChecksum = kind.hasChecksum
        source.payload = .random
        let frames = source.frames(12)
        let transcript = expectSameEvents(frames.flatMap { $0 }, twoPieceSplits: 16, randomSplits: 8)
        #expect(transcript.frames.map(\.bytes) == frames && transcript.formats == [source.header.format])
        #expect(transcript.skipped() == 0 && transcript.discontinuities == 0)
        #expect(transcript.frames.allSatisfy { $0.samples == source.header.samples && $0.bitRate > 0 })
    }

    @Test("A variable bit rate is no change of format") func variableBitRate() {
        var source = SyntheticMPEG(seed: 11)
        let frames = source.variableFrames(60)
        let transcript = expectSameEvents(frames.flatMap { $0 })
        #expect(transcript.frames.map(\.bytes) == frames && transcript.formats.count == 1)
        #expect(Set(transcript.frames.map(\.bitRate)).count > 5)
    }

    @Test("B6: The length of free-format frames is measured", arguments: [MPEGFrameHeader.Layer.one, .two, .three])
    func freeFormat(_ layer: MPEGFrameHeader.Layer) {
        var source = SyntheticMPEG(seed: 12)
        source.layer = layer
        source.bitRateIndex = 0
        source.freeLength = 1124
        let frames = source.frames(30)
        let transcript = expectSameEvents(frames.flatMap { $0 }, twoPieceSplits: 16, randomSplits: 8)
        #expect(transcript.frames.map(\.bytes) == frames)
        #expect(transcript.frames.allSatisfy { $0.bitRate == 0 })
    }

    @Test("The back reference is taken from the side information") func backReference() {
        var source = SyntheticMPEG(seed: 13)
        var frames = source.frames(4)
        frames[0].replaceSubrange(4...5, with: [0, 0x7f])
        frames[1].replaceSubrange(4...5, with: [0xff, 0x80])
        frames[2].replaceSubrange(4...5, with: [0x80, 0x00])
        frames[3].replaceSubrange(4...5, with: [0x01, 0x80])
        let transcript = FramerTranscript(of: [frames.flatMap { $0 }[...]], by: MPEGAudioFramer())
        #expect(transcript.frames.map(\.backReference) == [0, 511, 256, 3])

        source.version = .mpeg2
        source.hasChecksum = true
        frames = source.frames(3)
        for index in frames.indices { frames[index][6] = UInt8(index * 100) }
        let lower = FramerTranscript(of: [frames.flatMap { $0 }[...]], by: MPEGAudioFramer())
        #expect(lower.frames.map(\.backReference) == [0, 100, 200])
    }

    @Test("A stream that is joined in the middle of a frame loses only the rest of that frame") func joining() {
        var source = SyntheticMPEG(seed: 14)
        let frames = source.frames(8)
        let stream = frames.flatMap { $0 }
        for offset in 0..<frames[0].count + frames[1].count {
            let transcript = FramerTranscript(of: [stream[offset...]], by: MPEGAudioFramer())
            let first = offset == 0 ? 0 : offset <= frames[0].count ? 1 : 2
            #expect(transcript.frames.map(\.bytes) == Array(frames[first...]), "joined at \(offset)")
            #expect(transcript.discontinuities == 0, "nothing was there before")
        }
    }

    @Test("A frame is delivered once the header after it has arrived") func nextHeader() {
        var source = SyntheticMPEG(seed: 15)
        source.sampleRateIndex = 1
        let frames = source.frames(6)
        var framer = MPEGAudioFramer()
        frames[..<3].joined().withContiguousBytes { framer.append($0) }
        #expect(drain(&framer) == 2)
        for frame in frames[3...] {
            frame[..<3].withUnsafeBytes { framer.append($0) }
            #expect(drain(&framer) == 0)
            frame[3..<4].withUnsafeBytes { framer.append($0) }
            #expect(drain(&framer) == 1)
            frame[4...].withUnsafeBytes { framer.append($0) }
            #expect(drain(&framer) == 0)
        }
        framer.finish()
        #expect(drain(&framer) == 1)
    }

    @Test("Fewer than three frames are accepted if they end with the input") func fewFrames() {
        var source = SyntheticMPEG(seed: 16)
        let frames = source.frames(2)
        for count in 1...2 {
            let transcript = expectSameEvents(frames[..<count].flatMap { $0 })
            #expect(transcript.frames.map(\.bytes) == Array(frames[..<count]))
        }
        let short = expectSameEvents(Array(frames[0].dropLast()))
        #expect(short.frames.isEmpty)
        let odd = expectSameEvents(frames[0] + [1, 2, 3, 4, 5])
        #expect(odd.frames.isEmpty)
    }

    @Test("An incomplete last frame is reported as truncated") func truncation() {
        var source = SyntheticMPEG(seed: 17)
        let frames = source.frames(5)
        let stream = frames.flatMap { $0 }
        for missing in [1, 100, frames[4].count - 4, frames[4].count - 1] {
            let transcript = expectSameEvents(Array(stream.dropLast(missing)), truncations: 2)
            #expect(transcript.frames.map(\.bytes) == Array(frames[..<4]), "\(missing) bytes missing")
            #expect(transcript.skipped(.truncated) == frames[4].count - missing)
        }
    }

    @Test("An empty input yields no events") func emptyInput() {
        let transcript = expectSameEvents([])
        #expect(transcript.entries.isEmpty)
    }

    private func drain(_ framer: inout MPEGAudioFramer) -> Int {
        var frames = 0
        while let event = framer.next() {
            if case .frame = event { frames += 1 }
        }
        return frames
    }
}

extension Sequence<UInt8> {
    /// The bytes in one piece.
    func withContiguousBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Array(self).withUnsafeBytes(body)
    }
}
