// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// However the bytes of a stream arrive, and wherever they end, its frames are the same and every byte is accounted
/// for.
struct SplitTests {
    /// The beginning of a stream, short enough to be cut at every byte.
    struct Sample: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var bytes: [UInt8]
        var isOgg = false
        var isADTS = false

        static let mpeg: [Sample] = [StreamFormat.MPEGVersion.mpeg1, .mpeg2, .mpeg25].flatMap { version in
            [MPEGFrameHeader.Layer.one, .two, .three].map { layer in
                var source = SyntheticMPEG(seed: UInt64(layer.rawValue))
                source.version = version
                source.layer = layer
                source.bitRateIndex = 3
                source.payload = .random
                return Sample(
                    testDescription: "MPEG \(version.rawValue) layer \(layer)",
                    bytes: source.frames(6).flatMap { $0 })
            }
        }

        static let other: [Sample] = {
            var free = SyntheticMPEG(seed: 4)
            free.bitRateIndex = 0
            free.freeLength = 200
            var variable = SyntheticMPEG(seed: 5)
            variable.mode = .mono
            let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 40] + [UInt8](repeating: 0x41, count: 40)
            let variableBytes =
                variable.variableFrames(3, rates: 2...5) + [tag] + variable.variableFrames(3, rates: 2...5)
            return [
                Sample(testDescription: "free format", bytes: free.frames(8).flatMap { $0 }),
                Sample(testDescription: "variable bit rate with a tag", bytes: variableBytes.flatMap { $0 }),
                Sample(
                    testDescription: "ADTS", bytes: ADTSSample().frames(8, seed: 6, wild: true).flatMap { $0 },
                    isADTS: true),
            ]
        }()

        static let ogg: [Sample] = {
            let opus = OggSample.opusPackets([100, 255, 300, 7], seed: 8)
            let flac = opus.map { [0xFF, 0xF8, 0xC0, 0, 0] + $0 }
            return [
                ("Opus", OggSample.opusHeaders(title: "One"), opus),
                ("Vorbis", OggSample.vorbisHeaders(title: "Two"), opus),
                ("FLAC", OggSample.flacHeaders(title: "Three"), flac),
            ].map { name, headers, packets in
                let links =
                    OggSample.link(headers, packets, serial: 7, segments: 2)
                    + OggSample.link(headers, packets, serial: 8)
                return Sample(testDescription: name, bytes: links.flatMap { $0 }, isOgg: true)
            }
        }()

        func transcript(_ pieces: [ArraySlice<UInt8>]) -> FramerTranscript {
            if isOgg { return FramerTranscript(of: pieces, by: OggFramer()) }
            return isADTS
                ? FramerTranscript(of: pieces, by: ADTSFramer())
                : FramerTranscript(of: pieces, by: MPEGAudioFramer())
        }
    }

    @Test(
        "B1: A stream is the same when it is cut in two at any byte, or read byte by byte",
        arguments: Sample.mpeg + Sample.other + Sample.ogg)
    func splitAtEveryByte(_ sample: Sample) {
        let whole = sample.transcript([sample.bytes[...]])
        #expect(whole.accounted == sample.bytes.count && whole.frames.count >= 6)
        #expect(whole.skipped(.junk) == 0 && whole.discontinuities == 0)
        #expect(sample.transcript(Split.every(1).pieces(of: sample.bytes[...])) == whole)
        for place in 0...sample.bytes.count {
            let split = sample.transcript(Split.at(place).pieces(of: sample.bytes[...]))
            if split != whole { Issue.record("cut at byte \(place)") }
        }
    }

    @Test(
        "B1: A stream that ends at any byte yields the frames before its end",
        arguments: Sample.mpeg + Sample.other + Sample.ogg)
    func endAtEveryByte(_ sample: Sample) {
        let frames = sample.transcript([sample.bytes[...]]).frames
        for length in 0...sample.bytes.count {
            let short = sample.bytes.prefix(length)
            let said = sample.transcript([short])
            if said.accounted != length { Issue.record("\(said.accounted) bytes of \(length) accounted for") }
            // If a free-format stream ends early, there may be nothing by which to measure its last frames.
            let isPrefix = frames.starts(with: said.frames) { $0.bytes == $1.bytes && $0.offset == $1.offset }
            if !isPrefix { Issue.record("cut to \(length) bytes: a frame that is none") }
        }
    }

    @Test(
        "B1: Files of real encoders are the same when they are cut at a hundred places or at random",
        arguments: [
            ReferenceProgramme.Encoding.mp3(128), .mp3Variable(quality: 4), .mp2(192), .aac(128), .opus(96),
            .vorbis(112),
            .flac,
        ])
    func realFiles(_ encoding: ReferenceProgramme.Encoding) async throws {
        let programme = try await ReferenceProgramme.make(.init(encoding, sampleRate: 48_000, seconds: 3))
        // FLAC ends with an empty packet, which is not a frame.
        let frames = try programme.checker().frames.filter { !$0.isEmpty }
        func check(_ makeFramer: () -> some Framer) {
            let said = expectSameEvents(
                programme.bytes, twoPieceSplits: 100, randomSplits: 4, truncations: 12, by: makeFramer)
            #expect(said.frames.map(\.bytes) == frames.map { Array($0) })
        }
        switch encoding.container {
        case .mpegAudio: check { MPEGAudioFramer() }
        case .adts: check { ADTSFramer() }
        case .ogg: check { OggFramer() }
        case .flac: check { FLACFramer() }
        }
    }
}
