// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Files of real encoders, and how real readers handle files that begin with Aircheck's Info frame.
struct RealMPEGTests {
    struct Encoding: CustomTestStringConvertible {
        var testDescription: String
        var rate: Int
        var channels: Int
        var fileExtension = "mp3"
        var options: [String]

        static let layerThree = [
            Encoding(testDescription: "128k", rate: 44_100, channels: 2, options: ["-b:a", "128k"]),
            Encoding(testDescription: "320k", rate: 48_000, channels: 2, options: ["-b:a", "320k"]),
            Encoding(testDescription: "VBR", rate: 44_100, channels: 2, options: ["-q:a", "4"]),
            Encoding(testDescription: "mono 22.05 kHz", rate: 22_050, channels: 1, options: ["-b:a", "32k"]),
            Encoding(testDescription: "mono 8 kHz", rate: 8_000, channels: 1, options: ["-b:a", "16k"]),
        ]
        static let layerTwo = [
            Encoding(
                testDescription: "layer II", rate: 48_000, channels: 2, fileExtension: "mp2",
                options: ["-b:a", "192k"]),
            Encoding(
                testDescription: "layer II, 24 kHz", rate: 24_000, channels: 1, fileExtension: "mp2",
                options: ["-b:a", "64k"]),
        ]
    }

    @Test("Every frame of a real encoder's file is found", arguments: Encoding.layerThree + Encoding.layerTwo)
    func realFiles(_ encoding: Encoding) throws {
        let tools = try RealEncoder()
        let file = try tools.encode(
            "a.\(encoding.fileExtension)", seconds: 3, rate: encoding.rate, channels: encoding.channels,
            encoding.options)
        let transcript = expectSameEvents(file, twoPieceSplits: 4, randomSplits: 3, truncations: 2)
        let path = try tools.write("b.\(encoding.fileExtension)", file)
        let probe = try tools.run(
            "ffprobe",
            ["-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", path])
        #expect(String(transcript.frames.count) == probe.output.filter(\.isNumber))
        #expect(transcript.formats.map(\.sampleRate) == [encoding.rate])
        #expect(transcript.formats.map(\.channels) == [encoding.channels])
        #expect(transcript.skipped(.junk) == 0)
        #expect(transcript.skipped(.infoFrame) > 0 || encoding.fileExtension == "mp2")
    }

    @Test("Real readers accept Aircheck's Info frame and its duration", arguments: Encoding.layerThree)
    func infoFrame(_ encoding: Encoding) throws {
        let tools = try RealEncoder()
        let file = try tools.encode(
            "a.mp3", seconds: 12, rate: encoding.rate, channels: encoding.channels, encoding.options)
        let transcript = FramerTranscript(of: [file[...]], by: MPEGAudioFramer())
        // The frames come from the middle of the programme, like those of a recording.
        let frames = transcript.frames.dropFirst(20)
        let first = try #require(frames.first)
        let header = try #require(MPEGFrameHeader(first.bytes))
        var builder = try #require(InfoFrameBuilder(firstFrame: header))
        for frame in frames { builder.add(frameLength: frame.bytes.count, bitRate: frame.bitRate) }
        let path = try tools.write("b.mp3", builder.frame() + frames.flatMap(\.bytes))

        let probe = try tools.run(
            "ffprobe", ["-v", "warning", "-show_entries", "format=duration", "-of", "csv=p=0", path])
        #expect(probe.errors.isEmpty, "ffprobe")
        let duration = try #require(Double(probe.output.filter { !$0.isWhitespace }))
        let exact = Double(frames.count * first.samples) / Double(encoding.rate)
        #expect(abs(duration - exact) < Double(first.samples) / Double(encoding.rate))
        #expect(try tools.run("mpg123", ["-q", "-t", path]).errors.isEmpty, "mpg123")
        #expect(try tools.run("ffmpeg", ["-v", "warning", "-i", path, "-f", "null", "-"]).errors.isEmpty, "ffmpeg")
    }
}
