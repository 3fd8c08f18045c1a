// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// WAV and AIFF files that FFmpeg writes, and the FLAC that comes out of them, as FFmpeg and the tool `flac` read it.
struct PCMDemuxerTests {
    @Test(
        "The samples of PCM come out unchanged, as FLAC",
        arguments: [
            ("a.wav", "pcm_u8"), ("a.wav", "pcm_s16le"), ("a.wav", "pcm_s24le"), ("a.aiff", "pcm_s16be"),
            ("a.aiff", "pcm_s24be"), ("a.aiff", "pcm_s8"), ("a.aiff", "pcm_s16le"), ("a.wav", "pcm_s32le"),
            ("a.aiff", "pcm_s32be"), ("a.wav", "rf64"),
        ])
    func samples(_ name: String, _ codec: String) throws {
        let encoder = try RealEncoder()
        let options = codec == "rf64" ? ["-rf64", "always"] : ["-c:a", codec]
        let file = try encoder.encode(name, seconds: 2, rate: 44_100, channels: 2, options)
        let said = DemuxTranscript(of: [file[...]], by: PCMDemuxer())
        #expect(said.problem == nil && said.containers == [.flac])
        let flac = try encoder.write("a.flac", said.audio)
        try encoder.run("flac", ["-t", "-s", flac])
        #expect(try Self.decoded(flac, encoder) == Self.decoded(encoder.path(name), encoder))
        for split in [Split.every(1), .every(977), .random(seed: 1)] {
            #expect(DemuxTranscript(of: split.pieces(of: file[...]), by: PCMDemuxer()) == said, "\(split)")
        }
        // The framer finds all of it.
        let frames = FramerTranscript(of: [said.audio[...]], by: FLACFramer())
        #expect(frames.frames.reduce(0) { $0 + $1.samples } == 88_200 && frames.discontinuities == 0)
    }

    @Test(
        "Floating point is rounded to 24 bits",
        arguments: [("a.wav", "pcm_f32le"), ("a.wav", "pcm_f64le"), ("a.aiff", "pcm_f32be"), ("a.aiff", "pcm_f64be")])
    func floats(_ name: String, _ codec: String) throws {
        let encoder = try RealEncoder()
        let file = try encoder.encode(name, seconds: 1, rate: 48_000, channels: 2, ["-c:a", codec])
        let flac = try encoder.write("a.flac", DemuxTranscript(of: [file[...]], by: PCMDemuxer()).audio)
        let (found, expected) = (try Self.decoded(flac, encoder), try Self.decoded(encoder.path(name), encoder))
        #expect(found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) <= 256 })
    }

    @Test("A writer that could not go back states no length, and the file is taken to its end")
    func streamed() throws {
        let encoder = try RealEncoder()
        _ = try encoder.encode("a.wav", seconds: 1, rate: 8_000, channels: 1, [])
        let file = try encoder.read("a.wav")
        let place = try #require(file.indices.first { file[$0...].starts(with: "data".utf8) })
        let whole = DemuxTranscript(of: [file[...]], by: PCMDemuxer()).audio.dropFirst(42)
        for length: [UInt8] in [[0, 0, 0, 0], [255, 255, 255, 255]] {
            var endless = file
            endless.replaceSubrange(place + 4..<place + 8, with: length)
            // The number of samples is part of the head.
            #expect(DemuxTranscript(of: [endless[...]], by: PCMDemuxer()).audio.dropFirst(42) == whole)
        }
    }

    @Test("Compressed WAV and AIFF are refused by name", arguments: ["a.wav", "a.aiff"])
    func compressed(_ name: String) throws {
        let file = try RealEncoder().encode(name, seconds: 1, rate: 8_000, channels: 1, ["-c:a", "pcm_mulaw"])
        let problem = DemuxTranscript(of: [file[...]], by: PCMDemuxer()).problem
        guard case .unsupported(let kind) = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect(kind.hasPrefix("compressed"))
    }

    @Test("A file that is cut or damaged anywhere does not trap", arguments: ["a.wav", "a.aiff"])
    func damage(_ name: String) throws {
        let file = try RealEncoder().encode(name, seconds: 1, rate: 8_000, channels: 1, [])
        let whole = DemuxTranscript(of: [file[...]], by: PCMDemuxer()).audio
        for length in [0, 11, 12, 30, 43, 44, 60, 100, 2_000, 9_999] {
            let said = DemuxTranscript(of: [file.prefix(length)], by: PCMDemuxer())
            #expect(said.audio.count <= whole.count && (length > 43 || said.problem == .noAudio))
        }
        var generator = SplitMix64(seed: 7)
        for _ in 0..<500 {
            var damaged = file
            for _ in 0..<4 {
                damaged[Int.random(in: 0..<100, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
            }
            _ = DemuxTranscript(of: [damaged[...]], by: PCMDemuxer())
        }
    }

    /// The samples as FFmpeg decodes them.
    private static func decoded(_ path: String, _ encoder: RealEncoder) throws -> [Int] {
        let output = encoder.path("\(path.split(separator: "/").last ?? "").raw")
        try encoder.run("ffmpeg", ["-v", "error", "-y", "-i", path, "-f", "s32le", output])
        return try encoder.read("\(path.split(separator: "/").last ?? "").raw").withUnsafeBytes { bytes in
            // No decoder here has more than 24 bits.
            bytes.bindMemory(to: Int32.self).map { Int($0 >> 8) << 8 }
        }
    }
}
