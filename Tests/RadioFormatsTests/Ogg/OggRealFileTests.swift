// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools
import Testing

/// Files of real encoders are read, and files for real decoders are written.
struct OggRealFileTests {
    @Test(
        "A segment from the middle of a file decodes without complaint and is as long as its packets",
        arguments: [ReferenceProgramme.Encoding.opus(96), .vorbis(112), .flac])
    func segment(_ encoding: ReferenceProgramme.Encoding) async throws {
        let rate = encoding == .opus(96) ? 48_000 : 44_100
        let programme = try await ReferenceProgramme.make(.init(encoding, sampleRate: rate, seconds: 10))
        let said = FramerTranscript(of: [programme.bytes[...]], by: OggFramer())
        #expect(said.skipped() == said.skipped(.container) && said.discontinuities == 0)
        #expect(said.accounted == programme.bytes.count)
        let format = try #require(said.formats.first)

        let middle = said.frames.dropFirst(said.frames.count / 4).prefix(said.frames.count / 2)
        var paginator = OggPaginator(
            format: format, serial: 0xDEAD_BEEF, comments: [("TITLE", "Tune"), ("ARTIST", "Who")])
        var output = paginator.headerPages()
        for (index, frame) in middle.enumerated() {
            frame.bytes.withUnsafeBytes { paginator.append(packet: $0, samples: frame.samples, into: &output) }
            if index % 19 == 0 { paginator.flush(into: &output) }
        }
        paginator.finish(into: &output)
        // The first packet of Vorbis only primes the decoder.
        let samples = middle.dropFirst(format.codec == .vorbis ? 1 : 0).reduce(0) { $0 + $1.samples }

        let folder = try TemporaryFolder("aircheck-ogg")
        let path = try folder.write("segment.\(format.fileType.fileExtension)", output)
        let probe = try await ChildProcess(
            .ffprobe,
            [
                "-v", "warning", "-show_entries", "format=duration:stream=codec_name:stream_tags=title",
                "-of", "default=nokey=1:noprint_wrappers=1", path,
            ]
        ).outcome(within: .seconds(60))
        #expect(probe.succeeded && probe.standardError == "")
        let lines = probe.text.split(separator: "\n")
        #expect(lines.contains(Substring(format.codec.rawValue)) && lines.contains("Tune"))
        let seconds = try #require(lines.lazy.compactMap { Double($0) }.first)
        #expect(abs(seconds - Double(samples) / Double(rate)) < 0.001)

        let decoded = try await ChildProcess(
            .ffmpeg, ["-v", "warning", "-nostdin", "-i", path, "-f", "s16le", "-c:a", "pcm_s16le", "-"]
        ).outcome(within: .seconds(60))
        #expect(decoded.succeeded && decoded.standardError == "")
        #expect(decoded.standardOutput.count == samples * format.channels * 2)
    }
}
