// SPDX-License-Identifier: MIT

/// A frame (in Ogg: a packet), as reported by one of the two readers.
struct AudioUnit: Hashable {
    /// The offset of the unit's first byte in the file. For an Ogg packet, it is the offset of its page, if the reader
    /// reports it.
    let offset: Int
    let size: Int
    /// The CRC-32 of its bytes.
    let checksum: UInt32
    /// The duration in samples; nil if the reader does not report it.
    let samples: Int?

    /// The byte range, for formats with contiguous frames.
    var range: Range<Int> { offset..<offset + size }

    /// Whether the other unit has the same size and checksum.
    func isEqual(to other: AudioUnit) -> Bool { size == other.size && checksum == other.checksum }
}

/// The CRC-32 of Ethernet and zip files, which ffprobe uses as well.
func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in crc >> 8 ^ crc32Table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
}

private let crc32Table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
}
