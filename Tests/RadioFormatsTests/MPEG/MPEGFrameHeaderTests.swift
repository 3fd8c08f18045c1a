// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct MPEGFrameHeaderTests {
    /// The lengths and rates follow from the formulas of ISO 11172-3 §2.4.2.3 and ISO 13818-3, worked out by hand.
    @Test(
        "Every field of a frame header is read",
        arguments: [
            // MPEG 1 layer III, 128 kbit/s, 44.1 kHz, without and with padding.
            (0xfffb_9064, 417, 1152, 128_000, 44_100, 2, 32),
            (0xfffb_9264, 418, 1152, 128_000, 44_100, 2, 32),
            (0xfffb_e4c4, 960, 1152, 320_000, 48_000, 1, 17),
            // MPEG 2 and 2.5 layer III.
            (0xfff3_4064, 104, 576, 32_000, 22_050, 2, 17),
            (0xffe3_18c4, 72, 576, 8_000, 8_000, 1, 9),
            // Layer II: the largest frame there is (160 kbit/s at 8 kHz), and a usual one.
            (0xffe5_ea04, 2881, 1152, 160_000, 8_000, 2, 0),
            (0xfffd_a404, 576, 1152, 192_000, 48_000, 2, 0),
            // Layer I counts in slots of four bytes.
            (0xffff_c204, 420, 384, 384_000, 44_100, 2, 0),
        ])
    func fields(
        word: UInt32, length: Int, samples: Int, bitRate: Int, sampleRate: Int, channels: Int, sideInformation: Int
    ) throws {
        let header = try #require(MPEGFrameHeader(word: word))
        #expect(header.length == length && header.samples == samples && header.bitRate == bitRate)
        #expect(header.sampleRate == sampleRate && header.channels == channels)
        #expect(header.sideInformationLength == sideInformation && !header.hasChecksum)
        #expect(header.mainDataOffset == 4 + sideInformation)
    }

    @Test("Words that no frame can begin with are refused") func invalidHeaders() {
        #expect(MPEGFrameHeader(word: 0xffdb_9064) == nil, "sync of ten bits")
        #expect(MPEGFrameHeader(word: 0xffeb_9064) == nil, "reserved version")
        #expect(MPEGFrameHeader(word: 0xfff9_9064) == nil, "reserved layer: this is ADTS")
        #expect(MPEGFrameHeader(word: 0xfffb_f064) == nil, "bad bit rate")
        #expect(MPEGFrameHeader(word: 0xfffb_9c64) == nil, "reserved sample rate")
        #expect(MPEGFrameHeader([0xff, 0xfb, 0x90]) == nil, "three bytes")
    }

    @Test("A free-format header gives no frame length") func freeFormat() throws {
        let header = try #require(MPEGFrameHeader([0xff, 0xfb, 0x00, 0x64, 0x12]))
        #expect(header.isFreeFormat && header.length == nil && header.bitRate == 0)
    }

    @Test("Any word can be read safely as a frame header") func randomWords() {
        var generator = SplitMix64(seed: 3)
        for _ in 0..<20_000 {
            guard let header = MPEGFrameHeader(word: 0xffe0_0000 | UInt32(truncatingIfNeeded: generator.next())) else {
                continue
            }
            #expect(header.isFreeFormat || (24...2881).contains(header.length ?? 0))
            #expect(header.format.sampleRate == header.sampleRate)
        }
    }
}
