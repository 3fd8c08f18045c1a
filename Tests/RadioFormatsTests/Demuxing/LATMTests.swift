// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools
import Testing

struct LATMTests {
    @Test("B68: AAC in LATM comes out as ADTS, at its times, however it is cut") func frames() {
        for spill in [0, 30] {
            let sample = TransportSample(.latm) {
                $0.cutLength = spill == 0 ? nil : 700
                $0.spill = spill
            }
            let said = SegmentTranscript(of: sample.segments, by: TransportStreamDemuxer())
            let sent = spill == 0 ? sample.frames : sample.frames.dropLast()
            #expect(said.problem == nil && said.losses == 0 && said.containers == [.adts])
            #expect(FrameList.areEqual(said.frames.map(\.bytes), sent))
            for (number, frame) in said.frames.enumerated() {
                if let time = frame.time { #expect(time == sample.muxer.time(ofFrame: Int64(number))) }
            }
            #expect(said.frames[0].time == 900_000 && said.times.count > 20)
            for cut in [Split.every(1), .every(189), .random(seed: 1), .random(seed: 2)] {
                #expect(SegmentTranscript(of: sample.segments, cut: cut, by: TransportStreamDemuxer()) == said)
            }
        }
    }

    @Test("B68: What is lost of LATM is told, and reading goes on at the next configuration") func losses() {
        let sample = TransportSample(.latm, frames: 200, inSegment: 200)
        var packets = sample.packets
        for place in [100, 70, 40] { packets.remove(at: place) }
        let said = SegmentTranscript(of: [packets.flatMap { $0 }], by: TransportStreamDemuxer())
        let known = Set(sample.frames)
        #expect(said.losses == 3 && said.frames.count > 185)
        #expect(said.frames.allSatisfy { known.contains($0.bytes) })
        // Joined before a configuration.
        let joined = SegmentTranscript(
            of: [TransportSample(.latm) { $0.configurationInterval = 7 }.segments[1]], by: TransportStreamDemuxer())
        #expect(joined.frames.map(\.bytes).first == TransportSample(.latm).frames[42])
    }

    @Test("B68: AAC is read for what it is, whatever its table states", arguments: [0x11, 0x0F] as [UInt8])
    func statedWrongly(_ type: UInt8) {
        for spill in [0, 30] {
            let frames = TransportSample(frames: 120).frames
            var options = TransportStreamMuxer.Options()
            (options.spill, options.cutLength) = (spill, spill == 0 ? nil : 700)
            var muxer = TransportStreamMuxer(
                .other(type), samplesPerFrame: 1024, sampleRate: 44_100, options: options)
            let sent = frames.map { type == 0x11 ? $0 : LOASWriter.frame($0, hasConfiguration: true) }
            let segments = [sent[..<2], sent[2..<40], sent[40...]].map { muxer.segment($0) }
            // Two frames show nothing, and pass for what is stated.
            for (whole, start) in [(segments, 2), ([segments[0] + segments[1], segments[2]], 0), ([segments[2]], 40)] {
                let said = SegmentTranscript(of: whole, by: TransportStreamDemuxer())
                let sent = Array(frames[start..<(spill == 0 ? 120 : 119)])
                let isWhole = FrameList.areEqual(said.frames.map(\.bytes), sent)
                #expect(said.problem == nil && said.losses == 0 && said.containers == [.adts])
                #expect(isWhole, "\(whole.count) segments, \(spill) bytes spilt")
                for frame in said.frames {
                    let number = frames.firstIndex(of: frame.bytes).map(Int64.init) ?? -1
                    if let time = frame.time { #expect(time == muxer.time(ofFrame: number)) }
                }
                for cut in [Split.every(1), .every(189), .random(seed: 1)] {
                    #expect(SegmentTranscript(of: whole, cut: cut, by: TransportStreamDemuxer()) == said)
                }
            }
            // What is lost at the beginning costs the frame that it cuts.
            var packets = stride(from: 0, to: segments[2].count, by: 188).map { segments[2][$0..<$0 + 188] }
            packets.remove(at: 4)
            let said = SegmentTranscript(of: [packets.flatMap { $0 }], by: TransportStreamDemuxer())
            #expect(said.problem == nil && said.losses == 1 && said.frames.count >= 74)
        }
    }

    @Test("B68: FFmpeg's LATM comes out frame by frame", arguments: [44_100, 24_000])
    func ffmpegFiles(_ rate: Int) async throws {
        let programme = try await ReferenceProgramme.make(.init(.aac(64), sampleRate: rate, seconds: 6))
        let folder = try TemporaryFolder()
        let path = folder.file("a.ts")
        // FFmpeg makes LATM only of AAC that has no headers.
        try RealTransportStreamTests.ffmpeg(["-i", programme.path, "-c", "copy", folder.file("a.m4a")])
        try RealTransportStreamTests.ffmpeg(
            ["-i", folder.file("a.m4a"), "-c", "copy", "-mpegts_flags", "+latm", "-f", "mpegts", path])
        let said = SegmentTranscript(of: [try TestTools.bytes(ofFile: path)], by: TransportStreamDemuxer())
        #expect(said.problem == nil && said.losses == 0)
        #expect(FrameList.areEqual(said.audio[...], programme.bytes[...]))
    }

    @Test("B68: LATM that ADTS cannot describe is refused by name") func refusals() {
        // The configuration, up to the first field of the codec: type, rate, channels.
        let cases: [(bits: String, name: String)] = [
            ("11", "AAC in LATM of version 2"), ("00", "AAC in LATM of several framings"),
            ("01000000" + "0001", "AAC in LATM of several programmes"),
            ("01000000" + "0000" + "001", "AAC in LATM of several layers"),
            ("01000000" + "0000" + "000" + "00001" + "0100" + "0010", "AAC Main in LATM"),
            (
                "01000000" + "0000" + "000" + "00010" + "0100" + "0000",
                "AAC with a sample rate or a channel layout of its own in LATM"
            ),
            ("01000000" + "0000" + "000" + "00010" + "0100" + "0010" + "1", "AAC with frames of 960 samples in LATM"),
            ("01000000" + "0000" + "000" + "00010" + "0100" + "0010" + "010", "scalable AAC in LATM"),
            (
                "01000000" + "0000" + "000" + "00010" + "0100" + "0010" + "000" + "001",
                "AAC in LATM of constant frame length"
            ),
        ]
        for (bits, name) in cases {
            var writer = BitWriter()
            for bit in "0" + bits { writer.put(bit == "1" ? 1 : 0, 1) }
            let element = writer.padded(to: 40)
            let loas = [0x56, 0xE0, UInt8(element.count)] + element
            var muxer = TransportStreamMuxer(.other(0x11), samplesPerFrame: 1024, sampleRate: 44_100)
            let segment = muxer.segment([loas, loas, loas])
            let problem = SegmentTranscript(of: [segment], by: TransportStreamDemuxer()).problem
            #expect(problem == .unsupported(name), "\(name)")
        }
    }
}
