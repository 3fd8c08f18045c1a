// SPDX-License-Identifier: MIT

import RadioFormats

/// Checks that a 64 MB Ogg packet between good packets is reported as a discontinuity and is never held in memory.
struct EndlessPacket: SoakCase {
    let name = "endless-packet"
    let hazard = "B8"

    func run(_ plan: SoakPlan) throws -> String {
        let format = StreamFormat(
            codec: .opus, sampleRate: 48_000, channels: 2,
            headerPackets: [
                Array("OpusHead".utf8) + [1, 2, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0],
                Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8),
            ])
        var paginator = OggPaginator(format: format, serial: 7, comments: [])
        var stream = paginator.headerPages()
        let small = [0xFC] + [UInt8](repeating: 1, count: 100)
        let huge = [0xFC] + [UInt8](repeating: 2, count: 64 << 20)
        for packet in [small, small, huge, small, small] {
            packet.withUnsafeBytes { paginator.append(packet: $0, samples: 960, into: &stream) }
        }
        paginator.finish(into: &stream)

        let before = try ProcessFigures.residentKiB()
        var framer = OggFramer()
        var frames: [Int] = []
        var discontinuities = 0
        var most = 0
        for start in stride(from: 0, to: stream.count, by: 4096) {
            stream[start..<min(start + 4096, stream.count)].withUnsafeBytes { framer.append($0) }
            while let event = framer.next() {
                switch event {
                case .frame(let frame): frames.append(frame.range.count)
                case .discontinuity, .missing: discontinuities += 1
                case .format, .title, .wrongChecksum, .skipped: break
                }
            }
            if start % (1 << 20) == 0 { most = max(most, try ProcessFigures.residentKiB() - before) }
        }
        try Harm.unless(frames == [101, 101, 101, 101], "packets of \(frames) bytes")
        try Harm.unless(discontinuities == 1, "\(discontinuities) discontinuities")
        try Harm.unless(most < 8 << 10, "memory grew by \(most) KiB")
        return "the packet was dropped; memory grew by at most \(most) KiB"
    }
}
