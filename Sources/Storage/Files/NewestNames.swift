// SPDX-License-Identifier: MIT

/// Collects the newest `limit` of many names that are added in any order, and returns where a second pass over the same
/// names continues.
///
/// Names of recordings begin with their dates, so later names are newer. They are compared bytewise, as on disk.
struct NewestNames {
    private let limit: Int
    /// Only names before this one count; nil for all.
    private let end: String?
    private var names: [String] = []
    private var hasMore = false

    /// `limit`: the number of names to keep; up to twice as many are held meanwhile.
    init(limit: Int, before end: String? = nil) {
        self.limit = limit
        self.end = end
    }

    mutating func add(_ name: String) {
        if let end, !Self.isBefore(name, end) { return }
        names.append(name)
        if names.count >= 2 * limit { keepNewest() }
    }

    /// Returns the newest names in order, the newest last. `rest` is nil if these are all names; otherwise it is the
    /// oldest returned name, and a second pass must collect the names before it.
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
