// SPDX-License-Identifier: MIT

/// What clients call themselves: thousands of listeners are a few kinds of player, so each name is kept once.
struct AgentNames {
    private var known: Set<String> = []

    /// More kinds of player than there are; what is beyond is not shared.
    private static let limit = 512
    /// Longer names are cut.
    private static let length = 200

    mutating func name(_ text: String) -> String {
        let name = text.utf8.count > Self.length ? String(text.prefix(Self.length)) : text
        if let shared = known.firstIndex(of: name) { return known[shared] }
        if known.count < Self.limit { known.insert(name) }
        return name
    }
}
