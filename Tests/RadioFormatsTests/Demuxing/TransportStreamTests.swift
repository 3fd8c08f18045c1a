// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

struct TransportStreamTests {
    /// Ways in which packagers lay out the same audio.
    enum Layout: CaseIterable {
        case aligned, onePES, cut, spilt, restarted, unbounded, beside, everything

        func set(_ options: inout TransportStreamMuxer.Options) {
            switch self {
            case .aligned: break
            case .onePES: options.framesInPES = 1000
            case .cut: options.cutLength = 500
            case .spilt: options.spill = 33
            case .restarted: options.restartsCounters = true
            case .unbounded: options.statesLength = false
            case .beside: (options.hasVideo, options.languages) = (true, ["eng", "fra"])
            case .everything:
                (options.cutLength, options.spill, options.hasVideo, options.hasLongTable) = (777, 5, true, true)
                (options.statesLength, options.restartsCounters) = (false, true)
            }
        }
    }

    @Test("B61: Frames and their times are those of the packager, however it lays them out", arguments: Layout.allCases)
    func layouts(_ layout: Layout) {
        let sample = TransportSample { layout.set(&$0) }
        let said = SegmentTranscript(of: sample.segments, by: TransportStreamDemuxer())
        #expect(said.problem == nil && said.losses == 0 && said.containers == [.adts])
        // The rest of the last frame would be in the next segment.
        let expected = layout == .spilt || layout == .everything ? sample.frames.dropLast()[...] : sample.frames[...]
        #expect(FrameList.areEqual(said.frames.map(\.bytes), Array(expected)))
        for (number, frame) in said.frames.enumerated() {
            if let time = frame.time { #expect(time == sample.muxer.time(ofFrame: Int64(number)), "frame \(number)") }
        }
        #expect(said.frames.first?.time == 900_000)
        #expect(said.times.count >= 3)
        for cut in [.every(1), .every(187), .every(188), .every(189)] + (0..<6).map({ Split.random(seed: $0) }) {
            #expect(
                SegmentTranscript(of: sample.segments, cut: cut, by: TransportStreamDemuxer()) == said, "\(cut)")
        }
        // Nothing depends on being told that a segment ends.
        let untold = SegmentTranscript(of: sample.segments, endsSegments: false, by: TransportStreamDemuxer())
        #expect(untold == said)
    }

    @Test("B61: Times begin anew after 2^33 ticks") func wrap() {
        let start: Int64 = (1 << 33) - 50_000
        let sample = TransportSample(startPTS: start)
        let said = SegmentTranscript(of: sample.segments, by: TransportStreamDemuxer())
        #expect(said.times.first == start)
        #expect(said.times.last == sample.muxer.time(ofFrame: 116) && sample.muxer.time(ofFrame: 116) < 1 << 20)
    }

    @Test("B61: MPEG audio of either type is passed on", arguments: [TransportStreamMuxer.Content.mpeg1, .mpeg2])
    func mpegAudio(_ content: TransportStreamMuxer.Content) async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 4))
        let frames = FramerTranscript(of: [programme.bytes[...]], by: MPEGAudioFramer()).frames.map(\.bytes)
        var options = TransportStreamMuxer.Options()
        options.cutLength = 1000
        var muxer = TransportStreamMuxer(content, samplesPerFrame: 1152, sampleRate: 44_100, options: options)
        let segments = [muxer.segment(frames[..<70]), muxer.segment(frames[70...])]
        let said = SegmentTranscript(of: segments, by: TransportStreamDemuxer())
        #expect(said.containers == [.mpeg] && said.losses == 0)
        #expect(FrameList.areEqual(said.frames.map(\.bytes), frames))
    }

    @Test("B61: Audio before the first unit is left out, because it has no time") func joined() {
        let sample = TransportSample { $0.spill = 100 }
        let said = SegmentTranscript(of: Array(sample.segments[1...]), by: TransportStreamDemuxer())
        #expect(FrameList.areEqual(said.frames.map(\.bytes), Array(sample.frames[40..<119])))
        #expect(said.frames.first?.time == sample.muxer.time(ofFrame: 40))
    }

    @Test("B67: Tags in their own stream come whole, also if a tag straddles packets") func tags() {
        var muxer = TransportStreamMuxer(.adts, samplesPerFrame: 1024, sampleRate: 44_100)
        let frames = ADTSSample().frames(40, seed: 1)
        let tags = [
            PackedAudioSegment.tag([PackedAudioSegment.text("TIT2", "One")]),
            PackedAudioSegment.tag([PackedAudioSegment.tagFrame("APIC", .init(repeating: 0x47, count: 90_000))]),
        ]
        let segments = [muxer.segment(frames[..<20], tags: tags), muxer.segment(frames[20...])]
        for cut in [Split.whole, .every(1), .random(seed: 3)] {
            let said = SegmentTranscript(of: segments, cut: cut, by: TransportStreamDemuxer())
            #expect(said.tags == tags && said.losses == 0 && said.frames.map(\.bytes) == frames)
        }
    }

    @Test("B63: Audio that is not supported, or encrypted, is refused by name") func refusals() {
        let cases: [(UInt8, DemuxProblem)] = [
            (0x81, .unsupported("AC-3 in a transport stream")), (0x87, .unsupported("E-AC-3 in a transport stream")),
            (0xCF, .encrypted("SAMPLE-AES")), (0xC1, .encrypted("SAMPLE-AES")), (0x1B, .noAudio),
        ]
        for (type, problem) in cases {
            let sample = TransportSample(.other(type))
            #expect(SegmentTranscript(of: sample.segments, by: TransportStreamDemuxer()).problem == problem)
        }
        var packets = TransportSample().packets
        for index in packets.indices where TransportSample.isAudio(packets[index]) { packets[index][3] |= 0x80 }
        let said = SegmentTranscript(of: [packets.flatMap { $0 }], by: TransportStreamDemuxer())
        #expect(said.problem == .encrypted("a scrambled transport stream") && said.audio.isEmpty)
        // A few damaged bits do not encrypt a station.
        packets = TransportSample().packets
        for index in stride(from: 9, to: packets.count, by: 9) { packets[index][3] |= 0x80 }
        #expect(SegmentTranscript(of: [packets.flatMap { $0 }], by: TransportStreamDemuxer()).problem == nil)
    }

    @Test("B62: New tables are followed: another stream, another codec, another version") func newTables() {
        let frames = ADTSSample().frames(40, seed: 1)
        var muxer = TransportStreamMuxer(.adts, samplesPerFrame: 1024, sampleRate: 44_100)
        var segments = [muxer.segment(frames[..<20])]
        muxer.version = 1
        let moved = muxer.segment(frames[20...])
        segments.append(moved)
        let said = SegmentTranscript(of: segments, by: TransportStreamDemuxer())
        #expect(said.frames.map(\.bytes) == frames && said.losses == 0 && said.containers == [.adts])

        var other = TransportStreamMuxer(.mpeg1, samplesPerFrame: 1152, sampleRate: 44_100)
        var maker = SyntheticMPEG()
        let mpeg = (0..<20).map { _ in maker.frame() }
        let changed = SegmentTranscript(
            of: [segments[0], other.segment(mpeg)], by: TransportStreamDemuxer())
        #expect(changed.containers == [.adts, .mpeg] && changed.losses == 0)
        #expect(changed.frames.map(\.bytes) == frames[..<20] + mpeg)
    }

    @Test("B62: Of several programmes, the first with audio is chosen, whatever else is multiplexed") func programmes()
    {
        let sample = TransportSample { $0.hasVideo = true }
        let silent = TransportSample(.other(0x1B), seed: 2)
        // A list of three programmes; the first has no audio, the second is the sample's.
        var maker = silent.muxer
        let list = maker.section(0, number: 1, [0, 0, 0xE0, 0x10, 0, 7, 0xF1, 0x23, 0, 1, 0xF0, 0, 0, 9, 0xF1, 0x24])
        let table = maker.section(2, number: 7, [0xE1, 0, 0xF0, 0, 0x1B, 0xE0, 0x50, 0xF0, 0])
        maker.counters = [:]
        let tables = maker.filled([0] + list, in: 0) + maker.filled([0] + table, in: 0x1123)
        let packets = sample.packets.filter { TransportSample.stream(of: $0) != 0 }
        let said = SegmentTranscript(of: [tables + packets.flatMap { $0 }], by: TransportStreamDemuxer())
        #expect(said.problem == nil && said.frames.map(\.bytes) == sample.frames)
    }

    @Test("B61: A restart forgets counters, tables and partial frames") func restart() throws {
        let sample = TransportSample { $0.spill = 50 }
        var demuxer = TransportStreamDemuxer()
        var entries = 0
        try sample.segments[0].withUnsafeBytes { try demuxer.push($0) { _ in entries += 1 } }
        demuxer.restart()
        let said = SegmentTranscript(of: [sample.segments[2]], by: demuxer)
        #expect(entries > 0 && said == SegmentTranscript(of: [sample.segments[2]], by: TransportStreamDemuxer()))
    }
}
