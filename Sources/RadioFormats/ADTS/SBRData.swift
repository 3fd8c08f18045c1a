// SPDX-License-Identifier: MIT

/// Finds spectral band replication (SBR) in AAC. ADTS cannot announce it: the header states half the rate that players
/// play, and only a fill element in each frame's data contains the replicated band (ISO 14496-3 §4.4.2.7).
///
/// An element can be found from its beginning only by decoding all that comes before it. But fill elements come last,
/// and state their lengths, so they are looked for from the end of the frame.
enum SBRData {
    /// How many fill elements may stand behind the one with SBR.
    private static let mostFillers = 2
    /// The longest fill element in bytes (count 15, escape 255).
    private static let longestFill = 269

    /// Whether a frame has SBR, as far as its end shows. One LC frame in a hundred looks as if it had.
    static func isIn(_ frame: UnsafeRawBufferPointer) -> Bool {
        guard frame.count > ADTSHeader.byteCount, let last = frame.last, last != 0 else { return false }
        // The frame ends with three ones (ID_END) and zeros up to a whole byte.
        let end = frame.count * 8 - last.trailingZeroBitCount - 3
        guard bits(frame, end, 3) == 7 else { return false }
        return endsWithSBR(frame, at: end, fillers: mostFillers)
    }

    /// Whether a fill element with SBR ends at a bit, or stands before other fill elements that end there.
    private static func endsWithSBR(_ frame: UnsafeRawBufferPointer, at end: Int, fillers: Int) -> Bool {
        for count in 0...longestFill {
            let isLong = count >= 15
            let data = end - count * 8
            let start = data - (isLong ? 15 : 7)
            guard start >= ADTSHeader.byteCount * 8 else { return false }
            // ID_FIL, and the count with its escape.
            guard bits(frame, start, 3) == 6, bits(frame, start + 3, 4) == min(count, 15),
                !isLong || bits(frame, start + 7, 8) == count - 14
            else { continue }
            let type = count == 0 ? 0 : bits(frame, data, 4)
            // EXT_SBR_DATA and EXT_SBR_DATA_CRC; then EXT_FILL and EXT_FILL_DATA, which only fill.
            if type == 0xD || type == 0xE { return true }
            if type <= 1, fillers > 0, endsWithSBR(frame, at: start, fillers: fillers - 1) { return true }
        }
        return false
    }

    /// Up to eight bits at a place.
    private static func bits(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ count: Int) -> Int {
        let first = Int(bytes[place / 8]) << 8
        let second = place / 8 + 1 < bytes.count ? Int(bytes[place / 8 + 1]) : 0
        return (first | second) >> (16 - place % 8 - count) & ((1 << count) - 1)
    }
}
