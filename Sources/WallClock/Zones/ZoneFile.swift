// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

/// A time zone from the machine's database, which need not be the zone of the machine. A value: any thread may use it,
/// and it stays the same if the file is replaced.
package struct ZoneFile: TimeZoneRules {
    /// The name under which the zone was found, such as `Europe/Berlin`.
    package let identifier: String
    private let rules: ZoneRules

    init(identifier: String, rules: ZoneRules) {
        self.identifier = identifier
        self.rules = rules
    }

    /// Parses the bytes of a TZif file (RFC 9636), of any version.
    package init(identifier: String, parsing bytes: [UInt8]) throws(ZoneFlaw) {
        self.init(identifier: identifier, rules: try ZoneRules(parsing: bytes))
    }

    package func utcOffset(at instant: WallInstant) -> Int {
        rules.offset(at: instant.nanoseconds.dividedRoundingDown(by: 1_000_000_000).quotient)
    }
}
