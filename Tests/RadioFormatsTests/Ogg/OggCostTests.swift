// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// Counts the cost of legal packets of one or two bytes, of which a megabyte may hold a million.
struct OggCostTests {
    private static let count = 200_000
    private static let vorbis = StreamFormat(
        codec: .vorbis, sampleRate: 44_100, channels: 2, headerPackets: OggSample.vorbisHeaders())

    @Test("B25: Tiny packets cost a share of a page each when they are paginated, and bounded memory")
    func paginator() {
        var paginator = OggPaginator(format: Self.vorbis, serial: 1, comments: [])
        var output = paginator.headerPages()
        output.reserveCapacity(3 * Self.count)
        let headers = output.count
        for number in 0..<Self.count {
            let samples = [128, 576, 0][number % 3]
            withUnsafeBytes(of: UInt8(number % 2) << 1) {
                paginator.append(packet: $0, samples: samples, into: &output)
            }
        }
        paginator.finish(into: &output)
        // Each packet takes one byte of content and one of lacing, and 255 packets share a header of 27 bytes.
        #expect(output.count - headers <= Self.count * 9 / 4)
        #expect(heldBytes(paginator) < 100_000)
    }

    @Test(
        "B25: Tiny packets cost one event each when they are framed, and no more than a page is held",
        arguments: [1, 37, 1_400])
    func framer(_ piece: Int) {
        var paginator = OggPaginator(format: Self.vorbis, serial: 1, comments: [])
        var input = paginator.headerPages()
        for number in 0..<Self.count {
            withUnsafeBytes(of: UInt8(number % 2) << 1) {
                paginator.append(packet: $0, samples: number % 2 == 0 ? 128 : 576, into: &input)
            }
        }
        paginator.finish(into: &input)
        var framer = OggFramer()
        var (frames, events, held) = (0, 0, 0)
        for start in stride(from: 0, to: input.count, by: piece) {
            input[start..<min(start + piece, input.count)].withUnsafeBytes { framer.append($0) }
            while let event = framer.next() {
                events += 1
                if case .frame = event { frames += 1 }
            }
            if start % 65_536 == 0 { held = max(held, heldBytes(framer)) }
        }
        #expect(frames == Self.count)
        #expect(events <= Self.count + Self.count / 100 && held < 100_000)
    }
}
