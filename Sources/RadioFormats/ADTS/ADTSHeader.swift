// SPDX-License-Identifier: MIT

/// The header of an ADTS frame (ISO/IEC 13818-7 §6.2, 14496-3 §1.A.2).
struct ADTSHeader: SyncHeader {
    /// The size of the header in bytes, without the checksum that may follow.
    static var byteCount: Int { 7 }

    /// The 28 bits that are the same in every frame of a stream.
    let fixed: UInt32
    /// The size of the whole frame in bytes, a field of 13 bits.
    let length: Int
    /// Raw data blocks of 1024 samples each, 1 to 4.
    let blocks: Int

    /// Parses the header at the front of `bytes`, which must have at least seven bytes; nil if there is no header.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let front = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
        // Twelve bits of sync, then two of layer, which are 0.
        guard front & 0xFFF6_0000 == 0xFFF0_0000, front >> 10 & 0xF < Self.sampleRates.count else { return nil }
        let back = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 3, as: UInt32.self))
        fixed = front >> 4
        length = Int(back >> 13 & 0x1FFF)
        blocks = Int(back & 3) + 1
        // A frame has content after its header and the checksum.
        guard length > Self.byteCount + (fixed >> 12 & 1 == 0 ? 2 : 0) else { return nil }
    }

    /// Length and number of blocks may change: an encoder may end with fewer blocks, or switch between block counts.
    func next(_ bytes: UnsafeRawBufferPointer) -> ADTSHeader? {
        ADTSHeader(bytes).flatMap { $0.fixed == fixed ? $0 : nil }
    }

    var formatKey: UInt32 { fixed }
    var samples: Int { 1024 * blocks }

    /// A channel has at most 6144 bits per block. If channels are configured in band, there may be any number of them.
    var longestLength: Int {
        let channels = Int(fixed >> 2 & 7)
        return channels == 0 ? 0x1FFF : min(0x1FFF, 768 * format.channels * blocks + 2 * Self.byteCount)
    }

    /// Whether the frame is whole: another header stands at its end (a damaged header, or the first of a new format),
    /// and the frame ends properly: three ones (the `ID_END` element), then fewer than eight zeros up to a whole byte.
    func isWholeBeforeDamage(_ ahead: SyncLookahead<Self>, after last: Self) -> SyncAnswer<Void> {
        guard ahead.front(at: length).flatMap(ADTSHeader.init) != nil else { return .no }
        let tail = UInt16(bigEndian: ahead.bytes.loadUnaligned(fromByteOffset: length - 2, as: UInt16.self))
        let padding = tail.trailingZeroBitCount
        return padding < 8 && tail >> padding & 7 == 7 ? .yes(()) : .no
    }

    /// The sample rate is the header's; only the frames' content says whether players double it (HE-AAC). If channels
    /// are configured in band, their number is in the content as well: two channels are assumed, which is nearly always
    /// right.
    var format: StreamFormat {
        let channels = Int(fixed >> 2 & 7)
        return StreamFormat(
            codec: .aac, mpegVersion: fixed >> 15 & 1 == 0 ? .mpeg4 : .mpeg2,
            sampleRate: Self.sampleRates[Int(fixed >> 6 & 0xF)],
            channels: channels == 0 ? 2 : channels == 7 ? 8 : channels, profile: Int(fixed >> 10 & 3))
    }

    /// Looks for SBR in the first two frames: a framer has these at hand before it reports a format, however the bytes
    /// are split. Encoders use SBR at low rates only.
    func format(of frames: UnsafeRawBufferPointer) -> StreamFormat {
        var format = format
        guard format.sampleRate <= Self.highestRateWithSBR else { return format }
        var (rest, seen, found) = (frames[...], 0, 0)
        while seen < Self.framesWithSBR, rest.count >= Self.byteCount,
            let header = ADTSHeader(UnsafeRawBufferPointer(rebasing: rest)), header.length <= rest.count
        {
            seen += 1
            if SBRData.isIn(UnsafeRawBufferPointer(rebasing: rest.prefix(header.length))) { found += 1 }
            rest = rest.dropFirst(header.length)
        }
        format.sbr = found == Self.framesWithSBR ? .present : .possible
        return format
    }

    private static let highestRateWithSBR = 24_000
    private static let framesWithSBR = 2

    static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]
}
