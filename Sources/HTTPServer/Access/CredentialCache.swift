// SPDX-License-Identifier: MIT

/// Credentials that were right a while ago, so that a listener who comes back costs nothing. Bounded; the oldest go
/// first.
///
/// Only keyed digests are kept. They cover the stored hash, so that a changed password is another entry.
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
