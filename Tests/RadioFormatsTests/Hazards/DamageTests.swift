// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Wrong bytes in real streams, read by framers as the program uses them: every frame is confirmed.
struct DamageTests {
    /// Programmes of real encoders, minutes long, with 10,000 frames each.
    private static let programmes: [ReferenceProgramme.Parameters] = [
        .init(.mp3(128), seconds: 260), .init(.mp3(192), sampleRate: 48_000, seconds: 240),
        .init(.mp3Variable(quality: 4), seconds: 260), .init(.mp3(32), sampleRate: 22_050, channels: 1, seconds: 260),
        .init(.mp2(192), sampleRate: 48_000, seconds: 240), .init(.aac(128), seconds: 240),
    ]

    /// A frame may stay if the wrong byte does not change where it ends. The frame before a damaged header may be lost,
    /// because no header after it confirms it.
    @Test(
        "B2: Each of 1,000 wrong bytes costs at most the frame whose header it hit and the frame before",
        arguments: programmes)
    func wrongBytes(_ parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let places = try programme.checker().frames.map(\.indices)
        let stream = DamagedStream(
            programme.bytes, places: places, flips: 1_000, header: parameters.headerLength, seed: 21)
        let outcome = stream.outcome(parameters.transcript(of: stream.pieces))
        let allowed = stream.headerHits.union(stream.headerHits.map { $0 - 1 })
        #expect(outcome.lost.isSubset(of: allowed), "\(outcome.lost.subtracting(allowed).sorted())")
        #expect(outcome.foreign == 0 && outcome.formats == 1)
        #expect(outcome.isAccounted && outcome.isCounted && outcome.discontinuities == outcome.runs)
        #expect(outcome.lost.count > stream.headerHits.count / 2, "the test must hit something")
    }

    @Test(
        "B2: With a wrong byte in every 4 kB, each costs two frames at most, and frames resume after three",
        arguments: [
            ReferenceProgramme.Parameters(.mp3(64), seconds: 600), .init(.aac(64), seconds: 600),
        ])
    func denseWrongBytes(_ parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let places = try programme.checker().frames.map(\.indices)
        var generator = SplitMix64(seed: 4096)
        var bytes = programme.bytes
        var hits = 0
        for start in stride(from: 8192, to: bytes.count - 8192, by: 4096) {
            bytes[start + Int.random(in: 0..<4096, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            hits += 1
        }
        let said = parameters.transcript(of: Split.every(1400).pieces(of: bytes[...]))
        let kept = Set(said.frames.map { Int($0.offset)..<Int($0.offset) + $0.bytes.count })
        let lost = places.indices.filter { !kept.contains(places[$0]) }
        #expect(lost.count <= 2 * hits / 10, "most hits are in audio, which is kept as it is")
        #expect(said.formats.count == 1 && said.accounted == bytes.count)
        var run = 0
        for number in places.indices {
            run = kept.contains(places[number]) ? 0 : run + 1
            #expect(run <= 3, "frame \(number): frames go on three after a hit at the latest")
        }
    }

    @Test("B2: A wrong byte in Ogg costs the packets of its page and nothing else", arguments: [4, 20])
    func wrongByteInOgg(_ segments: Int) {
        let packets = OggSample.opusPackets((0..<6_000).map { 100 + $0 % 300 }, seed: 77)
        let pages = OggSample.link(OggSample.opusHeaders(), packets, serial: 7, segments: segments)
        var places: [Range<Int>] = []
        for page in pages {
            places.append((places.last?.upperBound ?? 0)..<(places.last?.upperBound ?? 0) + page.count)
        }
        let bytes = pages.flatMap { $0 }
        // The pages that contain parts of each packet.
        let parts = OggSample.pagesOfPackets(packets, firstPage: 2, segments: segments)
        for flips in [1, 40] {
            let stream = DamagedStream(bytes, places: places, flips: flips, header: 27, seed: UInt64(flips))
            let said = FramerTranscript(of: stream.pieces, by: OggFramer())
            let expected = packets.indices.filter { stream.hits.isDisjoint(with: parts[$0]) }.map { packets[$0] }
            #expect(said.frames.map(\.bytes) == expected && said.accounted == bytes.count)
            let runs = stream.hits.count { !stream.hits.contains($0 - 1) }
            #expect(said.discontinuities <= runs && said.discontinuities > 0)
        }
    }
}

extension ReferenceProgramme.Parameters {
    /// The number of leading bytes in which a wrong byte may change where a frame ends.
    fileprivate var headerLength: Int { encoding.container == .adts ? 7 : 4 }

    fileprivate func transcript(of pieces: [ArraySlice<UInt8>]) -> FramerTranscript {
        encoding.container == .adts
            ? FramerTranscript(of: pieces, by: ADTSFramer())
            : FramerTranscript(of: pieces, by: MPEGAudioFramer())
    }
}
