// SPDX-License-Identifier: MIT

import RadioCore

/// The keys that say which recordings are kept, in `[storage]`, `[[station]]` and `[[station.show]]`.
enum KeepKey {
    static let days = ConfigurationKey.optional(
        "keep-days", .days, "30",
        "Recordings are deleted after this many days, once the machine's clock has run steadily for a day.")
    static let last = ConfigurationKey.optional(
        "keep-last", .anyCount, "10",
        "How many recordings of each show or station are kept; of a station that is always recorded, how many files.")
    static let size = ConfigurationKey.optional(
        "keep-size", .size, "\"50GB\"", "The newest recordings of each show or station are kept, up to this size.")
    static let atLeast = ConfigurationKey.optional(
        "keep-at-least", .duration, "\"7d\"", "No recording is deleted before it is this old, even if the disk is full."
    )

    static let all = [days, last, size, atLeast]
}

extension RetentionRule {
    private static let leastKept: ClosedRange<Duration> = .seconds(1) ... .seconds(36_500 * 86_400)

    /// Reads the keys of a table.
    init(_ table: TableReader) {
        let bytes = table.parsed(KeepKey.size, HumanSize.parse)
        if bytes == 0 { table.fault(KeepKey.size, "0 keeps nothing", remedy: "leave keep-size out for no limit") }
        let days = table.count(KeepKey.days)
        let atLeast = table.duration(KeepKey.atLeast, in: Self.leastKept)
        if let days, let atLeast, atLeast > .seconds(Int64(days) * 86_400) {
            table.fault(
                KeepKey.atLeast, "it is longer than \(KeepKey.days.name)",
                remedy: "recordings are deleted after \(KeepKey.days.name), so write at most \"\(days)d\" here")
        }
        self.init(days: days, last: table.count(KeepKey.last), bytes: bytes, atLeast: atLeast)
    }
}
