// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

/// A zone made of a table: the offset before the first change, and the changes in order.
package struct TableZone: TimeZoneRules {
    package let identifier: String
    package let first: Int
    /// The changes, each with its time in seconds since 1970 and the offset from then on.
    package let changes: [(at: Int64, offset: Int)]

    package func utcOffset(at instant: WallInstant) -> Int {
        let seconds = instant.nanoseconds >= 0 ? instant.nanoseconds / 1_000_000_000 : -1
        return changes.last { $0.at <= seconds }?.offset ?? first
    }

    /// Makes a zone with the offset `first` before its first change. `changes` are UTC times as RFC 3339 text, each
    /// with the offset from then on.
    package init(_ identifier: String, _ first: Int, _ changes: [(String, Int)]) {
        self.identifier = identifier
        self.first = first
        self.changes = changes.compactMap { text, offset in
            CivilTime(rfc3339: text).map { ($0.instant.nanoseconds / 1_000_000_000, offset) }
        }
        // The tables are constants of the tests, so a mistake in one is noticed at its first use.
        precondition(self.changes.count == changes.count, "a time in the table of \(identifier) cannot be read")
    }

    package static let berlin = TableZone(
        "Europe/Berlin", 3600,
        [("2026-03-29T01:00:00Z", 7200), ("2026-10-25T01:00:00Z", 3600), ("2027-03-28T01:00:00Z", 7200)])
    /// Summer time of half an hour.
    package static let lordHowe = TableZone(
        "Australia/Lord_Howe", 39_600,
        [("2026-04-04T15:00:00Z", 37_800), ("2026-10-03T15:30:00Z", 39_600)])
    /// Clocks went from midnight to one o'clock.
    package static let saoPaulo = TableZone(
        "America/Sao_Paulo", -10_800, [("2018-11-04T03:00:00Z", -7200), ("2019-02-17T02:00:00Z", -10_800)])
    /// Samoa skipped 30 December 2011.
    package static let apia = TableZone("Pacific/Apia", -36_000, [("2011-12-30T10:00:00Z", 50_400)])
    package static let kathmandu = TableZone("Asia/Kathmandu", 20_700, [])
    /// The zone has local mean time, with seconds in the offset, and then skips an odd amount of time.
    package static let oldTime = TableZone("Old/Time", 3208, [("1990-06-01T10:17:00Z", 3600)])
    package static let all = [berlin, lordHowe, saoPaulo, apia, kathmandu, oldTime]
}

extension WallInstant {
    /// An instant from RFC 3339 text, for tests.
    package init(_ text: String) {
        // The text is a constant of a test, and no instant could stand for an error.
        guard let time = CivilTime(rfc3339: text) else { preconditionFailure("\(text) is no RFC 3339") }
        self = time.instant
    }
}
