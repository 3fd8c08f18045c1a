// SPDX-License-Identifier: MIT

/// A frame, or in Ogg a packet, as one of two readers has it.
struct AudioUnit: Hashable {
    /// Where its first byte lies in the file; of a packet where its page begins, as far as the reader says so.
    let offset: Int
    let size: Int
    /// CRC-32 of its bytes.
    let checksum: UInt32
    /// How long it plays, in samples; nil where the reader does not say.
    let samples: Int?

    /// Where it lies, for formats whose frames lie in one piece.
    var range: Range<Int> { offset..<offset + size }

    /// Whether it has the same bytes.
    func isEqual(to other: AudioUnit) -> Bool { size == other.size && checksum == other.checksum }
}

/// CRC-32 as in Ethernet and zip files, which ffprobe has as well.
func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in crc >> 8 ^ crc32Table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
}

private let crc32Table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
}
