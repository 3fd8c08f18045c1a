// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

/// A batch is stored as if its frames had arrived one by one.
@Suite struct BatchTests {
    private let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)

    @Test("A ring that is fed with batches equals a ring that is fed frame by frame", arguments: 0..<50)
    func batches(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (together, single) = (Ring(depth: .seconds(20)), Ring(depth: .seconds(20)))
        together.begin(format)
        single.begin(format)
        for _ in 0..<40 {
            var frames: [Frame] = []
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                let size = Int.random(in: 0...900, using: &random)
                let samples = [0, 576, 1_152].randomElement(using: &random) ?? 0
                frames.append(
                    Frame(
                        range: bytes.count..<bytes.count + size, offset: 0, samples: samples,
                        backReference: Int.random(in: 0...1, using: &random)))
                bytes += random.bytes(size)
            }
            let batch = FrameBatch(frames)
            bytes.withUnsafeBytes { bytes in
                var next = 0
                while let chunk = together.append(batch, from: next, bytes) { next += chunk.frames.count }
                #expect(next == batch.count)
                batch.forEach(in: bytes) { _ = single.append($1, $0) }
            }
        }
        #expect(together.position == single.position && together.position.frames > 300)
        #expect(together.oldestFrame == single.oldestFrame)
        var frame = together.oldestFrame
        while let (one, other) = together.chunk(from: frame).flatMap({ chunk in
            single.chunk(from: frame).map { (chunk, $0) }
        }) {
            #expect(one.position == other.position && one.frames == other.frames && one.samples == other.samples)
            #expect(one.slice.withBytes { Array($0) } == other.slice.withBytes { Array($0) })
            frame += Int64(one.frames.count)
        }
        #expect(frame == together.position.frames)
        for behind in [Duration.zero, .seconds(1), .seconds(4.2), .seconds(60)] {
            #expect(together.joinPoint(behind: behind) == single.joinPoint(behind: behind))
        }
    }

    @Test("Fingerprints and playing times are the same for a batch as for single frames") func fingerprints() {
        var random = SplitMix64(seed: 3)
        let samples = (0..<200).map { _ in [1_152, 1_152, 1_152, 960, .max].randomElement(using: &random) ?? 0 }
        let frames = samples.enumerated().map { Frame(range: $0 * 7..<$0 * 7 + 7, offset: 0, samples: $1) }
        let bytes = (0..<1_400).map { _ in UInt8.random(in: 0...255, using: &random) }
        var (together, single) = (FrameMarker(), FrameMarker())
        together.begin(format)
        single.begin(format)
        var batch = FrameBatch(frames)
        bytes.withUnsafeBytes { bytes in
            together.mark(&batch, bytes)
            for (index, frame) in frames.enumerated() {
                var one = FrameBatch(FrameFacts(frame), length: 7)
                single.mark(&one, UnsafeRawBufferPointer(rebasing: bytes[frame.range]))
                #expect(batch[index].mark == one[0].mark && batch[index].mark != nil)
                #expect(batch[index].samples == one[0].samples && batch[index].samples <= Int(UInt32.max))
            }
        }
        #expect(together.played == single.played && together.played > .zero)
    }
}
