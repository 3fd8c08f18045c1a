// SPDX-License-Identifier: MIT

import RadioFormats

/// What clients call themselves: thousands of listeners are a few kinds of player, so each name is kept once.
struct AgentNames {
    private var known: Set<String> = []

    /// More kinds of player than there are; what is beyond is not shared.
    private static let limit = 512
    /// Longer names are cut. In bytes: a single character may have any number of combining marks.
    private static let bytes = 200

    mutating func name(_ text: String) -> String {
        let name = text.cut(toBytes: Self.bytes)
        if let shared = known.firstIndex(of: name) { return known[shared] }
        if known.count < Self.limit { known.insert(name) }
        return name
    }
}
