// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools
import Testing

/// Silence between two halves of a programme, as real decoders decode it.
struct SilentUnitTests {
    @Test(
        "Audio after inserted silence decodes as if the silence were not there, and no decoder complains",
        arguments: [
            ReferenceProgramme.Parameters(.mp3(128)), .init(.mp3(320)), .init(.mp3(32), channels: 1),
            .init(.mp3Variable(quality: 4)), .init(.mp3(48), sampleRate: 22_050), .init(.mp2(192)),
            .init(.aac(128)), .init(.aac(320)), .init(.aac(48), channels: 1), .init(.aac(32), sampleRate: 22_050),
        ])
    func silence(parameters: ReferenceProgramme.Parameters) async throws {
        var parameters = parameters
        parameters.seconds = 6
        let programme = try await ReferenceProgramme.make(parameters)
        let frames = transcript(of: programme.bytes, parameters).frames.map(\.bytes)
        let middle = frames.count / 2
        let (before, after) = (Array(frames[..<middle]), Array(frames[middle...]))
        let unit = try #require(
            SilentUnit(
                after: before.suffix(SilentUnit.longestTail), format(of: programme),
                bitRate: bitRate(of: before, parameters)))
        #expect(unit.frames <= SilentUnit.longestTail && unit.samples == unit.frames * samples(parameters))
        // Browsers count bytes, so the silence has about the bit rate of the audio.
        let rate = Double(unit.bytes.count * 8 * parameters.sampleRate) / Double(unit.samples)
        if parameters.encoding.container == .adts {
            #expect((0.98...1.02).contains(rate / bitRate(of: before, parameters)))
        }
        let repeats = (40 + unit.frames - 1) / unit.frames

        let silence = Array(repeatElement(unit.bytes, count: repeats).joined())
        let whole = try await decode(Array((before + after).joined()), parameters)
        let interrupted = try await decode(Array(before.joined()) + silence + Array(after.joined()), parameters)
        let silent = repeats * unit.samples * parameters.channels
        #expect(interrupted.count == whole.count + silent)

        // The sound of a frame extends into the next one, and decoders lag by about a frame.
        let frame = samples(parameters) * parameters.channels
        let start = middle * frame
        #expect(interrupted[..<(start - frame)] == whole[..<(start - frame)])
        #expect(interrupted[(start + 3 * frame)..<(start + silent - frame)].allSatisfy { abs(Int($0)) <= 1 })
        #expect(interrupted[(start + silent + 3 * frame)...] == whole[(start + 3 * frame)...])
    }

    @Test(
        "Silence before the first frame of a file supplies its main data, and no decoder complains",
        arguments: [
            ReferenceProgramme.Parameters(.mp3(128)), .init(.mp3(32), channels: 1), .init(.mp3Variable(quality: 4)),
            .init(.mp3(48), sampleRate: 22_050),
        ])
    func beginning(parameters: ReferenceProgramme.Parameters) async throws {
        var parameters = parameters
        parameters.seconds = 6
        let programme = try await ReferenceProgramme.make(parameters)
        let all = FramerTranscript(of: [programme.bytes[...]], by: MPEGAudioFramer()).frames
        let frames = all.map(\.bytes)
        let whole = try await decode(Array(frames.joined()), parameters)
        let frame = samples(parameters) * parameters.channels
        // The sound before a frame extends 576 samples into it, and a filter retains 480 more.
        let faded = (1_056 + samples(parameters) - 1) / samples(parameters) * frame
        for place in stride(from: 60, to: 76, by: 3) where all[place].backReference > 0 {
            let unit = try #require(SilentUnit(before: all[place].backReference, of: Array(frames[..<place])))
            #expect(unit.frames < 10)
            let cut = try await decode(unit.bytes + Array(frames[place...].joined()), parameters)
            #expect(cut.count == unit.frames * frame + whole.count - place * frame)
            #expect(cut[..<(unit.frames * frame)].allSatisfy { abs(Int($0)) <= 1 })
            let isSame = cut[(unit.frames * frame + faded)...] == whole[(place * frame + faded)...]
            #expect(isSame, "from frame \(place)")
            let folder = try TemporaryFolder()
            let path = try folder.write("a.mp3", unit.bytes + Array(frames[place...].joined()))
            #expect(try await onThread { try MediaProbe.mpg123Warnings(path) } == "")
        }
        #expect(SilentUnit(before: 0, of: frames) == nil && SilentUnit(before: 511, of: []) == nil)
    }

    @Test(
        "Aircheck's own framer finds nothing but frames in silence",
        arguments: [ReferenceProgramme.Parameters(.mp3(128)), .init(.aac(64)), .init(.mp2(128))])
    func framing(parameters: ReferenceProgramme.Parameters) async throws {
        var parameters = parameters
        parameters.seconds = 3
        let programme = try await ReferenceProgramme.make(parameters)
        let frames = transcript(of: programme.bytes, parameters).frames.map(\.bytes)
        let unit = try #require(
            SilentUnit(after: frames, format(of: programme), bitRate: bitRate(of: frames, parameters)))
        let transcript = transcript(of: programme.bytes + unit.bytes + unit.bytes + programme.bytes, parameters)
        #expect(transcript.frames.count == 2 * frames.count + 2 * unit.frames)
        #expect(transcript.formats.count == 1 && transcript.skipped(.junk) == 0)
    }

    @Test("The checksums of silent frames are right", arguments: MPEGChecksumTests.Kind.all)
    func checksums(kind: MPEGChecksumTests.Kind) throws {
        let frames = kind.frames(SilentUnit.longestTail, seed: 3)
        let format = try #require(MPEGFrameHeader(frames[0])).format
        let unit = try #require(SilentUnit(after: frames, format, bitRate: 0))
        #expect(unit.bytes.starts(with: frames[frames.count - unit.frames].prefix(4)))
        let muted = FramerTranscript(of: [unit.bytes[...]], by: MPEGAudioFramer()).frames
        #expect(muted.count == unit.frames)
        #expect(!muted.contains { $0.bytes.withUnsafeBytes { MPEGChecksum.isWrong(in: $0) } })
    }

    @Test("There are no silent frames for other formats, or without enough audio to derive them from")
    func none() {
        let opus = StreamFormat(codec: .opus, sampleRate: 48_000, channels: 2)
        #expect(SilentUnit(after: [[1, 2, 3]], opus, bitRate: 128_000) == nil)
        let mp3 = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)
        #expect(SilentUnit(after: [], mp3, bitRate: 128_000) == nil)
        #expect(SilentUnit(after: [[0xFF, 0xFB, 0x90, 0x44]], mp3, bitRate: 128_000) == nil)
        let aac = StreamFormat(codec: .aac, mpegVersion: .mpeg4, sampleRate: 44_100, channels: 2, profile: 1)
        #expect(SilentUnit(after: [[0xFF, 0xF1, 0x50]], aac, bitRate: 128_000) == nil)
    }

    @Test("F27: Silent ADTS frames have the size asked for, and never a size that no frame can have")
    func sizes() throws {
        let header: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x01, 0x7F, 0xFC]
        let format = StreamFormat(codec: .aac, mpegVersion: .mpeg4, sampleRate: 44_100, channels: 2, profile: 1)
        for wanted in 0...1700 {
            let bitRate = Double(wanted) * 8 * 44_100 / 1024
            let unit = try #require(SilentUnit(after: [header + [0, 0, 0, 0]], format, bitRate: bitRate + 1))
            let size = unit.bytes.count
            #expect(
                size == wanted || (size > wanted ? size < 20 : wanted - size <= 2) || wanted > 1536,
                "\(wanted): \(size)")
            let frames = FramerTranscript(of: [(unit.bytes + unit.bytes)[...]], by: ADTSFramer()).frames
            #expect(frames.map(\.bytes) == [unit.bytes, unit.bytes])
        }
    }

    private func bitRate(of frames: [[UInt8]], _ parameters: ReferenceProgramme.Parameters) -> Double {
        let bytes = frames.reduce(0) { $0 + $1.count }
        return Double(bytes * 8 * parameters.sampleRate) / Double(frames.count * samples(parameters))
    }

    private func samples(_ parameters: ReferenceProgramme.Parameters) -> Int {
        switch parameters.encoding {
        case .aac: 1024
        case .mp3, .mp3Variable: parameters.sampleRate < 32_000 ? 576 : 1152
        default: 1152
        }
    }

    private func format(of programme: ReferenceProgramme) throws -> StreamFormat {
        try #require(transcript(of: programme.bytes, programme.parameters).formats.first)
    }

    private func transcript(of bytes: [UInt8], _ parameters: ReferenceProgramme.Parameters) -> FramerTranscript {
        parameters.encoding.container == .adts
            ? FramerTranscript(of: [bytes[...]], by: ADTSFramer())
            : FramerTranscript(of: [bytes[...]], by: MPEGAudioFramer())
    }

    /// The samples of all channels as ffmpeg decodes them; ffmpeg must not complain.
    private func decode(_ bytes: [UInt8], _ parameters: ReferenceProgramme.Parameters) async throws -> [Int16] {
        let folder = try TemporaryFolder("silence")
        let name = "a.\(parameters.encoding.fileExtension)"
        try folder.write(name, bytes)
        let decoder = try ChildProcess(
            .ffmpeg,
            [
                "-v", "error", "-nostdin", "-i", folder.file(name), "-f", "s16le", "-c:a",
                "pcm_s16le", "-",
            ])
        let outcome = try await decoder.outcome(within: .seconds(60))
        #expect(outcome.succeeded && outcome.standardError.isEmpty, "\(outcome.standardError)")
        return outcome.standardOutput.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))
            }
        }
    }
}
