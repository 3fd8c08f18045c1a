// SPDX-License-Identifier: MIT

/// The CRC-16 of protected MPEG audio frames (ISO 11172-3 §2.4.3.1): polynomial 0x8005, most significant bit first,
/// initialised to ones, not inverted.
///
/// It covers the last two bytes of the header and the data that a decoder needs most: the side information of layer
/// III; the bit allocation of layers I and II; in layer II also the scale factor selection information. The audio
/// itself is never covered.
package enum MPEGChecksum {
    /// Whether the checksum of a frame is wrong; false for frames without one.
    ///
    /// If a frame ends inside its covered part, its checksum counts as wrong: no decoder could use the frame. Bytes
    /// that do not begin with a header are not a frame and have no checksum.
    package static func isWrong(in frame: UnsafeRawBufferPointer) -> Bool {
        guard let header = MPEGFrameHeader(frame.prefix(MPEGFrameHeader.byteCount)), header.hasChecksum else {
            return false
        }
        guard let checksum = checksum(of: frame, header) else { return true }
        return checksum != UInt16(bigEndian: frame.loadUnaligned(fromByteOffset: start - 2, as: UInt16.self))
    }

    /// Corrects the checksum of a frame, if it has one.
    static func write(into frame: inout [UInt8]) {
        guard let header = MPEGFrameHeader(frame), header.hasChecksum,
            let checksum = frame.withUnsafeBytes({ checksum(of: $0, header) })
        else { return }
        frame[start - 2] = UInt8(checksum >> 8)
        frame[start - 1] = UInt8(truncatingIfNeeded: checksum)
    }

    /// The correct checksum; nil if the frame ends inside its covered part.
    private static func checksum(of frame: UnsafeRawBufferPointer, _ header: MPEGFrameHeader) -> UInt16? {
        guard frame.count >= start else { return nil }
        let content = UnsafeRawBufferPointer(rebasing: frame[start...])
        guard let bits = coveredBits(header, content), bits <= content.count * 8 else { return nil }
        var crc = update(.max, UnsafeRawBufferPointer(rebasing: frame[2..<4]))
        crc = update(crc, UnsafeRawBufferPointer(rebasing: content[..<(bits / 8)]))
        if bits % 8 > 0 { crc = update(crc, content[bits / 8], bits: bits % 8) }
        return crc
    }

    /// The number of bits after the checksum that the checksum covers; nil if the frame is too short to tell.
    private static func coveredBits(_ header: MPEGFrameHeader, _ content: UnsafeRawBufferPointer) -> Int? {
        switch header.layer {
        case .one: MPEGBitAllocation.bitsOfLayerOne(header)
        case .two: MPEGBitAllocation.bitsOfLayerTwo(header, content)
        case .three: header.sideInformationLength * 8
        }
    }

    private static func update(_ crc: UInt16, _ bytes: UnsafeRawBufferPointer) -> UInt16 {
        table.withUnsafeBufferPointer { table in
            bytes.reduce(crc) { crc, byte in crc << 8 ^ table[Int(UInt8(crc >> 8) ^ byte)] }
        }
    }

    /// Adds the first bits of a byte, fewer than eight.
    private static func update(_ crc: UInt16, _ byte: UInt8, bits: Int) -> UInt16 {
        var crc = crc ^ UInt16(byte & ~(0xFF >> bits)) << 8
        for _ in 0..<bits { crc = shifted(crc) }
        return crc
    }

    private static func shifted(_ crc: UInt16) -> UInt16 {
        crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x8005
    }

    /// The effect of each byte on the checksum.
    private static let table: [UInt16] = (0..<256 as Range<UInt16>).map { byte in
        (0..<8).reduce(byte << 8) { crc, _ in shifted(crc) }
    }

    /// The offset of the first byte after the header and the checksum.
    private static let start = MPEGFrameHeader.byteCount + 2
}
