// SPDX-License-Identifier: MIT

import RadioFormats

/// A second implementation of the checksum of MPEG audio frames, bit by bit and with tables written out, to compare
/// with Aircheck's.
enum ReferenceChecksum {
    /// Writes the correct checksum into a protected frame.
    static func put(into frame: inout [UInt8]) {
        guard let covered = coveredBits(of: frame) else { return }
        let content = bits(of: frame[6...].prefix(mostCovered))
        guard covered <= content.count else { return }
        var crc: UInt32 = 0xffff
        for bit in bits(of: frame[2..<4]) + content[..<covered] {
            let feedback = (crc >> 15 & 1 == 1) != bit
            crc = crc << 1 & 0xffff
            if feedback { crc ^= 0x8005 }
        }
        (frame[4], frame[5]) = (UInt8(crc >> 8), UInt8(crc & 0xff))
    }

    /// The number of bits after the checksum that the checksum covers; nil if there is no checksum, or if the frame is
    /// too short to tell.
    static func coveredBits(of frame: [UInt8]) -> Int? {
        guard let header = MPEGFrameHeader(frame), header.hasChecksum, frame.count >= 6 else { return nil }
        switch header.layer {
        case .one: return header.mode == .mono ? 128 : header.mode == .jointStereo ? 4 * (bound(header) + 32) : 256
        case .two: return layerTwo(header, bits(of: frame[6...].prefix(mostCovered)))
        case .three:
            let isMono = header.mode == .mono
            return header.version == .mpeg1 ? (isMono ? 136 : 256) : (isMono ? 72 : 136)
        }
    }

    private static func layerTwo(_ header: MPEGFrameHeader, _ content: [Bool]) -> Int? {
        var rest = content[...]
        var selections = 0
        for (subband, width) in widths(header).enumerated() {
            let isShared = header.mode == .jointStereo && subband >= bound(header)
            for _ in 0..<(isShared ? 1 : header.channels) {
                guard rest.count >= width else { return nil }
                if rest.prefix(width).contains(true) { selections += isShared ? 2 : 1 }
                rest = rest.dropFirst(width)
            }
        }
        return content.count - rest.count + 2 * selections
    }

    /// The largest number of bytes that the checksum of any kind of frame covers.
    private static let mostCovered = 40

    private static func bound(_ header: MPEGFrameHeader) -> Int {
        [4, 8, 12, 16][Int(header.word >> 4 & 3)]
    }

    /// The number of allocation bits of each subband.
    private static func widths(_ header: MPEGFrameHeader) -> [Int] {
        let low = [4, 4, 3, 3, 3, 3, 3, 3]
        let middle = [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2]
        guard header.version == .mpeg1 else {
            return [4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]
        }
        let rate = header.bitRate / 1000 / header.channels
        return switch (rate, header.sampleRate) {
        case (1...48, 32_000): low + [3, 3, 3, 3]
        case (1...48, _): low
        case (49...80, _), (_, 48_000): middle
        default: middle + [2, 2, 2]
        }
    }

    private static func bits(of bytes: ArraySlice<UInt8>) -> [Bool] {
        bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 == 1 } }
    }
}
