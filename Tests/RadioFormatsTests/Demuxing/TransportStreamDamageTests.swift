// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

struct TransportStreamDamageTests {
    @Test("B64: A packet that is missing is told, and no frame of two halves passes", arguments: 0..<6 as Range<UInt64>)
    func missingPackets(_ seed: UInt64) {
        let sample = TransportSample(frames: 400, inSegment: 400, seed: seed) { $0.cutLength = seed == 0 ? nil : 900 }
        var generator = SplitMix64(seed: seed)
        var (packets, removed) = (sample.packets, 0)
        var index = 40
        while index < packets.count - 4 {
            let count = Int.random(in: 1...15, using: &generator)
            let gone = packets[index..<min(packets.count - 4, index + count)]
            if gone.contains(where: TransportSample.isAudio) { removed += 1 }
            packets.removeSubrange(gone.startIndex..<gone.endIndex)
            index += Int.random(in: 8...40, using: &generator)
        }
        let said = SegmentTranscript(of: [packets.flatMap { $0 }], by: TransportStreamDemuxer())
        #expect(said.problem == nil && said.losses == removed)
        expectOnlyFrames(of: sample, in: said)
        #expect(said.frames.count > 100)
    }

    @Test("B64: A stream that is cut anywhere yields the frames before the cut", arguments: [false, true])
    func truncated(_ statesLength: Bool) {
        let sample = TransportSample(frames: 40) { $0.statesLength = statesLength }
        let bytes = sample.bytes
        var generator = SplitMix64(seed: 5)
        let random = (0..<60).map { _ in Int.random(in: 0...bytes.count, using: &generator) }
        let lengths = Array(stride(from: 0, through: bytes.count, by: 188)) + random
        for length in lengths {
            let said = SegmentTranscript(of: [Array(bytes[..<length])], by: TransportStreamDemuxer())
            let frames = said.frames.map(\.bytes)
            #expect(FrameList.begins(sample.frames, with: frames.count, of: frames), "\(length) bytes")
            #expect(said.losses == (length % 188 != 0 && !said.audio.isEmpty ? 1 : 0), "\(length) bytes")
            // What follows a segment that was cut does not continue it.
            let followed = SegmentTranscript(of: [Array(bytes[..<length]), bytes], by: TransportStreamDemuxer())
            #expect(followed.audio.count == said.audio.count + sample.frames.reduce(0) { $0 + $1.count })
            if length % 188 != 0, !said.audio.isEmpty { #expect(followed.losses == 1, "\(length) bytes") }
            expectOnlyFrames(of: sample, in: followed)
        }
    }

    @Test("B64: Bytes that are missing inside packets are told", arguments: 0..<6 as Range<UInt64>)
    func missingBytes(_ seed: UInt64) {
        let sample = TransportSample(frames: 300, inSegment: 300, seed: seed)
        var generator = SplitMix64(seed: seed)
        var (bytes, holes) = (sample.bytes, 0)
        var place = 4_000
        while place < bytes.count - 4_000 {
            bytes.removeSubrange(place..<place + Int.random(in: 1...400, using: &generator))
            holes += 1
            place += Int.random(in: 3_000...9_000, using: &generator)
        }
        let said = SegmentTranscript(of: [bytes], by: TransportStreamDemuxer())
        #expect(said.losses == holes)
        expectOnlyFrames(of: sample, in: said)
    }

    @Test("B64: Junk between packets costs nothing", arguments: 0..<6 as Range<UInt64>) func junk(_ seed: UInt64) {
        let sample = TransportSample(frames: 200, inSegment: 200, seed: seed)
        var generator = SplitMix64(seed: seed)
        var bytes = junk(&generator)
        var whole = sample.packets[...]
        while !whole.isEmpty {
            // A packet counts if another two follow it.
            let count = Int.random(in: 3...10, using: &generator)
            bytes += whole.prefix(count).joined() + junk(&generator)
            whole = whole.dropFirst(count)
        }
        for cut in [Split.whole, .every(1), .random(seed: seed)] {
            let said = SegmentTranscript(of: [bytes], cut: cut, by: TransportStreamDemuxer())
            #expect(said.losses == 0 && FrameList.areEqual(said.frames.map(\.bytes), sample.frames))
        }
    }

    @Test("B64: Damaged bytes cost the frames that they are in", arguments: 0..<6 as Range<UInt64>)
    func damage(_ seed: UInt64) {
        let sample = TransportSample(frames: 300, inSegment: 300, seed: seed) { $0.hasVideo = true }
        var generator = SplitMix64(seed: seed)
        var bytes = sample.bytes
        for _ in 0..<80 { bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 0x55 }
        let said = SegmentTranscript(of: [bytes], by: TransportStreamDemuxer())
        let known = Set(sample.frames)
        let whole = said.frames.filter { known.contains($0.bytes) }
        #expect(whole.count > 150 && said.problem == nil)
        for cut in [Split.every(1), .random(seed: seed)] {
            #expect(SegmentTranscript(of: [bytes], cut: cut, by: TransportStreamDemuxer()) == said)
        }
    }

    @Test("B64: Packets may come twice, and a counter may jump where the stream says so") func repeats() {
        let sample = TransportSample(frames: 80, inSegment: 80)
        let twice = sample.packets.flatMap { $0 + $0 }
        let said = SegmentTranscript(of: [twice], by: TransportStreamDemuxer())
        #expect(said == SegmentTranscript(of: [sample.bytes], by: TransportStreamDemuxer()))

        var jumped = sample.packets
        let place = jumped.count - 1
        #expect(TransportSample.isAudio(jumped[place]) && jumped[place][3] & 0x20 != 0)
        jumped[place][3] = (jumped[place][3] & 0xF0) | ((jumped[place][3] + 5) & 0xF)
        #expect(SegmentTranscript(of: [jumped.flatMap { $0 }], by: TransportStreamDemuxer()).losses == 1)
        jumped[place][5] |= 0x80
        #expect(SegmentTranscript(of: [jumped.flatMap { $0 }], by: TransportStreamDemuxer()).losses == 0)
    }

    @Test("B64: A counter that begins anew is no loss where a segment begins, and one elsewhere") func newCounters() {
        let sample = TransportSample { $0.restartsCounters = true }
        #expect(SegmentTranscript(of: sample.segments, by: TransportStreamDemuxer()).losses == 0)
        #expect(SegmentTranscript(of: [sample.bytes], by: TransportStreamDemuxer()).losses == 2)
    }

    @Test("B64: A unit that breaks off is told, although the counter goes on") func cutUnit() {
        var sample = TransportSample(frames: 40, inSegment: 40).muxer
        let unit = sample.pes([UInt8](repeating: 7, count: 1000), id: 0xC0, at: 5, statesLength: true)
        let frames = ADTSSample().frames(8, seed: 1)
        let bytes =
            sample.segment(frames) + sample.packets(of: Array(unit.dropLast(100)), in: TransportStreamMuxer.audioStream)
        let said = SegmentTranscript(of: [bytes, sample.segment(frames)], by: TransportStreamDemuxer())
        #expect(said.losses == 1 && said.frames.map(\.bytes) == frames + frames)
    }

    @Test("B65: Noise yields nothing, and is refused at its end", arguments: 0..<8 as Range<UInt64>)
    func noise(_ seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var bytes = generator.bytes(100_000)
        let said = SegmentTranscript(of: [bytes], cut: .random(seed: seed), by: TransportStreamDemuxer())
        #expect(said.entries.isEmpty && said.problem != nil)
        for place in stride(from: 0, to: bytes.count, by: 188) { bytes[place] = 0x47 }
        #expect(SegmentTranscript(of: [bytes], by: TransportStreamDemuxer()).problem == .noAudio)
        #expect(
            SegmentTranscript(of: [[]], by: TransportStreamDemuxer()).problem
                == .malformed("no packets of a transport stream"))
    }

    private func junk(_ generator: inout SplitMix64) -> [UInt8] {
        generator.bytes(Int.random(in: 1...900, using: &generator)).map { $0 == 0x47 ? 0 : $0 }
    }

    /// Expects frames of the sample in their order, and the right times.
    private func expectOnlyFrames(of sample: TransportSample, in said: SegmentTranscript) {
        let places = Dictionary(sample.frames.enumerated().map { ($1, $0) }) { first, _ in first }
        for frame in said.frames {
            guard let place = places[frame.bytes] else {
                Issue.record("a frame of \(frame.bytes.count) bytes that was not sent")
                continue
            }
            if let time = frame.time { #expect(time == sample.muxer.time(ofFrame: Int64(place)), "frame \(place)") }
        }
    }
}
