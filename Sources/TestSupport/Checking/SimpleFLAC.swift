// SPDX-License-Identifier: MIT

/// A minimal FLAC parser (RFC 9639). A frame ends where its CRC-16 is correct and where a stream head, another frame or
/// the end of the file follows.
enum SimpleFLAC {
    /// The length of the frame at the start of `bytes`; nil if they do not start with a frame.
    static func frameLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard isSync(bytes) else { return nil }
        return bytes.withUnsafeBytes { bytes in
            var crc: UInt16 = 0
            for place in bytes.indices {
                if place > 8, crc == 0 {
                    let next = bytes[place..<min(place + 4, bytes.count)]
                    if isSync(next) || next.elementsEqual("fLaC".utf8) { return place }
                }
                crc = crc << 8 ^ table[Int(UInt8(crc >> 8) ^ bytes[place])]
            }
            return crc == 0 ? bytes.count : nil
        }
    }

    /// The length of the stream marker and metadata blocks at the start of `bytes`; nil if they do not start with a
    /// complete head.
    static func headLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.starts(with: "fLaC".utf8) else { return nil }
        var length = 4
        while true {
            let header = Array(bytes.dropFirst(length).prefix(4))
            guard header.count == 4 else { return nil }
            length += 4 + header[1...].reduce(0) { $0 << 8 | Int($1) }
            if header[0] & 0x80 != 0 { return length <= bytes.count ? length : nil }
        }
    }

    private static func isSync(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.first == 0xFF && bytes.dropFirst().first.map { $0 & 0xFE == 0xF8 } == true
    }

    /// The lookup table of FLAC's CRC-16, by byte.
    static let table: [UInt16] = (0..<256 as Range<UInt16>).map { byte in
        (0..<8).reduce(byte << 8) { crc, _ in crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x8005 }
    }
}
