// SPDX-License-Identifier: MIT

/// The length of the information before the scale factors in frames of layers I and II.
enum MPEGBitAllocation {
    /// The bits of the bit allocation in layer I: four for each subband and channel (ISO 11172-3 §2.4.1.5).
    static func bitsOfLayerOne(_ header: MPEGFrameHeader) -> Int {
        let apart = subbandsApart(header, of: 32)
        return 4 * (apart * header.channels + 32 - apart)
    }

    /// The number of bits of the bit allocation in layer II and of the scale factor selection after it (ISO 11172-3
    /// §2.4.1.6). The selection takes two bits for each subband and channel to which any bits are allocated. Nil if
    /// `content`, which begins after the checksum, ends before the bit allocation does.
    static func bitsOfLayerTwo(_ header: MPEGFrameHeader, _ content: UnsafeRawBufferPointer) -> Int? {
        let table = Table.of(header)
        let channels = header.channels
        let apart = subbandsApart(header, of: table.subbands)
        var bit = 0
        var selections = 0
        for subband in 0..<table.subbands {
            let width = table.width(of: subband)
            // If the channels share an allocation, each still has its own scale factors.
            let (allocations, shares) = subband < apart ? (channels, 1) : (1, channels)
            for _ in 0..<allocations {
                guard bit + width <= content.count * 8 else { return nil }
                if isAnythingSet(content, at: bit, width: width) { selections += shares }
                bit += width
            }
        }
        return bit + 2 * selections
    }

    /// The number of subbands in which each channel has its own allocation: all of them, except in joint stereo.
    private static func subbandsApart(_ header: MPEGFrameHeader, of subbands: Int) -> Int {
        header.mode == .jointStereo ? min(4 + 4 * header.modeExtension, subbands) : subbands
    }

    /// Whether any of the `width` bits from `bit` on is set. These bits span at most two bytes, inside `bytes`.
    private static func isAnythingSet(_ bytes: UnsafeRawBufferPointer, at bit: Int, width: Int) -> Bool {
        let next = bit / 8 + 1
        let word = UInt16(bytes[next - 1]) << 8 | (next < bytes.count ? UInt16(bytes[next]) : 0)
        return (word << (bit % 8)) >> (16 - width) != 0
    }

    /// The number of subbands for each width of an allocation field in bits. The subbands with wide fields come first.
    private struct Table {
        var fourBits: Int
        var threeBits: Int
        var twoBits: Int

        var subbands: Int { fourBits + threeBits + twoBits }

        func width(of subband: Int) -> Int {
            subband < fourBits ? 4 : subband < fourBits + threeBits ? 3 : 2
        }

        /// The table for frames with this header: ISO 11172-3 tables B.2a to B.2d; 13818-3 table B.1 for the lower
        /// sample rates.
        static func of(_ header: MPEGFrameHeader) -> Table {
            guard header.version == .mpeg1 else { return Table(fourBits: 4, threeBits: 7, twoBits: 19) }
            let wide = Table(fourBits: 11, threeBits: 12, twoBits: header.sampleRate == 48_000 ? 4 : 7)
            if header.isFreeFormat { return wide }
            return switch header.bitRate / header.channels {
            case ...48_000: Table(fourBits: 2, threeBits: header.sampleRate == 32_000 ? 10 : 6, twoBits: 0)
            case ...80_000: Table(fourBits: 11, threeBits: 12, twoBits: 4)
            default: wide
            }
        }
    }
}
