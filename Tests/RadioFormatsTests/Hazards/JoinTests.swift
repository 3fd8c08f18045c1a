// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Streams that are joined in the middle, and formats that change in mid-stream.
struct JoinTests {
    @Test(
        "B7: A stream joined at any byte begins with a whole frame, after two skipped frames at most",
        arguments: [
            ReferenceProgramme.Parameters(.mp3(128), seconds: 3), .init(.mp3Variable(quality: 4), seconds: 3),
            .init(.mp3(32), sampleRate: 22_050, channels: 1, seconds: 3),
            .init(.mp2(192), sampleRate: 48_000, seconds: 3),
            .init(.aac(128), seconds: 3),
        ])
    func joinAtAnyByte(_ parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let frames = try programme.checker().frames
        // The frames come from the middle, so that there is a bit reservoir. They are as many as one delivery holds.
        let middle = frames[20..<32].map { Array($0) }
        let bytes = middle.flatMap { $0 }
        for offset in 0...middle[0].count + middle[1].count {
            let pieces = [bytes[offset...]]
            let said =
                parameters.encoding.container == .adts
                ? FramerTranscript(of: pieces, by: ADTSFramer())
                : FramerTranscript(of: pieces, by: MPEGAudioFramer())
            let first = offset == 0 ? 0 : offset <= middle[0].count ? 1 : 2
            #expect(said.frames.map(\.bytes) == Array(middle[first...]), "joined at \(offset)")
            #expect(said.discontinuities == 0, "nothing was there before")
        }
    }

    @Test("B7: Ogg joined at any byte begins with the first packet of the next link that has its headers")
    func joinedOgg() {
        let packets = OggSample.opusPackets([120, 300], seed: 3)
        let link = OggSample.link(OggSample.opusHeaders(), packets, serial: 7).flatMap { $0 }
        let second = OggSample.link(OggSample.opusHeaders(), packets, serial: 8).flatMap { $0 }
        for offset in 1...link.count {
            let said = FramerTranscript(of: [(link + second)[offset...]], by: OggFramer())
            #expect(said.frames.map(\.bytes) == packets, "joined at \(offset)")
            #expect(said.discontinuities == 0)
        }
    }

    @Test("B3: A change of sample rate or channels is reported at its frame, and no frame is lost")
    func formatChanges() async throws {
        for encoding in [ReferenceProgramme.Encoding.mp3(128), .aac(96)] {
            var parts: [(parameters: ReferenceProgramme.Parameters, frames: [ArraySlice<UInt8>])] = []
            let shapes = [(44_100, 2), (48_000, 2), (44_100, 2), (44_100, 1), (44_100, 2)]
            for (number, (rate, channels)) in shapes.enumerated() {
                let parameters = ReferenceProgramme.Parameters(
                    encoding, sampleRate: rate, channels: channels, seconds: 3, seed: 30 + number)
                parts.append((parameters, try await ReferenceProgramme.make(parameters).checker().frames))
            }
            let frames = parts.flatMap(\.frames).map { Array($0) }
            let bytes = frames.flatMap { $0 }
            func check(_ makeFramer: () -> some Framer) {
                let said = expectSameEvents(bytes, twoPieceSplits: 4, randomSplits: 2, truncations: 2, by: makeFramer)
                #expect(said.frames.map(\.bytes) == frames && said.discontinuities == 0)
                #expect(said.formats.map(\.sampleRate) == shapes.map(\.0))
                #expect(said.formats.map(\.channels) == shapes.map(\.1))
                let before = said.frames { if case .format = $0 { true } else { false } }
                #expect(before == parts.indices.map { parts[..<$0].reduce(0) { $0 + $1.frames.count } })
            }
            if encoding.container == .adts {
                check { ADTSFramer() }
            } else {
                check { MPEGAudioFramer() }
            }
        }
    }

    @Test("B3: A change of bit rate is no new format and costs no frame")
    func bitRateChange() async throws {
        var frames: [[UInt8]] = []
        for (number, rate) in [128, 64, 320, 128].enumerated() {
            let part = try await ReferenceProgramme.make(.init(.mp3(rate), seconds: 3, seed: 40 + number))
            frames += try part.checker().frames.map { Array($0) }
        }
        let said = expectSameEvents(frames.flatMap { $0 }, twoPieceSplits: 4, randomSplits: 2, truncations: 2)
        #expect(said.frames.map(\.bytes) == frames)
        #expect(said.formats.count == 1 && said.discontinuities == 0 && said.skipped() == 0)
    }
}
