// SPDX-License-Identifier: MIT

/// Writes FLAC frames whose samples are not compressed (RFC 9639 §9.2.4).
enum FLACVerbatim {
    /// Appends a frame of `count` samples, which lie in `samples`. All frames but the last have as many.
    static func encode(
        _ samples: UnsafeRawBufferPointer, _ layout: PCMLayout, number: Int64, count: Int, to output: inout [UInt8]
    ) {
        let start = output.count
        let isWhole = count == PCMLayout.block
        // Code 10 stands for 1,024 samples; with code 7, their number follows. STREAMINFO states the rate.
        let size: UInt8 = [1: 1, 2: 4, 3: 6][layout.outputWidth] ?? 0
        output += [0xFF, 0xF8, isWhole ? 0xA0 : 0x70, UInt8(layout.channels - 1) << 4 | size << 1]
        append(number: number, to: &output)
        if !isWhole { output.appendBigEndian(UInt16(count - 1)) }
        output.append(output[start...].withUnsafeBytes { FLACHeaderChecksum.of($0) })
        for channel in 0..<layout.channels {
            // A subframe that is not compressed.
            output.append(0x02)
            for sample in 0..<count {
                layout.append(samples, at: sample * layout.stride + channel * layout.width, to: &output)
            }
        }
        output.appendBigEndian(output[start...].withUnsafeBytes { FLACFrameChecksum.of($0) })
    }

    /// Appends the number of a frame, coded like a character of UTF-8 in up to six bytes.
    private static func append(number: Int64, to output: inout [UInt8]) {
        guard number >= 0x80 else { return output.append(UInt8(number)) }
        // Each further byte holds six bits, and costs the first byte one.
        let more: Int = (1...5).first(where: { number < (1 as Int64) << (5 * $0 + 6) }) ?? 5
        output.append(UInt8(truncatingIfNeeded: 0xFF00 >> (more + 1)) | UInt8(truncatingIfNeeded: number >> (6 * more)))
        for index in (0..<more).reversed() {
            output.append(0x80 | UInt8(truncatingIfNeeded: number >> (6 * index)) & 0x3F)
        }
    }
}
