// SPDX-License-Identifier: MIT

/// The newest of names that come in any order: as many of them as are to be held at once, and the mark from which a
/// second look at the same names goes on. A value.
///
/// Names of recordings begin with their dates, so that a later one is a newer one. They are compared byte by byte, as
/// the disk tells them apart.
struct NewestNames {
    private let limit: Int
    /// Only names before this one count; nil for all.
    private let end: String?
    private var names: [String] = []
    private var hasMore = false

    /// `limit` is how many names are kept at the end, and half of how many are held on the way.
    init(limit: Int, before end: String? = nil) {
        self.limit = limit
        self.end = end
    }

    mutating func add(_ name: String) {
        if let end, !Self.isBefore(name, end) { return }
        names.append(name)
        if names.count >= 2 * limit { keepNewest() }
    }

    /// The newest names, in order, the newest at the end. `rest` is set where there are older ones: it is the oldest of
    /// these, and those before it are still to be looked at.
    mutating func take() -> (names: [String], rest: String?) {
        keepNewest()
        defer { names = [] }
        return (names, hasMore ? names.first : nil)
    }

    private mutating func keepNewest() {
        names.sort(by: Self.isBefore)
        guard names.count > limit else { return }
        names.removeFirst(names.count - limit)
        hasMore = true
    }

    private static func isBefore(_ name: String, _ other: String) -> Bool {
        name.utf8.lexicographicallyPrecedes(other.utf8)
    }
}
