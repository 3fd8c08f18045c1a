// SPDX-License-Identifier: MIT

/// Items that cannot be played, and items that were reported.
struct IgnoredItems {
    private var items: [String: FileIdentity?] = [:]
    private var told: Set<String> = []

    /// The limit for the ignored items, and for the reported items. Beyond it, further items are neither ignored nor
    /// reported.
    private static let most = 200_000

    /// Ignores an item until its file is replaced or changed.
    mutating func ignore(_ item: MediaItem) {
        if items.count < Self.most { items[item.key] = .some(item.fileIdentity) }
    }

    func contains(_ item: MediaItem) -> Bool {
        guard let identity = items[item.key] else { return false }
        return identity == item.fileIdentity
    }

    /// Whether the item has not been reported before. Notes it as reported.
    mutating func isNew(_ key: String) -> Bool {
        told.count < Self.most && told.insert(key).inserted
    }
}
