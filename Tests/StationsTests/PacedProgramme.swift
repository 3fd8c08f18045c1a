// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport

/// A programme of layer III at any rate, padded as encoders do and sent at a station's pace. The bytes of a frame are
/// available when the frame has been on air, and a block is sent when enough bytes for it are available.
struct PacedProgramme {
    enum Rate: Int, CaseIterable {
        case kbit32 = 32
        case kbit128 = 128
        case kbit320 = 320

        /// 32 kbit/s as stations send it: mono at 22,050 Hz, MPEG 2.
        fileprivate var isHalf: Bool { self == .kbit32 }
        var hertz: Int { isHalf ? 22_050 : 44_100 }
        var samples: Int { isHalf ? 576 : 1_152 }
        fileprivate func header(isPadded: Bool) -> UInt32 {
            let index: UInt32 =
                switch self {
                case .kbit32: 4
                case .kbit128: 9
                case .kbit320: 14
                }
            let version: UInt32 = isHalf ? 2 : 3
            return 0xffe0_0000 | version << 19 | 1 << 17 | 1 << 16 | index << 12 | (isPadded ? 1 << 9 : 0)
                | (isHalf ? 3 : 1) << 6 | 4
        }
    }

    let rate: Rate
    private(set) var frames: [[UInt8]] = []

    init(_ rate: Rate, length: Duration, seed: UInt64 = 1) {
        self.rate = rate
        var random = SplitMix64(seed: seed)
        var owed = 0
        let count = Int(length.inSeconds * Double(rate.hertz)) / rate.samples
        for _ in 0..<count {
            owed += rate.samples * rate.rawValue * 125 % rate.hertz
            let isPadded = owed >= rate.hertz
            if isPadded { owed -= rate.hertz }
            let word = rate.header(isPadded: isPadded)
            let size = rate.samples * rate.rawValue * 125 / rate.hertz + (isPadded ? 1 : 0)
            // The payload has no sync word, and its back references are like those of an encoder.
            var body = random.bytes(size - 4).map { $0 == 0xFF ? 0x7F : $0 }
            body[0] &= 0x3F
            frames.append(withUnsafeBytes(of: word.bigEndian) { Array($0) } + body)
        }
    }

    /// The time from the programme's beginning until frame `number` has been on air to its end.
    func end(ofFrame number: Int) -> Duration {
        .samples(Int64(number + 1) * Int64(rate.samples), at: rate.hertz)
    }

    /// The blocks of a connection that begins `burst` into the programme and receives all audio before that at once.
    func blocks(of size: Int, burst: Duration = .zero) -> [PacedClient.Block] {
        var blocks: [PacedClient.Block] = []
        var bytes: [UInt8] = []
        for (number, frame) in frames.enumerated() {
            bytes += frame
            let at = max(.zero, end(ofFrame: number) - burst)
            while bytes.count >= size {
                blocks.append(PacedClient.Block(at: at, bytes: Array(bytes.prefix(size))))
                bytes.removeFirst(size)
            }
        }
        return blocks
    }

    /// The time at which the last byte of each frame arrives if these blocks are sent.
    func arrivals(of blocks: [PacedClient.Block]) -> [Duration] {
        var arrivals: [Duration] = []
        var (sent, block, end) = (0, 0, 0)
        for frame in frames {
            end += frame.count
            while block < blocks.count, sent < end {
                sent += blocks[block].bytes.count
                block += 1
            }
            guard sent >= end else { break }
            arrivals.append(blocks[block - 1].at)
        }
        return arrivals
    }
}
