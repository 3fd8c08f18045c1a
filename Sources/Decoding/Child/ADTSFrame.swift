// SPDX-License-Identifier: MIT

/// The parts of an ADTS header that show whether a frame is whole and belongs to a stream.
struct ADTSFrame: Hashable {
    /// The 28 bits that are the same in every frame of a stream.
    var fixed: UInt32
    /// The number of samples, at the header's rate.
    var samples: Int

    /// Nil if the bytes are not one whole frame.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
        let length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
        guard length == bytes.count else { return nil }
        fixed = (UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8 | UInt32(bytes[3])) >> 4
        samples = 1_024 * (Int(bytes[6] & 3) + 1)
    }
}
