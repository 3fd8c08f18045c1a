// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// MP4 files that FFmpeg writes, against the frames that FFmpeg takes out of them.
struct MP4DemuxerTests {
    private static let aac = ["-c:a", "aac", "-b:a", "96k"]

    @Test(
        "The frames of an MP4 file are those that FFmpeg takes out of it",
        arguments: [
            ["-movflags", "faststart"],
            ["-movflags", "frag_keyframe+empty_moov+default_base_moof"],
            ["-movflags", "frag_keyframe+empty_moov", "-frag_duration", "500000"],
            ["-movflags", "frag_keyframe+empty_moov+separate_moof", "-frag_duration", "300000"],
            ["-movflags", "frag_keyframe+empty_moov+omit_tfhd_offset", "-frag_duration", "300000"],
            ["-movflags", "cmaf", "-frag_duration", "1000000"],
            ["-movflags", "dash+global_sidx", "-frag_duration", "700000"],
            ["-movflags", "frag_keyframe+faststart", "-f", "mov"],
        ])
    func frames(_ options: [String]) throws {
        let encoder = try RealEncoder()
        let file = try encoder.encode("a.m4a", seconds: 3, rate: 44_100, channels: 2, Self.aac + options)
        let said = DemuxTranscript(of: [file[...]], by: MP4Demuxer())
        #expect(said.problem == nil && said.losses == [] && said.containers == [.adts])
        #expect(said.audio == (try Self.adts(of: "a.m4a", encoder)))
        for split in [Split.every(1), .every(7), .every(4_096), .random(seed: 1), .random(seed: 2)] {
            let again = DemuxTranscript(of: split.pieces(of: file[...]), by: MP4Demuxer())
            #expect(again == said, "\(split)")
        }
    }

    @Test("Rates and channels are those of the file", arguments: [(48_000, 1), (32_000, 2), (8_000, 1), (96_000, 2)])
    func formats(_ rate: Int, _ channels: Int) throws {
        let encoder = try RealEncoder()
        let options = ["-c:a", "aac", "-movflags", "faststart"]
        let file = try encoder.encode("a.m4a", seconds: 1, rate: rate, channels: channels, options)
        let said = DemuxTranscript(of: [file[...]], by: MP4Demuxer())
        #expect(said.audio == (try Self.adts(of: "a.m4a", encoder)))
    }

    @Test("The audio beside a picture is found", arguments: ["faststart", "frag_keyframe+empty_moov"])
    func video(_ flags: String) throws {
        let encoder = try RealEncoder()
        try encoder.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=d=3:s=64x64", "-f", "lavfi", "-i", "sine=d=3"]
                + ["-c:v", "mpeg4", "-g", "10"] + Self.aac + ["-movflags", flags, encoder.path("a.mp4")])
        let said = DemuxTranscript(of: [try encoder.read("a.mp4")[...]], by: MP4Demuxer())
        #expect(said.problem == nil && said.losses == [])
        #expect(said.audio == (try Self.adts(of: "a.mp4", encoder)))
    }

    @Test("MP3 in MP4 comes out as MPEG audio", arguments: [["-f", "mp4"], ["-f", "mov"]])
    func mp3(_ options: [String]) throws {
        let encoder = try RealEncoder()
        let layer3 = ["-c:a", "libmp3lame", "-b:a", "96k", "-movflags", "faststart"] + options
        let file = try encoder.encode("a.mp4", seconds: 2, rate: 44_100, channels: 2, layer3)
        let said = DemuxTranscript(of: [file[...]], by: MP4Demuxer())
        try encoder.run(
            "ffmpeg",
            ["-v", "error", "-i", encoder.path("a.mp4"), "-c", "copy", "-write_xing", "0", "-id3v2_version", "0"]
                + ["-f", "mp3", encoder.path("a.mp3")])
        let frames = try encoder.read("a.mp3")
        #expect(said.containers == [.mpeg] && said.audio == frames)
    }

    @Test("Each fragment tells the time of its first frame")
    func times() throws {
        let encoder = try RealEncoder()
        let options = Self.aac + ["-movflags", "cmaf", "-frag_duration", "500000"]
        let file = try encoder.encode("a.m4a", seconds: 4, rate: 48_000, channels: 2, options)
        let said = DemuxTranscript(of: [file[...]], by: MP4Demuxer())
        let starts = Self.frameStarts(said.audio)
        #expect(said.times.count >= 6)
        for time in said.times {
            let frame = try #require(starts.firstIndex(of: time.place))
            #expect(time.value == MediaTime(ticks: Int64(frame) * 1024, scale: 48_000), "frame \(frame)")
        }
    }

    @Test("The segments of HLS follow their initialization segment, and a segment that is missing costs only itself")
    func segments() throws {
        let encoder = try RealEncoder()
        _ = try encoder.encode(
            "a.m3u8", seconds: 6, rate: 44_100, channels: 2,
            Self.aac + ["-f", "hls", "-hls_time", "1", "-hls_segment_type", "fmp4", "-hls_list_size", "0"])
        let parts = ["init.mp4"] + (0..<6).map { "a\($0).m4s" }
        let segments = try parts.map { name in try encoder.read(name) }
        let whole = DemuxTranscript(of: [segments.flatMap(\.self)[...]], by: MP4Demuxer())
        _ = try encoder.write("whole.mp4", segments.flatMap(\.self))
        let frames = try Self.adts(of: "whole.mp4", encoder)
        #expect(whole.problem == nil && whole.audio == frames && whole.times.count == 6)

        let without = segments[...2] + segments[4...]
        let said = DemuxTranscript(of: without.map { $0[...] }, by: MP4Demuxer())
        #expect(said.problem == nil && said.losses == [])
        #expect(said.times.map(\.value) == [0, 1, 3, 4, 5].map { whole.times[$0].value })
        #expect(said.audio.count == whole.audio.count - (whole.times[3].place - whole.times[2].place))
    }

    @Test("An index behind the audio is told")
    func indexBehind() throws {
        let file = try RealEncoder().encode("a.m4a", seconds: 1, rate: 44_100, channels: 1, Self.aac)
        #expect(DemuxTranscript(of: [file[...]], by: MP4Demuxer()).problem == .indexBehindAudio)
    }

    @Test(
        "Audio of another kind is refused by name",
        arguments: [("flac", "FLAC"), ("libopus", "Opus"), ("alac", "ALAC"), ("ac3", "AC-3"), ("eac3", "E-AC-3")])
    func refused(_ codec: String, _ name: String) throws {
        let options = ["-c:a", codec, "-strict", "-2", "-movflags", "faststart"]
        let file = try RealEncoder().encode("a.mp4", seconds: 1, rate: 48_000, channels: 2, options)
        #expect(DemuxTranscript(of: [file[...]], by: MP4Demuxer()).problem == .unsupported("\(name) in MP4"))
    }

    @Test("Encrypted audio is refused by the name of its scheme")
    func encrypted() throws {
        let key = String(repeating: "0f", count: 16)
        let options =
            Self.aac + ["-encryption_scheme", "cenc-aes-ctr", "-encryption_key", key, "-encryption_kid", key]
            + ["-movflags", "faststart"]
        let file = try RealEncoder().encode("a.mp4", seconds: 1, rate: 44_100, channels: 2, options)
        #expect(DemuxTranscript(of: [file[...]], by: MP4Demuxer()).problem == .encrypted("CENC (cenc)"))
    }

    @Test("A file that is cut anywhere yields the frames before the cut", arguments: ["faststart", "cmaf"])
    func cut(_ flags: String) throws {
        let options = Self.aac + ["-movflags", flags, "-frag_duration", "200000"]
        let file = try RealEncoder().encode("a.m4a", seconds: 1, rate: 44_100, channels: 1, options)
        let whole = DemuxTranscript(of: [file[...]], by: MP4Demuxer()).audio
        for length in stride(from: 0, through: file.count, by: 97) {
            let said = DemuxTranscript(of: [file.prefix(length)], by: MP4Demuxer())
            #expect(whole.starts(with: said.audio), "\(length)")
        }
    }

    @Test("Damaged bytes neither trap nor make more audio than there are bytes", arguments: ["faststart", "cmaf"])
    func damage(_ flags: String) throws {
        let options = Self.aac + ["-movflags", flags, "-frag_duration", "200000"]
        let file = try RealEncoder().encode("a.m4a", seconds: 1, rate: 44_100, channels: 1, options)
        var generator = SplitMix64(seed: 43)
        for _ in 0..<2_000 {
            var damaged = file
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                // Most of the damage is in the boxes.
                let end = Bool.random(using: &generator) ? 2_000 : file.count
                damaged[Int.random(in: 0..<min(end, file.count), using: &generator)] = UInt8(
                    truncatingIfNeeded: generator.next())
            }
            let said = DemuxTranscript(of: [damaged[...]], by: MP4Demuxer())
            #expect(said.audio.count <= 8 * file.count)
            let split = Split.random(seed: generator.next())
            #expect(DemuxTranscript(of: split.pieces(of: damaged[...]), by: MP4Demuxer()) == said)
        }
    }

    private static func adts(of name: String, _ encoder: RealEncoder) throws -> [UInt8] {
        let output = encoder.path("reference.aac")
        try encoder.run(
            "ffmpeg", ["-v", "error", "-y", "-i", encoder.path(name), "-map", "a", "-c", "copy", "-f", "adts", output])
        return try encoder.read("reference.aac")
    }

    /// The offsets of the frames in ADTS.
    private static func frameStarts(_ bytes: [UInt8]) -> [Int] {
        var (starts, place) = ([Int](), 0)
        while place + 7 <= bytes.count {
            starts.append(place)
            place += Int(bytes[place + 3] & 3) << 11 | Int(bytes[place + 4]) << 3 | Int(bytes[place + 5] >> 5)
        }
        return starts
    }
}
