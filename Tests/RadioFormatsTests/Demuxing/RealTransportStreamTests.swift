// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools
import Testing

/// FFmpeg's transport streams are read, and FFmpeg reads those of the tests' own muxer.
struct RealTransportStreamTests {
    /// What FFmpeg puts into a stream, beside the audio.
    struct Case: CustomTestStringConvertible {
        let name: String
        let encoding: ReferenceProgramme.Encoding
        var rate = 44_100
        /// Further options for the output.
        var options: [String] = []
        var hasVideo = false

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "AAC", encoding: .aac(128)), Case(name: "AAC at 24 kHz", encoding: .aac(48), rate: 24_000),
        Case(name: "MP3", encoding: .mp3(128)), Case(name: "MP2", encoding: .mp2(192), rate: 48_000),
        Case(name: "MP3 at 22 kHz", encoding: .mp3(64), rate: 22_050),
        Case(name: "long PES packets", encoding: .aac(64), options: ["-pes_payload_size", "60000"]),
        Case(name: "no audio buffering", encoding: .aac(128), options: ["-pes_payload_size", "0"]),
        Case(name: "video beside", encoding: .aac(128), hasVideo: true),
        Case(name: "M2TS flags", encoding: .aac(128), options: ["-mpegts_flags", "+resend_headers+pat_pmt_at_frames"]),
    ]

    @Test("B61: What FFmpeg has multiplexed comes out frame by frame, at FFmpeg's times", arguments: cases)
    func ffmpegFile(_ sample: Case) async throws {
        let programme = try await ReferenceProgramme.make(
            .init(sample.encoding, sampleRate: sample.rate, seconds: 8))
        let folder = try TemporaryFolder()
        let path = folder.file("a.ts")
        let video = ["-f", "lavfi", "-i", "testsrc=size=160x90:rate=10:duration=8"]
        let maps = ["-map", "1:v", "-map", "0:a", "-c:v", "mpeg2video"]
        try Self.ffmpeg(
            ["-i", programme.path] + (sample.hasVideo ? video + maps : []) + ["-c:a", "copy"] + sample.options
                + ["-f", "mpegts", path])
        let bytes = try TestTools.bytes(ofFile: path)
        for cut in [Split.whole, .random(seed: 1)] {
            let said = SegmentTranscript(of: [bytes], cut: cut, by: TransportStreamDemuxer())
            #expect(said.losses == 0 && said.problem == nil)
            #expect(FrameList.areEqual(said.audio[...], programme.bytes[...]))
            let times = try Self.packetTimes(path)
            for (frame, time) in zip(said.frames, times) {
                // FFmpeg's times of frames without a time of their own are rounded.
                if let stated = frame.time { #expect(abs(stated - time) <= 1) }
            }
            #expect(said.frames.count == times.count && said.frames.first?.time == times.first)
        }
    }

    @Test("B61: FFmpeg's HLS segments are one stream", arguments: [ReferenceProgramme.Encoding.aac(96), .mp3(128)])
    func ffmpegSegments(_ encoding: ReferenceProgramme.Encoding) async throws {
        let programme = try await ReferenceProgramme.make(.init(encoding, seconds: 12))
        let folder = try TemporaryFolder()
        try Self.ffmpeg(
            ["-i", programme.path, "-c", "copy", "-f", "hls", "-hls_time", "2", "-hls_list_size", "0"]
                + ["-hls_segment_filename", folder.file("%d.ts"), folder.file("list.m3u8")])
        var segments: [[UInt8]] = []
        while let segment = try? folder.read("\(segments.count).ts") { segments.append(segment) }
        #expect(segments.count >= 5)
        let said = SegmentTranscript(of: segments, by: TransportStreamDemuxer())
        #expect(said.losses == 0 && FrameList.areEqual(said.audio[...], programme.bytes[...]))
    }

    @Test("B61: FFmpeg finds the frames and times of the tests' own streams", arguments: [0, 1, 2, 3])
    func ownStreams(_ variant: Int) async throws {
        let isAAC = variant < 2
        let programme = try await ReferenceProgramme.make(.init(isAAC ? .aac(96) : .mp3(96), seconds: 6))
        let frames =
            isAAC
            ? FramerTranscript(of: [programme.bytes[...]], by: ADTSFramer()).frames.map(\.bytes)
            : FramerTranscript(of: [programme.bytes[...]], by: MPEGAudioFramer()).frames.map(\.bytes)
        var options = TransportStreamMuxer.Options()
        if variant % 2 == 1 { (options.cutLength, options.spill, options.hasVideo) = (700, 20, true) }
        var muxer = TransportStreamMuxer(
            isAAC ? .adts : .mpeg1, samplesPerFrame: isAAC ? 1024 : 1152, sampleRate: 44_100, options: options)
        let tag = PackedAudioSegment.tag([PackedAudioSegment.text("TIT2", "A title")])
        let bytes = muxer.segment(frames[..<90], tags: [tag]) + muxer.segment(frames[90...])
        let folder = try TemporaryFolder()
        let path = try folder.write("own.ts", bytes)
        let output = folder.file(isAAC ? "out.aac" : "out.mp3")
        let format = isAAC ? ["-f", "adts"] : ["-f", "mp3", "-write_xing", "0", "-id3v2_version", "0"]
        try Self.ffmpeg(["-i", path, "-map", "0:a", "-c", "copy"] + format + [output])
        let read = try TestTools.bytes(ofFile: output)
        // What is spilt is in the last two frames, of which the very last is short.
        let sent = options.spill == 0 ? frames : frames.dropLast(2)
        #expect(FrameList.areEqual(read.prefix(sent.joined().count), Array(sent.joined())[...]))
        for (number, time) in try Self.packetTimes(path).prefix(sent.count).enumerated() {
            #expect(abs(time - muxer.time(ofFrame: Int64(number))) <= 1, "frame \(number)")
        }
    }

    /// The times of the audio packets that FFmpeg finds in a file, in ticks of 90 kHz.
    private static func packetTimes(_ path: String) throws -> [Int64] {
        let outcome = try ChildProcess(
            .ffprobe,
            ["-v", "error", "-select_streams", "a:0", "-show_entries", "packet=pts", "-of", "csv=p=0", path]
        ).wait(within: .seconds(60))
        return outcome.text.split(separator: "\n").compactMap { Int64($0.prefix { $0 != "," }) }
    }

    static func ffmpeg(_ arguments: [String]) throws {
        let outcome = try ChildProcess(.ffmpeg, ["-hide_banner", "-nostdin", "-v", "error", "-y"] + arguments)
            .wait(within: .seconds(60))
        guard outcome.succeeded else { throw SetupError("ffmpeg: \(outcome.standardError)") }
    }
}
