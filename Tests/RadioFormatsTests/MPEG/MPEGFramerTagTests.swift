// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Tags, and frames that describe a file, are skipped: they are never audio frames and cause no discontinuity.
struct MPEGFramerTagTests {
    @Test("B5: Tags between frames are skipped whole") func tagsBetweenFrames() {
        var source = SyntheticMPEG(seed: 40)
        let parts = (0..<6).map { _ in source.frames(4) }
        var generator = SplitMix64(seed: 41)
        let tags = [
            Self.id3v2(generator.bytes(3000)), Self.id3v1(), Self.ape(generator.bytes(700)),
            Self.id3v2(generator.bytes(5), hasFooter: true), Self.id3v1() + Self.id3v2([]),
        ]
        var input: [UInt8] = []
        for (index, part) in parts.enumerated() {
            input += part.flatMap { $0 }
            if index < tags.count { input += tags[index] }
        }
        let transcript = expectSameEvents(input)
        #expect(transcript.frames.map(\.bytes) == parts.flatMap { $0 })
        #expect(transcript.skipped(.tag) == tags.reduce(0) { $0 + $1.count })
        #expect(transcript.skipped() == transcript.skipped(.tag) && transcript.discontinuities == 0)
    }

    @Test("A tag at the beginning may be large and may follow another tag") func leadingTags() {
        var source = SyntheticMPEG(seed: 42)
        let frames = source.frames(4)
        var generator = SplitMix64(seed: 43)
        let tags = Self.id3v2(generator.bytes(700_000)) + Self.ape([]) + Self.id3v2(generator.bytes(20))
        let input = tags + frames.flatMap { $0 } + Self.id3v1()
        for split in [Split.whole, .every(4096), .random(seed: 1)] {
            let transcript = FramerTranscript(of: split.pieces(of: input[...]), by: MPEGAudioFramer())
            #expect(transcript.frames.map(\.bytes) == frames)
            #expect(transcript.skipped(.tag) == tags.count + 128 && transcript.accounted == input.count)
        }
    }

    @Test("A tag in mid-stream that claims too many bytes is skipped as junk") func overlongTag() {
        var source = SyntheticMPEG(seed: 44)
        let frames = source.frames(20)
        var lie = Self.id3v2([])
        lie.replaceSubrange(6..<10, with: [0x5f, 0, 0, 0])
        let input = frames[..<10].flatMap { $0 } + lie + frames[10...].flatMap { $0 }
        let transcript = expectSameEvents(input)
        #expect(transcript.frames.map(\.bytes) == frames && transcript.skipped(.junk) == lie.count)
        #expect(transcript.discontinuities == 1)
    }

    @Test("The title of a tag is reported before the frame behind the tag") func title() {
        var source = SyntheticMPEG(seed: 50)
        let frames = source.frames(8)
        func text(_ id: String, _ value: String) -> [UInt8] {
            Array(id.utf8) + [0, 0, 0, UInt8(value.utf8.count + 1), 0, 0, 3] + Array(value.utf8)
        }
        let tag = Self.id3v2(text("TPE1", "Zoë\u{7}") + text("TIT2", "A song"))
        let input = frames[..<4].flatMap { $0 } + tag + frames[4...].flatMap { $0 }
        let transcript = expectSameEvents(input)
        #expect(transcript.titles == ["Zoë - A song"] && transcript.entries[6] == .title("Zoë - A song"))
        #expect(transcript.frames.map(\.bytes) == frames)
    }

    @Test("A tag that is cut short by the end of the input is still a tag") func cutTag() {
        var source = SyntheticMPEG(seed: 45)
        let frames = source.frames(4)
        let input = frames.flatMap { $0 } + Self.id3v2([UInt8](repeating: 7, count: 900)).dropLast(300)
        let transcript = expectSameEvents(Array(input))
        #expect(transcript.frames.map(\.bytes) == frames && transcript.skipped(.tag) == 610)
    }

    @Test(
        "B5: Xing and Info frames are skipped wherever they are", arguments: ["Xing", "Info"],
        [MPEGFrameHeader.Mode.jointStereo, .mono])
    func infoFrames(_ mark: String, _ mode: MPEGFrameHeader.Mode) {
        for version in [StreamFormat.MPEGVersion.mpeg1, .mpeg2, .mpeg25] {
            for hasChecksum in [false, true] {
                var source = SyntheticMPEG(seed: 46)
                source.version = version
                source.mode = mode
                source.hasChecksum = hasChecksum
                let info = Self.infoFrame(&source, mark, at: source.header.mainDataOffset)
                let frames = source.frames(6)
                let input = info + frames[..<3].flatMap { $0 } + info + frames[3...].flatMap { $0 }
                let transcript = expectSameEvents(input, twoPieceSplits: 8, randomSplits: 4, truncations: 4)
                #expect(transcript.frames.map(\.bytes) == frames)
                #expect(transcript.skipped(.infoFrame) == 2 * info.count)
                #expect(transcript.discontinuities == 0)
            }
        }
    }

    @Test("VBRI frames are skipped") func vbriFrames() {
        var source = SyntheticMPEG(seed: 47)
        source.version = .mpeg2
        source.mode = .mono
        var info = Self.infoFrame(&source, "VBRI", at: 36)
        info[41] = 1
        let frames = source.frames(6)
        let transcript = expectSameEvents(info + frames.flatMap { $0 })
        #expect(transcript.frames.map(\.bytes) == frames && transcript.skipped(.infoFrame) == info.count)
    }

    @Test("An Info marker in the wrong place is audio") func misplacedMarker() {
        var source = SyntheticMPEG(seed: 48)
        let offset = source.header.mainDataOffset
        for place in [offset - 4, offset + 1, offset + 4, 21, 36 + 1] {
            let frames = [Self.infoFrame(&source, "Xing", at: place)] + source.frames(4)
            let transcript = FramerTranscript(of: [frames.flatMap { $0 }[...]], by: MPEGAudioFramer())
            #expect(transcript.frames.map(\.bytes) == frames, "at \(place)")
        }
        // This audio spells the marker by chance. The marker is in the right place, but its frame has side information.
        var audio = source.frame()
        audio.replaceSubrange(offset..<offset + 8, with: Array("Info".utf8) + [0, 0, 0, 7])
        let frames = [audio] + source.frames(4)
        let transcript = FramerTranscript(of: [frames.flatMap { $0 }[...]], by: MPEGAudioFramer())
        #expect(transcript.frames.map(\.bytes) == frames)
    }

    @Test("Silent frames are audio") func silentFrames() {
        var source = SyntheticMPEG(seed: 49)
        source.payload = .silent
        for layer in [MPEGFrameHeader.Layer.one, .two, .three] {
            source.layer = layer
            let frames = source.frames(20)
            let transcript = expectSameEvents(frames.flatMap { $0 }, twoPieceSplits: 4, randomSplits: 4)
            #expect(transcript.frames.map(\.bytes) == frames && transcript.skipped() == 0)
        }
    }

    // MARK: - Tags as their makers write them

    private static func id3v2(_ body: [UInt8], hasFooter: Bool = false) -> [UInt8] {
        let size = [21, 14, 7, 0].map { UInt8(body.count >> $0 & 0x7f) }
        let flags: UInt8 = hasFooter ? 0x10 : 0
        return Array("ID3".utf8) + [4, 0, flags] + size + body
            + (hasFooter ? Array("3DI".utf8) + [4, 0, flags] + size : [])
    }

    private static func id3v1() -> [UInt8] {
        Array("TAGA title".utf8) + [UInt8](repeating: 0, count: 118)
    }

    private static func ape(_ items: [UInt8]) -> [UInt8] {
        let size = items.count + 32
        func end(_ flags: UInt8) -> [UInt8] {
            Array("APETAGEX".utf8) + [0xd0, 7, 0, 0] + [0, 8, 16, 24].map { UInt8(size >> $0 & 0xff) }
                + [1, 0, 0, 0, 0, 0, 0, flags] + [UInt8](repeating: 0, count: 8)
        }
        return end(0xa0) + items + end(0x80)
    }

    private static func infoFrame(_ source: inout SyntheticMPEG, _ mark: String, at place: Int) -> [UInt8] {
        let payload = source.payload
        source.payload = .silent
        defer { source.payload = payload }
        var frame = source.frame()
        frame.replaceSubrange(place..<place + 8, with: Array(mark.utf8) + [0, 0, 0, 1])
        return frame
    }
}
