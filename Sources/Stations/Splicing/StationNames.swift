// SPDX-License-Identifier: MIT

/// The names that the servers of the user's station send. A pure value.
struct StationNames {
    private var latest: String?
    /// The names, in lower case.
    private var all: Set<String> = []

    /// A server may send a new name each time it is asked.
    private static let most = 100

    /// Whether a server's name is the one that the station sent last.
    func isLatest(_ name: String?) -> Bool { name != nil && name == latest }

    /// Makes the name that a server of the station sends the latest. Returns the name before if this one is new.
    @discardableResult
    mutating func note(_ name: String?) -> String? {
        guard let name else { return nil }
        defer { latest = name }
        return all.count < Self.most && all.insert(name.lowercased()).inserted ? latest : nil
    }
}
