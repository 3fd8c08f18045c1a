// SPDX-License-Identifier: MIT

/// Recently verified credentials, so that a returning listener costs no hash. Their number is limited; the oldest are
/// dropped first.
///
/// Stores only keyed digests. A digest also covers the stored hash, so a changed password has a different digest.
struct CredentialCache {
    private var known: Set<KeyedDigest.Value> = []
    private var order: [KeyedDigest.Value] = []
    private var oldest = 0
    private let capacity: Int

    init(capacity: Int = 1024) {
        self.capacity = capacity
    }

    func contains(_ digest: KeyedDigest.Value) -> Bool { known.contains(digest) }

    mutating func insert(_ digest: KeyedDigest.Value) {
        guard known.insert(digest).inserted else { return }
        guard order.count == capacity else {
            order.append(digest)
            return
        }
        known.remove(order[oldest])
        order[oldest] = digest
        oldest = (oldest + 1) % capacity
    }
}
