// SPDX-License-Identifier: MIT

import RadioCore

/// FLAC generated without an encoder: one channel of 8-bit noise at 44.1 kHz, in verbatim subframes. No two frames are
/// equal, and any decoder accepts them.
package struct SyntheticFLAC: Sendable {
    /// Whether frame headers count samples instead of frames, so that block sizes may vary.
    package var isVariable = false
    /// The codes for sample rate and sample size in frame headers. The code 0 refers to STREAMINFO.
    package var (rateCode, sizeCode): (UInt8, UInt8) = (9, 1)
    package var seed: UInt64 = 1

    package init() {}

    /// A frame with the given number. If ``isVariable`` is set, the number is that of the frame's first sample. At
    /// `falseEnd`, the checksum of the bytes before is right, and a sync code without a valid header follows.
    package func frame(_ number: Int, samples: Int = 1_152, falseEnd: Int? = nil) -> [UInt8] {
        var frame: [UInt8] = [0xFF, isVariable ? 0xF9 : 0xF8, 7 << 4 | rateCode, sizeCode << 1]
        frame += Self.coded(number)
        frame += [UInt8(truncatingIfNeeded: (samples - 1) >> 8), UInt8(truncatingIfNeeded: samples - 1)]
        frame.append(frame.reduce(0, Self.headerChecksum))
        // A verbatim subframe.
        frame.append(0x02)
        var noise = SplitMix64(seed: seed << 32 ^ UInt64(number))
        frame += noise.bytes(samples)
        if let falseEnd {
            let bytes = Self.checksum(frame[..<(falseEnd - 2)]) + [0xFF, 0xF9, 0xA4, 0x5A, 0x07]
            frame.replaceSubrange((falseEnd - 2)..<(falseEnd + 5), with: bytes)
        }
        return frame + Self.checksum(frame[...])
    }

    package func frames(_ numbers: Range<Int>) -> [[UInt8]] { numbers.map { frame($0) } }

    /// The STREAMINFO block without its header.
    package func streamInfo(smallest: Int = 1_152, largest: Int = 1_152) -> [UInt8] {
        let blocks = [smallest >> 8, smallest, largest >> 8, largest].map { UInt8(truncatingIfNeeded: $0) }
        // These fields are the sample rate in 20 bits, the number of channels minus one in 3 bits, the bits per sample
        // minus one in 5 bits, and the total number of samples in 36 bits.
        return blocks + [UInt8](repeating: 0, count: 6) + [0x0A, 0xC4, 0x40, 0x70, 0, 0, 0, 0]
            + [UInt8](repeating: 0, count: 16)
    }

    /// The stream marker, STREAMINFO and, if there is a title, a comment block.
    package func head(title: String? = nil, smallest: Int = 1_152, largest: Int = 1_152) -> [UInt8] {
        let info = streamInfo(smallest: smallest, largest: largest)
        guard let title else { return Array("fLaC".utf8) + [0x80, 0, 0, 34] + info }
        let field = Array("TITLE=\(title)".utf8)
        let comments = [0, 0, 0, 0, 1, 0, 0, 0, UInt8(field.count), 0, 0, 0] + field
        return Array("fLaC".utf8) + [0, 0, 0, 34] + info + [0x84, 0, 0, UInt8(comments.count)] + comments
    }

    /// The number in the extended UTF-8 coding of frame headers.
    private static func coded(_ number: Int) -> [UInt8] {
        guard number >= 0x80 else { return [UInt8(number)] }
        var rest = number
        var coded: [UInt8] = []
        repeat {
            coded.insert(0x80 | UInt8(rest & 0x3F), at: 0)
            rest >>= 6
        } while rest >= 1 << (6 - coded.count)
        return [UInt8(truncatingIfNeeded: 0xFF00 >> (coded.count + 1)) | UInt8(rest)] + coded
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let crc = bytes.reduce(UInt16(0)) { $0 << 8 ^ SimpleFLAC.table[Int(UInt8($0 >> 8) ^ $1)] }
        return [UInt8(crc >> 8), UInt8(truncatingIfNeeded: crc)]
    }

    private static func headerChecksum(_ crc: UInt8, _ byte: UInt8) -> UInt8 {
        (0..<8).reduce(crc ^ byte) { crc, _ in crc & 0x80 == 0 ? crc << 1 : crc << 1 ^ 0x07 }
    }
}
