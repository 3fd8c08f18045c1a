// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Checks which frames have correct checksums, and that the other frames are delivered nevertheless.
struct MPEGChecksumTests {
    struct Kind: CustomTestStringConvertible {
        var version: StreamFormat.MPEGVersion
        var layer: MPEGFrameHeader.Layer
        var mode: MPEGFrameHeader.Mode
        var testDescription: String { "MPEG \(version.rawValue) layer \(layer) \(mode)" }

        static let all: [Kind] = [.mpeg1, .mpeg2, .mpeg25].flatMap { version in
            [.one, .two, .three].flatMap { layer in
                [.stereo, .jointStereo, .dualChannel, .mono].map { Kind(version: version, layer: layer, mode: $0) }
            }
        }

        /// Frames with correct checksums. In joint stereo, the mode extension changes with every frame.
        func frames(_ count: Int, hasChecksum: Bool = true, seed: UInt64) -> [[UInt8]] {
            var source = SyntheticMPEG(seed: seed)
            (source.version, source.layer, source.mode) = (version, layer, mode)
            source.hasChecksum = hasChecksum
            return source.frames(count).enumerated().map { number, frame in
                var frame = frame
                if mode == .jointStereo { frame[3] |= UInt8(number % 4) << 4 }
                ReferenceChecksum.put(into: &frame)
                return frame
            }
        }
    }

    // MARK: - Frames of real encoders

    /// The arguments are the header, checksum and side information of frames as LAME 3.100 writes them.
    @Test(
        "B6: Checksums by a real layer III encoder are right, and no bit that they cover may be wrong",
        arguments: [
            "fffa9264f3b14f81134617d67309329238451bae3c23998d505b5bec24cac8c58a2d3cf014cc",
            "fffa14c4d46f0f8043d82995e19cc0707804acf8178c0c",
            "fff22464bb1515014815661400ef1001c006c400080000",
            "fff214c4610c0501f01ec4000bc200",
            "ffe218c4f26f250bd8df065850c40e",
        ])
    func realLayerThree(_ head: String) throws {
        let digits = head.compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        expectCovered((bytes.count - 6) * 8, of: bytes + [UInt8](repeating: 0x5a, count: 40))
    }

    @Test(
        "B6: Checksums by a real layer II encoder are right for each bit allocation table",
        arguments: [
            (48_000, "stereo", "192k"), (48_000, "joint_stereo", "160k"), (44_100, "stereo", "256k"),
            (44_100, "joint_stereo", "96k"), (44_100, "mono", "32k"), (32_000, "mono", "48k"),
            (32_000, "stereo", "128k"), (22_050, "stereo", "64k"), (16_000, "mono", "16k"),
        ])
    func realLayerTwo(rate: Int, mode: String, bitRate: String) throws {
        let options = ["-c:a", "libtwolame", "-error_protection", "1", "-mode", mode, "-b:a", bitRate]
        let file = try RealEncoder().encode(
            "a.mp2", seconds: 2, rate: rate, channels: mode == "mono" ? 1 : 2, options)
        let frames = FramerTranscript(of: [file[...]], by: MPEGAudioFramer()).frames
        #expect(frames.count > 25 && !frames.contains { $0.hasWrongChecksum })
        for frame in frames.dropFirst(5).prefix(5) {
            expectCovered(try #require(ReferenceChecksum.coveredBits(of: frame.bytes)), of: frame.bytes)
        }
    }

    // MARK: - All kinds of frames

    @Test("B6: A checksum covers what the standard says, in every layer and mode", arguments: Kind.all)
    func coveredBits(_ kind: Kind) throws {
        for frame in kind.frames(4, seed: 21) {
            expectCovered(try #require(ReferenceChecksum.coveredBits(of: frame)), of: frame)
        }
    }

    @Test(
        "The bit allocation tables of layer II depend on sample rate and bit rate", arguments: [UInt32](0...14),
        [UInt32](0...2))
    func allocationTables(bitRate: UInt32, sampleRate: UInt32) {
        for mode in [MPEGFrameHeader.Mode.stereo, .jointStereo, .mono] {
            var source = SyntheticMPEG(seed: 22)
            (source.layer, source.mode, source.hasChecksum) = (.two, mode, true)
            (source.bitRateIndex, source.sampleRateIndex) = (bitRate, sampleRate)
            let header = source.header
            for frame in source.frames(4) {
                #expect(!Self.isWrong(frame), "\(header.bitRate) bit/s, \(header.sampleRate) Hz, \(mode)")
            }
        }
    }

    @Test("A frame that ends before the last bit covered by its checksum is wrong", arguments: Kind.all)
    func shortFrames(_ kind: Kind) throws {
        let frame = kind.frames(1, seed: 23)[0]
        let covered = try #require(ReferenceChecksum.coveredBits(of: frame))
        for count in 0...frame.count {
            let isWrong = count >= 4 && count < 6 + (covered + 7) / 8
            #expect(Self.isWrong(Array(frame[..<count])) == isWrong, "\(count) bytes")
        }
        var generator = SplitMix64(seed: 24)
        for _ in 0..<500 {
            let count = Int.random(in: 0...80, using: &generator)
            _ = Self.isWrong(Array(frame[..<4]) + generator.bytes(count))
            _ = Self.isWrong([0xff] + generator.bytes(count))
        }
    }

    // MARK: - In a stream

    @Test("B6: Frames with wrong checksums are marked and delivered unchanged", arguments: Kind.all)
    func wrongChecksums(_ kind: Kind) throws {
        var frames = kind.frames(40, seed: 25)
        var generator = SplitMix64(seed: 26)
        let damaged = Set(stride(from: 3, to: 40, by: 4))
        for number in damaged {
            // The header stays intact. The wrong bit is behind it, where a decoder begins to read.
            frames[number][Int.random(in: 4..<14, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        }
        let transcript = expectSameEvents(frames.flatMap { $0 }, twoPieceSplits: 8, randomSplits: 4)
        #expect(transcript.frames.map(\.bytes) == frames)
        let marked = transcript.frames.indices.filter { transcript.frames[$0].hasWrongChecksum }
        #expect(Set(marked) == damaged)
        #expect(transcript.skipped() == 0 && transcript.discontinuities == 0)
    }

    @Test("B6: Frames without checksums are never marked, whatever they contain", arguments: Kind.all)
    func unprotectedFrames(_ kind: Kind) {
        let frames = kind.frames(40, hasChecksum: false, seed: 27)
        let transcript = FramerTranscript(of: [frames.flatMap { $0 }[...]], by: MPEGAudioFramer())
        #expect(transcript.frames.map(\.bytes) == frames)
        #expect(!transcript.frames.contains { $0.hasWrongChecksum })
    }

    // MARK: - What is looked at

    /// Expects the frame's checksum to be right, and one wrong bit to be noticed exactly where the checksum covers it:
    /// in the last four bits of the header, in the checksum itself, and in the `bits` bits after it.
    private func expectCovered(_ bits: Int, of frame: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(!Self.isWrong(frame), sourceLocation: sourceLocation)
        let end = 48 + bits
        let noticed = (28..<min(end + 64, frame.count * 8)).filter { bit in
            var damaged = frame
            damaged[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            return Self.isWrong(damaged)
        }
        #expect(noticed == Array(28..<end), sourceLocation: sourceLocation)
    }

    private static func isWrong(_ frame: [UInt8]) -> Bool {
        frame.withUnsafeBytes { MPEGChecksum.isWrong(in: $0) }
    }
}
