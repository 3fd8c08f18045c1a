// SPDX-License-Identifier: MIT

/// Digests with a key known only to this process: SipHash-2-4 with 128 bits (Aumasson and Bernstein, 2012).
///
/// Equal inputs have equal digests, which cannot be predicted or chosen without the key. So digests may be compared and
/// looked up in any way: the timing reveals nothing.
struct KeyedDigest {
    struct Value: Hashable, Sendable {
        let high: UInt64
        let low: UInt64
    }

    private let key: (UInt64, UInt64)

    /// Uses a new random key from the system.
    init() {
        var random = SystemRandomNumberGenerator()
        self.init(key: (random.next(), random.next()))
    }

    init(key: (UInt64, UInt64)) {
        self.key = key
    }

    /// The digest of several texts. It also depends on the boundaries between the texts.
    func callAsFunction(_ texts: [[UInt8]]) -> Value {
        var bytes: [UInt8] = []
        for text in texts {
            withUnsafeBytes(of: UInt64(text.count).littleEndian) { bytes += $0 }
            bytes += text
        }
        return digest(bytes)
    }

    func digest(_ bytes: [UInt8]) -> Value {
        var state = State(
            v0: 0x736f_6d65_7073_6575 ^ key.0, v1: 0x646f_7261_6e64_6f6d ^ key.1 ^ 0xee,
            v2: 0x6c79_6765_6e65_7261 ^ key.0, v3: 0x7465_6462_7974_6573 ^ key.1)
        for start in stride(from: 0, through: bytes.count, by: 8) {
            let word = bytes[start..<min(start + 8, bytes.count)]
            var value = word.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            // The last word contains the length of the text, and may contain nothing else.
            if word.count < 8 { value |= UInt64(truncatingIfNeeded: bytes.count) << 56 }
            state.v3 ^= value
            state.rounds(2)
            state.v0 ^= value
        }
        state.v2 ^= 0xee
        state.rounds(4)
        let low = state.folded
        state.v1 ^= 0xdd
        state.rounds(4)
        return Value(high: state.folded, low: low)
    }

    private struct State {
        var v0, v1, v2, v3: UInt64

        var folded: UInt64 { v0 ^ v1 ^ v2 ^ v3 }

        mutating func rounds(_ count: Int) {
            for _ in 0..<count {
                v0 &+= v1
                v1 = Self.rotated(v1, 13) ^ v0
                v0 = Self.rotated(v0, 32)
                v2 &+= v3
                v3 = Self.rotated(v3, 16) ^ v2
                v0 &+= v3
                v3 = Self.rotated(v3, 21) ^ v0
                v2 &+= v1
                v1 = Self.rotated(v1, 17) ^ v2
                v2 = Self.rotated(v2, 32)
            }
        }

        private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
            value << count | value >> (64 - count)
        }
    }
}
