// SPDX-License-Identifier: MIT

/// The header of an ADTS frame (ISO/IEC 13818-7 §6.2, 14496-3 §1.A.2).
struct ADTSHeader: Hashable {
    /// Bytes of the header, without the checksum that may follow.
    static let length = 7
    /// What 13 bits can say.
    static let longestFrame = 8191

    /// The 28 bits that are the same in every frame of a stream.
    let fixed: UInt32
    /// Bytes of the whole frame.
    let frameLength: Int
    /// Raw data blocks of 1024 samples each, 1 to 4.
    let blocks: Int

    /// The header at the front of `bytes`, which are at least seven; nil where there is none.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let front = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
        // Twelve bits of sync, then two of layer, which are 0.
        guard front & 0xFFF6_0000 == 0xFFF0_0000, front >> 10 & 0xF < Self.sampleRates.count else { return nil }
        let back = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 3, as: UInt32.self))
        fixed = front >> 4
        frameLength = Int(back >> 13 & 0x1FFF)
        blocks = Int(back & 3) + 1
        // A frame holds something behind its header and the checksum.
        guard frameLength > Self.length + (fixed >> 12 & 1 == 0 ? 2 : 0) else { return nil }
    }

    var samples: Int { 1024 * blocks }

    /// The rate is the header's; where a stream doubles it (HE-AAC), that is said inside the frames only. So are
    /// channels that are configured in band: two are assumed then, as nearly always.
    var format: StreamFormat {
        let channels = Int(fixed >> 2 & 7)
        return StreamFormat(
            codec: .aac, mpegVersion: fixed >> 15 & 1 == 0 ? .mpeg4 : .mpeg2,
            sampleRate: Self.sampleRates[Int(fixed >> 6 & 0xF)],
            channels: channels == 0 ? 2 : channels == 7 ? 8 : channels, profile: Int(fixed >> 10 & 3))
    }

    private static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]
}
