// SPDX-License-Identifier: MIT

/// A 64-bit hash that stands for bytes that cannot be kept. Equal bytes have equal values; different bytes share a
/// value only once in 2⁶⁴ cases.
///
/// Longer input can be hashed in pieces, each after the previous one; the value then depends on where the pieces end.
/// The hash need not withstand deliberate collisions: an attacker could only spoil his own stream.
package struct Fingerprint: Hashable, Sendable {
    package let value: UInt64

    /// The value before the first piece of a chain.
    package static let start = Fingerprint(value: 0)

    private init(value: UInt64) { self.value = value }

    /// Hashes `bytes`, which follow the bytes that `earlier` stands for.
    ///
    /// Uses the multiply-and-fold of the wyhash family: takes two words of eight bytes, mixes one with a key and one
    /// with the state, multiplies them, and folds the halves of the product together. Four lanes do so in parallel.
    package init(_ bytes: UnsafeRawBufferPointer, after earlier: Fingerprint = .start) {
        var state = Self.fold(earlier.value ^ Self.key1, UInt64(truncatingIfNeeded: bytes.count) ^ Self.key2)
        guard let base = bytes.baseAddress, bytes.count > 0 else {
            value = state
            return
        }
        // Loads without bounds checks: this code runs over all received bytes.
        func word(_ offset: Int) -> UInt64 { base.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian }
        var offset = 0
        if bytes.count >= 64 {
            var (second, third, fourth) = (state, state, state)
            while offset + 64 <= bytes.count {
                state = Self.fold(word(offset) ^ Self.key1, word(offset + 8) ^ state)
                second = Self.fold(word(offset + 16) ^ Self.key2, word(offset + 24) ^ second)
                third = Self.fold(word(offset + 32) ^ Self.key3, word(offset + 40) ^ third)
                fourth = Self.fold(word(offset + 48) ^ Self.key4, word(offset + 56) ^ fourth)
                offset += 64
            }
            state = Self.fold(state ^ third, second ^ fourth ^ Self.key1)
        }
        while offset + 16 <= bytes.count {
            state = Self.fold(word(offset) ^ Self.key1, word(offset + 8) ^ state)
            offset += 16
        }
        var last: (UInt64, UInt64) = (0, 0)
        if offset + 8 <= bytes.count {
            last.0 = word(offset)
            offset += 8
        }
        for index in offset..<bytes.count {
            last.1 |= UInt64(base.load(fromByteOffset: index, as: UInt8.self)) << UInt64(8 * (index - offset))
        }
        value = Self.fold(Self.fold(last.0 ^ Self.key2, last.1 ^ state) ^ Self.key3, state ^ Self.key4)
    }

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    // The fractional parts of square roots of primes, made odd: nothing-up-my-sleeve numbers.
    private static let key1: UInt64 = 0x6A09_E667_F3BC_C909
    private static let key2: UInt64 = 0xBB67_AE85_84CA_A73B
    private static let key3: UInt64 = 0x3C6E_F372_FE94_F82B
    private static let key4: UInt64 = 0xA54F_F53A_5F1D_36F1
}
