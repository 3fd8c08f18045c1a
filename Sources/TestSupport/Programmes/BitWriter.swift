// SPDX-License-Identifier: MIT

/// Writes bits, the highest bit of a number first.
package struct BitWriter {
    package private(set) var bits: [Bool] = []

    package init() {}

    /// Writes the lowest `count` bits of a number.
    package mutating func put(_ value: UInt64, _ count: Int) {
        for place in (0..<count).reversed() { bits.append(value >> UInt64(place) & 1 == 1) }
    }

    /// Writes the first `count` bits of `bytes`.
    package mutating func put(_ bytes: some Collection<UInt8>, bits count: Int) {
        for (index, byte) in bytes.enumerated() {
            for place in 0..<8 where index * 8 + place < count { bits.append(byte >> UInt8(7 - place) & 1 == 1) }
        }
    }

    package var bytes: [UInt8] { padded(to: 0) }

    /// All bytes, with zeros behind them up to this length.
    package func padded(to length: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(length, (bits.count + 7) / 8))
        for (index, bit) in bits.enumerated() where bit { bytes[index / 8] |= 0x80 >> UInt8(index % 8) }
        return bytes
    }
}
