// SPDX-License-Identifier: MIT

/// Digests with a key known only to this process: two of the standard library's hashes, each with a key of its own
/// (SipHash-1-3; Aumasson and Bernstein, 2012).
///
/// Equal inputs have equal digests, which cannot be predicted or chosen without the key. So digests may be compared and
/// looked up in any way: the timing reveals nothing.
struct KeyedDigest {
    struct Value: Hashable, Sendable {
        let high: Int
        let low: Int
    }

    private let keys = (high: UInt64.random(in: .min ... .max), low: UInt64.random(in: .min ... .max))

    /// The digest of several texts. It also depends on the boundaries between the texts.
    func callAsFunction(_ texts: [[UInt8]]) -> Value {
        Value(high: Self.hash(texts, keys.high), low: Self.hash(texts, keys.low))
    }

    private static func hash(_ texts: [[UInt8]], _ key: UInt64) -> Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(texts)
        return hasher.finalize()
    }
}
