// SPDX-License-Identifier: MIT

/// Items that turned out not to be playable, and what has been said of them. A value.
struct IgnoredItems {
    private var items: [String: FileIdentity?] = [:]
    private var told: Set<String> = []

    /// Beyond so many nothing is remembered, and nothing more is said.
    private static let most = 200_000

    /// Until the file is another, or has other bytes.
    mutating func ignore(_ item: MediaItem) {
        if items.count < Self.most { items[item.key] = .some(item.fileIdentity) }
    }

    func contains(_ item: MediaItem) -> Bool {
        guard let identity = items[item.key] else { return false }
        return identity == item.fileIdentity
    }

    /// True the first time.
    mutating func isNews(_ key: String) -> Bool {
        told.count < Self.most && told.insert(key).inserted
    }
}
