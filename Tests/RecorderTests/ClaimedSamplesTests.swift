// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import Stations
import TestSupport
import Testing

@testable import RadioCore
@testable import Recorder

/// Frames that claim absurd playing times, and tiny frames, on their way into files.
struct ClaimedSamplesTests {
    private static let flac = StreamFormat(
        codec: .flac, sampleRate: 1_000, channels: 1,
        headerPackets: [[UInt8](repeating: 0, count: 51), [0x84, 0, 0, 0]])

    /// Frames of one byte, the first of which is at sample `start`.
    private static func chunk(_ count: Int, samples: UInt32, at start: Int64, _ format: StreamFormat) -> Chunk {
        let slab = Slab(format: format, capacity: count, position: Position(samples: start))
        for number in 0..<count {
            withUnsafeBytes(of: UInt8(truncatingIfNeeded: number)) {
                _ = slab.append($0, FrameFacts(samples: Int(samples)))
            }
        }
        return Chunk(
            slab: slab, frames: 0..<count, bytes: 0..<count, position: slab.position, samples: slab.samples)
    }

    @Test(
        "B21: A recording of frames that claim more than can be counted is written and closed",
        arguments: [RecorderRig.format, flac])
    func everySink(_ format: StreamFormat) throws {
        for kind in [SourceKind.live, .finite] {
            let rig = try RecorderRig { $0.policy = .period(.seconds(3_600)) }
            rig.begin(format, kind: kind)
            for start in [Int64.max - 200_000, .max - 1, .max] {
                rig.tell(.chunk(Self.chunk(5, samples: 65_535, at: start, format)))
                rig.tell(.title(StreamTitle(text: "\(start)", position: Position(samples: start))))
            }
            rig.pass(.seconds(1))
            let report = rig.stop()
            #expect(report.frames == 15 && !report.files.isEmpty)
        }
    }

    @Test("B21: Pages of packets that claim more than can be counted end at the limit of 64 bits") func pages() {
        var paginator = OggPaginator(format: Self.flac, serial: 1, comments: [])
        var output = paginator.headerPages()
        for _ in 0..<5 {
            [UInt8](repeating: 1, count: 9).withUnsafeBytes {
                paginator.append(packet: $0, samples: .max / 2, into: &output)
            }
        }
        paginator.finish(into: &output)
        let last = output.withUnsafeBytes { Array(OggPageList($0)).last?.granule }
        #expect(last == .some(.max))
    }

    @Test("B25: Packets of one byte cost no more than their share of a page") func tinyPackets() {
        var maker = PageMaker(OggPaginator(format: Self.flac, serial: 1, comments: []), serial: 1)
        var (pages, units) = (0, PageMaker.Units())
        for turn in 0..<1_000 {
            let (output, done) = maker.append(Self.chunk(100, samples: 2, at: Int64(turn) * 200, Self.flac))
            pages += output.count
            units.frames += done.frames
            // Less than a page of frames waits.
            #expect(maker.waiting.frames <= 256)
        }
        let (output, done) = maker.finish()
        #expect(units.frames + done.frames == 100_000)
        #expect(pages + output.count <= 100_000 * 9 / 4 + 1_000)
    }
}
