// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

struct InfoFrameBuilderTests {
    @Test("A built Info frame is valid and recognised by the framer") func validFrame() throws {
        for version in [StreamFormat.MPEGVersion.mpeg1, .mpeg2, .mpeg25] {
            for mode in [MPEGFrameHeader.Mode.jointStereo, .mono] {
                for rate in 0..<3 as Range<UInt32> {
                    var source = SyntheticMPEG(seed: 50)
                    source.version = version
                    source.mode = mode
                    source.sampleRateIndex = rate
                    source.hasChecksum = true
                    let frames = source.frames(5)
                    var builder = try #require(InfoFrameBuilder(firstFrame: source.header))
                    let reserved = builder.frame()
                    for frame in frames { builder.add(frameLength: frame.count, bitRate: 128_000) }
                    let info = builder.frame()
                    #expect(info.count == builder.length && reserved.count == info.count)

                    let header = try #require(MPEGFrameHeader(info))
                    #expect(header.format == source.header.format && header.length == info.count)
                    #expect(!header.hasChecksum && !header.isPadded)
                    for info in [reserved, info] {
                        let transcript = FramerTranscript(
                            of: [(info + frames.flatMap { $0 })[...]], by: MPEGAudioFramer())
                        #expect(transcript.frames.map(\.bytes) == frames)
                        #expect(transcript.skipped(.infoFrame) == info.count)
                    }
                }
            }
        }
    }

    @Test("An Info frame states the number of frames and bytes") func counts() throws {
        let source = SyntheticMPEG()
        var builder = try #require(InfoFrameBuilder(firstFrame: source.header))
        #expect(builder.length == 156, "48 kbit/s at 44.1 kHz is the least that holds 152 bytes")
        for _ in 0..<1000 { builder.add(frameLength: 417, bitRate: 128_000) }
        var info = builder.frame()
        #expect(Array(info[36..<40]) == Array("Info".utf8))
        #expect(Array(info[40..<52]) == [0, 0, 0, 7, 0, 0, 3, 0xe8, 0, 6, 0x5d, 0x84])
        builder.add(frameLength: 626, bitRate: 192_000)
        info = builder.frame()
        #expect(Array(info[36..<40]) == Array("Xing".utf8))
    }

    @Test("The seek table of an Info frame is correct for any length") func seekTable() throws {
        for count in [1, 50, 99, 512, 513, 5000, 138_000] {
            var generator = SplitMix64(seed: UInt64(count))
            var builder = try #require(InfoFrameBuilder(firstFrame: SyntheticMPEG().header))
            var offsets: [Int] = []
            var bytes = builder.length
            for index in 0..<count {
                offsets.append(bytes)
                // Frames in the second half are larger.
                let length = Int.random(in: 100...300, using: &generator) * (index > count / 2 ? 4 : 1)
                builder.add(frameLength: length, bitRate: length)
                bytes += length
            }
            let table = builder.frame()[52..<152].map(Int.init)
            for (percent, entry) in table.enumerated() {
                let exact = Double(offsets[count * percent / 100]) * 256 / Double(bytes)
                #expect(abs(exact - Double(entry)) < 1.5, "\(count) frames, \(percent) %")
            }
        }
    }

    @Test("Layers I and II and free format have no Info frame") func otherLayers() {
        var source = SyntheticMPEG()
        source.bitRateIndex = 0
        #expect(InfoFrameBuilder(firstFrame: source.header) == nil)
        source.bitRateIndex = 9
        source.layer = .two
        #expect(InfoFrameBuilder(firstFrame: source.header) == nil)
        source.layer = .one
        #expect(InfoFrameBuilder(firstFrame: source.header) == nil)
    }
}
