// SPDX-License-Identifier: MIT

/// Bytes in gzip's format (RFC 1952) without compression: blocks that are stored. What matters is the coding.
enum StoredGzip {
    static func bytes(_ content: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        var rest = content[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            result += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
            result += block
        } while !rest.isEmpty
        return result + little(checksum(content)) + little(UInt32(truncatingIfNeeded: content.count))
    }

    private static func little(_ value: UInt32) -> [UInt8] { [0, 8, 16, 24].map { UInt8(value >> $0 & 255) } }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
