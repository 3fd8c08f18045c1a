// SPDX-License-Identifier: MIT

import RadioFormats

/// The clients' user agents. Thousands of listeners use only a few kinds of player, so each name is stored once.
struct AgentNames {
    private var known: Set<String> = []

    /// The maximum number of names stored, more than there are kinds of player. Further names are not shared.
    private static let limit = 512
    /// The maximum length of a name; longer names are cut. The limit is in bytes, because a single character may have
    /// any number of combining marks.
    private static let bytes = 200

    mutating func name(_ text: String) -> String {
        let name = text.cut(toBytes: Self.bytes)
        if let shared = known.firstIndex(of: name) { return known[shared] }
        if known.count < Self.limit { known.insert(name) }
        return name
    }
}
