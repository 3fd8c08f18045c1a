// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// A change of format is reported at its frame and costs no frame on either side.
struct MPEGFramerFormatTests {
    struct Change: CustomTestStringConvertible {
        var testDescription: String
        var apply: @Sendable (inout SyntheticMPEG) -> Void

        static let all = [
            Change(testDescription: "44.1 to 48 kHz") { $0.sampleRateIndex = 1 },
            Change(testDescription: "stereo to mono") { $0.mode = .mono },
            Change(testDescription: "layer III to II") { $0.layer = .two },
            Change(testDescription: "MPEG 1 to 2") { $0.version = .mpeg2 },
        ]
    }

    @Test("All frames on both sides of a format change are kept", arguments: Change.all)
    func changes(_ change: Change) {
        for isVariable in [false, true] {
            var source = SyntheticMPEG(seed: 30)
            source.payload = .random
            let first = source.header.format
            let before = isVariable ? source.variableFrames(7) : source.frames(7)
            change.apply(&source)
            let after = isVariable ? source.variableFrames(6) : source.frames(6)
            let transcript = expectSameEvents(
                (before + after).flatMap { $0 }, twoPieceSplits: 16, randomSplits: 8, truncations: 8)
            #expect(transcript.frames.map(\.bytes) == before + after && transcript.discontinuities == 0)
            #expect(transcript.entries.first == .format(first))
            #expect(transcript.entries[8] == .format(source.header.format))
        }
    }

    @Test("A single frame of another format is damage") func singleFrame() {
        var source = SyntheticMPEG(seed: 31)
        let before = source.frames(5)
        source.mode = .mono
        let odd = source.frame()
        source.mode = .jointStereo
        let after = source.frames(5)
        let transcript = expectSameEvents((before + [odd] + after).flatMap { $0 })
        #expect(transcript.frames.map(\.bytes) == before + after && transcript.formats.count == 1)
        #expect(transcript.discontinuities == 1)
    }

    @Test("Joint stereo and bit rate may change with every frame") func modeAndBitRate() {
        var source = SyntheticMPEG(seed: 32)
        var frames: [[UInt8]] = []
        for _ in 0..<30 {
            source.mode = [.stereo, .jointStereo, .dualChannel].randomElement(using: &source.generator) ?? .stereo
            frames += source.variableFrames(1)
        }
        let transcript = expectSameEvents(frames.flatMap { $0 })
        #expect(transcript.frames.map(\.bytes) == frames && transcript.formats.count == 1)
    }

    @Test("Free format after a constant bit rate is the same format") func freeFormat() {
        var source = SyntheticMPEG(seed: 33)
        let before = source.frames(5)
        source.bitRateIndex = 0
        let after = source.frames(20)
        let transcript = expectSameEvents((before + after).flatMap { $0 })
        #expect(transcript.frames.map(\.bytes) == before + after && transcript.formats.count == 1)
        #expect(transcript.discontinuities == 0)
    }
}
