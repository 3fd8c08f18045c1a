// SPDX-License-Identifier: MIT

/// Writes AAC as LATM in LOAS (ISO/IEC 14496-3 §1.7), one frame in each element.
package enum LOASWriter {
    /// The element of a frame with an ADTS header of 7 bytes.
    package static func frame(_ adts: [UInt8], hasConfiguration: Bool) -> [UInt8] {
        let payload = adts.dropFirst(7)
        var element = BitWriter()
        element.put(hasConfiguration ? 0 : 1, 1)
        if hasConfiguration {
            // Version 0, all streams have the same framing, one frame, one programme, one layer.
            element.put(0, 1)
            element.put(1, 1)
            element.put(0, 6 + 4 + 3)
            // Object type, rate and channels of the header; then three flags of the codec.
            element.put(UInt64(adts[2] >> 6) + 1, 5)
            element.put(UInt64(adts[2] >> 2 & 0xF), 4)
            element.put(UInt64(adts[2] & 1) << 2 | UInt64(adts[3] >> 6), 4)
            element.put(0, 3)
            // Frames have lengths; the buffer says nothing; no other data, no checksum.
            element.put(0, 3)
            element.put(0xFF, 8)
            element.put(0, 2)
        }
        for _ in 0..<payload.count / 255 { element.put(255, 8) }
        element.put(UInt64(payload.count % 255), 8)
        element.put(payload, bits: payload.count * 8)
        let bytes = element.bytes
        return [0x56, 0xE0 | UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }
}
