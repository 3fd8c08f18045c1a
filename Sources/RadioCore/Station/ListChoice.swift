// SPDX-License-Identifier: MIT

import RadioFormats

/// The entry of a list that is the station: kept after the station ends, so that the next run continues with it.
package struct ListChoice: Hashable, Sendable {
    /// The lists inside the user's list that led to the entry, and the entry itself, which is the last address. Without
    /// passwords and queries, because the choice is stored, and queries may hold tokens.
    package let addresses: [String]
    /// A checksum of the entry's whole address, because entries may differ in their queries only.
    package let checksum: String
    /// The name that the entry's server sends; nil if it sends none.
    package let name: String?
    /// The entries that came before it in its list, without passwords and queries; nil if this is not known.
    package let before: [String]?

    private static let mostBefore = 50

    /// Creates a choice. `addresses` are whole, or those of a stored choice with its `checksum`.
    package init(addresses: [String], name: String?, before: [String]? = nil, checksum: String? = nil) {
        self.before = before?.prefix(Self.mostBefore).map { AddressText($0).redacted }
        self.addresses = addresses.map { AddressText($0).redacted }
        self.checksum = checksum ?? Self.checksum(addresses.last ?? "")
        self.name = name
    }

    /// The index of the entry among these addresses: of the same address or, if there is none, of one that differs in
    /// its query only.
    package func index(in addresses: [String]) -> Int? {
        addresses.firstIndex { Self.checksum($0) == checksum }
            ?? addresses.firstIndex { AddressText($0).redacted == self.addresses.last }
    }

    /// Whether any of these addresses is the entry, or a list that led to it.
    package func isReached(from addresses: [String]) -> Bool {
        addresses.contains { self.addresses.contains(AddressText($0).redacted) }
    }

    /// The entries of a list by preference. One that comes before the choice now, but did not when it was made, follows
    /// it: only the order of the list has changed, or the entry is new.
    package func ordered(_ entries: [String]) -> [String] {
        guard let before, let place = index(in: entries) ?? entries.firstIndex(where: { isReached(from: [$0]) }) else {
            return entries
        }
        let better = entries[..<place].filter { before.contains(AddressText($0).redacted) }
        let others = entries[..<place].filter { !before.contains(AddressText($0).redacted) }
        return better + [entries[place]] + others + entries[(place + 1)...]
    }

    private static func checksum(_ address: String) -> String { ItemKey(address: address).text }
}
