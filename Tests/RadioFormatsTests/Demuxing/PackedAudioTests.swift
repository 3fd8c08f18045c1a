// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools
import Testing

struct PackedAudioTests {
    private let frames = ADTSSample().frames(60, seed: 1, wild: true)

    @Test("B66: Tags at the beginning of segments are told once, with the time of the first frame") func tags() {
        let title = PackedAudioSegment.text("TIT2", "A title")
        let segments = [
            PackedAudioSegment.bytes(frames[..<20], time: 1 << 32 | 5, tagFrames: [title]),
            // A tag without a time, and another one behind it.
            PackedAudioSegment.tag([title]) + PackedAudioSegment.bytes(frames[20..<40], time: 77),
            PackedAudioSegment.bytes(frames[40...], time: nil),
        ]
        let said = SegmentTranscript(of: segments, by: PackedAudioDemuxer())
        #expect(said.containers == [.adts] && said.tags.count == 3 && said.problem == nil)
        #expect(FrameList.areEqual(said.frames.map(\.bytes), frames))
        #expect(said.times == [1 << 32 | 5, 77] && said.frames[0].time == 1 << 32 | 5 && said.frames[20].time == 77)
        for cut in [Split.every(1), .every(7)] + (0..<6).map({ Split.random(seed: $0) }) {
            #expect(SegmentTranscript(of: segments, cut: cut, by: PackedAudioDemuxer()) == said, "\(cut)")
        }
    }

    @Test("B66: A tag between frames stays in the audio, where the framer reports its title") func tagsBetweenFrames() {
        let tag = PackedAudioSegment.tag([PackedAudioSegment.text("TIT2", "Between")])
        let bytes = PackedAudioSegment.bytes(frames[..<20], time: 9) + tag + frames[20...].joined()
        let said = SegmentTranscript(of: [bytes], by: PackedAudioDemuxer())
        #expect(said.tags.count == 1 && said.frames.map(\.bytes) == frames)
        let framed = FramerTranscript(of: [said.audio[...]], by: ADTSFramer())
        #expect(framed.entries.contains(.title("Between")) && framed.discontinuities == 0)
    }

    @Test("B66: Segments may be cut within frames, and in raw ranges without tags") func straddlingFrames() {
        let bytes = frames.flatMap { $0 }
        let tag = PackedAudioSegment.bytes([], time: 5)
        for length in [1, 2, 100, 999, 5_000] {
            let segments = stride(from: 0, to: bytes.count, by: length).map {
                Array(bytes[$0..<min(bytes.count, $0 + length)])
            }
            let raw = SegmentTranscript(of: segments, by: PackedAudioDemuxer())
            // The first segment alone has to say what it is.
            if length > 1000 { #expect(FrameList.areEqual(raw.frames.map(\.bytes), frames), "\(length)") }
            let tagged = SegmentTranscript(
                of: [tag + bytes[..<5_000]] + segments.map { tag + $0 }, by: PackedAudioDemuxer())
            #expect(tagged.times.count == segments.count + 1)
            #expect(FrameList.areEqual(tagged.audio[5_000...], bytes[...]))
        }
    }

    @Test("B66: MPEG audio is recognized, and a later segment may have another kind") func kinds() {
        var maker = SyntheticMPEG()
        let mpeg = maker.frames(20)
        let segments = [
            PackedAudioSegment.bytes(mpeg, time: 1), PackedAudioSegment.bytes(frames[..<20], time: 2),
            PackedAudioSegment.bytes(mpeg, time: 3),
        ]
        let said = SegmentTranscript(of: segments, by: PackedAudioDemuxer())
        #expect(said.containers == [.mpeg, .adts, .mpeg])
        #expect(said.frames.map(\.bytes) == mpeg + frames[..<20] + mpeg)
    }

    @Test("B66: What is no packed audio is refused by name") func refusals() {
        var generator = SplitMix64(seed: 1)
        let cases: [([UInt8], DemuxProblem)] = [
            ([0x0B, 0x77] + generator.bytes(900), .unsupported("AC-3 as packed audio")),
            (
                Array("<!DOCTYPE html><html><body>no such segment</body></html>".utf8),
                .malformed("text in place of audio")
            ),
            ([], .noAudio), (generator.bytes(40_000), .noAudio),
            (PackedAudioSegment.bytes([], time: 5), .noAudio),
            (Array("OggS".utf8) + generator.bytes(900), .unsupported("Ogg as packed audio")),
        ]
        for (bytes, problem) in cases {
            for cut in [Split.whole, .every(1), .random(seed: 2)] {
                let said = SegmentTranscript(of: [bytes], cut: cut, by: PackedAudioDemuxer())
                #expect(said.problem == problem && said.audio.isEmpty)
            }
        }
        // Once there was audio, a page of text costs only itself.
        let segments = [frames[..<20].flatMap { $0 }, cases[1].0, frames[20...].flatMap { $0 }]
        let said = SegmentTranscript(of: segments, by: PackedAudioDemuxer())
        // The frame before it is not confirmed by a header behind it.
        #expect(said.problem == nil)
        #expect(FrameList.areEqual(said.frames.map(\.bytes), Array(frames[..<19] + frames[20...])))
    }

    @Test("B66: Cut anywhere, a segment yields what came before the cut, and a cut tag costs only itself")
    func truncated() {
        let title = PackedAudioSegment.text("TIT2", "A title")
        let bytes = PackedAudioSegment.bytes(frames[..<12], time: 5, tagFrames: [title])
        for length in 0...bytes.count {
            let said = SegmentTranscript(of: [Array(bytes[..<length])], by: PackedAudioDemuxer())
            #expect(FrameList.begins(frames, with: said.frames.count, of: said.frames.map(\.bytes)))
            let followed = SegmentTranscript(
                of: [Array(bytes[..<length]), bytes, bytes], by: PackedAudioDemuxer())
            if said.problem == nil {
                #expect(Array(followed.frames.suffix(24).map(\.bytes)) == Array(frames[..<12] + frames[..<12]))
            }
        }
    }

    @Test("B66: Of a tag without end, only the beginning is held") func endlessTag() {
        let time = PackedAudioSegment.timeFrame(5)
        let picture = PackedAudioSegment.tagFrame("APIC", [UInt8](repeating: 0x41, count: 3_000_000))
        let bytes = PackedAudioSegment.tag([time, picture]) + frames.joined()
        let said = SegmentTranscript(of: [bytes], cut: .random(seed: 1), by: PackedAudioDemuxer())
        #expect(said.tags.map(\.count) == [256 << 10] && said.times == [5])
        #expect(FrameList.areEqual(said.frames.map(\.bytes), frames))
    }

    @Test("B66: FFmpeg plays such segments with our tags") func ffmpegReads() async throws {
        let programme = try await ReferenceProgramme.make(.init(.aac(96), seconds: 6))
        let frames = FramerTranscript(of: [programme.bytes[...]], by: ADTSFramer()).frames.map(\.bytes)
        let folder = try TemporaryFolder()
        let half = Int64(130 * 1024) * 90_000 / 44_100
        try folder.write("0.aac", PackedAudioSegment.bytes(frames[..<130], time: 900_000))
        try folder.write("1.aac", PackedAudioSegment.bytes(frames[130...], time: 900_000 + half))
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:3,\n0.aac\n#EXTINF:3,\n1.aac\n#EXT-X-ENDLIST\n"
        let path = try folder.write("list.m3u8", list)
        try RealTransportStreamTests.ffmpeg(["-i", path, "-c", "copy", "-f", "adts", folder.file("out.aac")])
        #expect(FrameList.areEqual(try folder.read("out.aac")[...], programme.bytes[...]))
    }
}
