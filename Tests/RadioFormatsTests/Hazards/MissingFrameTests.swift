// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Whole frames that are missing inside one connection.
struct MissingFrameTests {
    private static let withReservoir: [ReferenceProgramme.Parameters] = [
        .init(.mp3(128), seconds: 30), .init(.mp3(64), seconds: 30),
        .init(.mp3(32), sampleRate: 22_050, channels: 1, seconds: 30),
        .init(.mp3Variable(quality: 4), seconds: 30),
    ]

    @Test(
        "B16: Frames missing where the bit reservoir grew are reported, at their place only", arguments: withReservoir)
    func missingFrames(_ parameters: ReferenceProgramme.Parameters) async throws {
        let frames = try await ReferenceProgramme.make(parameters).checker().frames.map { Array($0) }
        var seen = 0
        var cuts = 0
        for count in 1...20 {
            for place in stride(from: 150 + count, to: 600, by: 83) {
                let left = frames[..<place] + frames[(place + count)...]
                let said = FramerTranscript(of: [left.flatMap { $0 }[...]], by: MPEGAudioFramer())
                #expect(said.frames.count == left.count)
                #expect(said.missing.allSatisfy { $0 == nil }, "nothing says how many")
                #expect(said.missing.count <= 1 && said.discontinuities == said.missing.count)
                let before = said.frames { if case .missing = $0 { true } else { false } }
                #expect(before.allSatisfy { $0 == place }, "\(count) frames from \(place) on")
                seen += said.missing.count
                cuts += 1
            }
        }
        // A cut may go unnoticed: if the reservoir shrank there, the remaining frames follow as if nothing were
        // missing.
        #expect(seen > cuts / 4, "\(seen) of \(cuts)")
    }

    @Test("B16: One wrong bit in a frame's header or side information is no loss", arguments: withReservoir)
    func wrongBits(_ parameters: ReferenceProgramme.Parameters) async throws {
        let frames = try await ReferenceProgramme.make(parameters).checker().frames.map { Array($0) }
        for place in [200, 251, 302, 353] {
            var framer = MPEGAudioFramer()
            framer.takeAll(frames[..<place])
            let header = try #require(MPEGFrameHeader(frames[place]))
            for bit in 0..<header.mainDataOffset * 8 {
                var hit = frames[place]
                hit[bit / 8] ^= 0x80 >> (bit % 8)
                let said = FramerTranscript(of: [hit[...]] + frames[place + 1..<place + 8].map { $0[...] }, by: framer)
                #expect(said.missing.isEmpty, "bit \(bit) of frame \(place)")
                #expect(said.frames.count >= 6)
            }
        }
    }

    @Test("B16: A loss is found alike for every split, and a frame that is released does not wait for it")
    func nextFrameDecides() async throws {
        let frames = try await ReferenceProgramme.make(Self.withReservoir[0]).checker().frames.map { Array($0) }
        func left(_ place: Int) -> ArraySlice<[UInt8]> { (frames[..<place] + frames[(place + 5)...(place + 12)])[...] }
        let place = try #require(
            (200..<300).first { place in
                FramerTranscript(of: [Array(left(place).joined())[...]], by: MPEGAudioFramer()).missing != []
            })
        let bytes = Array(left(place).joined())
        let said = expectSameEvents(bytes, twoPieceSplits: 4, randomSplits: 2)
        var framer = MPEGAudioFramer()
        framer.takeAll(frames[..<place])
        let decision = frames[..<place].joined().count + frames[place + 5].count
        for end in decision..<decision + 40 {
            let pieces = [bytes[decision - frames[place + 5].count..<end], bytes[end...]]
            #expect(FramerTranscript(of: pieces, by: framer).missing == said.missing, "cut at \(end)")
        }
        framer.takeAll([frames[place + 5] + frames[place + 6].prefix(6)])
        #expect(framer.holdsFrame)
        framer.releaseHeld()
        #expect(framer.next()?.isFrame == true, "it is not held for longer, and nothing is told")
        #expect(framer.next() == nil)
    }

    @Test("B16: No loss is reported in whole streams, from any frame on")
    func wholeStreams() async throws {
        let encodings: [ReferenceProgramme.Parameters] =
            Self.withReservoir + [
                .init(.mp3(320), sampleRate: 48_000, seconds: 10), .init(.mp3(128), seconds: 10, usesReservoir: false),
                .init(.mp2(192), sampleRate: 48_000, seconds: 10), .init(.mp3Variable(quality: 0), seconds: 20),
                .init(.mp3(8), sampleRate: 8_000, channels: 1, seconds: 20),
            ]
        for parameters in encodings {
            let frames = try await ReferenceProgramme.make(parameters).checker().frames.map { Array($0) }
            for first in stride(from: 0, to: frames.count, by: max(1, frames.count / 12)) {
                let said = FramerTranscript(of: [frames[first...].flatMap { $0 }[...]], by: MPEGAudioFramer())
                #expect(said.discontinuities == 0, "\(parameters.encoding) from frame \(first) on")
            }
        }
    }

    @Test("B16: A restarted encoder, another bit rate, another format and tagged files are no loss")
    func changes() async throws {
        let tag = ID3v2Tag(frames: [.text(id: "TIT2", "x")]).encoded(size: 100)
        var bytes: [UInt8] = []
        let parts: [ReferenceProgramme.Parameters] = [
            .init(.mp3(128), seconds: 8), .init(.mp3(64), seconds: 8), .init(.mp3(128), seconds: 8, seed: 2),
            .init(.mp3(128), sampleRate: 48_000, seconds: 8), .init(.mp3Variable(quality: 4), seconds: 8),
        ]
        for parameters in parts { bytes += try await ReferenceProgramme.make(parameters).bytes }
        // Files that were cut out of others begin with a frame that refers to earlier frames.
        let frames = try await ReferenceProgramme.make(parts[0]).checker().frames.map { Array($0) }
        for first in [60, 91, 122] { bytes += tag + frames[first...].flatMap { $0 } }
        let said = FramerTranscript(of: [bytes[...]], by: MPEGAudioFramer())
        #expect(said.discontinuities == 0 && said.accounted == bytes.count)
    }

    @Test("B16: No loss is reported at a constant bit rate without a reservoir")
    func withoutReservoir() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 10, usesReservoir: false))
        let frames = try programme.checker().frames.map { Array($0) }
        let left = frames[..<200] + frames[210...]
        let said = FramerTranscript(of: [left.flatMap { $0 }[...]], by: MPEGAudioFramer())
        #expect(said.frames.count == left.count && said.discontinuities == 0)
    }
}

extension MPEGAudioFramer {
    /// Feeds these frames and discards all events.
    fileprivate mutating func takeAll(_ frames: some Sequence<[UInt8]>) {
        for frame in frames {
            frame.withUnsafeBytes { append($0) }
            while next() != nil {}
        }
    }
}

extension FramerEvent {
    fileprivate var isFrame: Bool {
        if case .frame = self { true } else { false }
    }
}
