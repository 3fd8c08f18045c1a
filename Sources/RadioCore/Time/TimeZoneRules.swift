// SPDX-License-Identifier: MIT

package import Instants

/// The rules of a time zone, as far as names, periods and schedules need them.
///
/// Pure: the same instant always has the same offset. The zone of the machine is `LocalZone` in WallClock.
package protocol TimeZoneRules: Sendable {
    /// The IANA name, if there is one: `Europe/Paris`.
    var identifier: String { get }

    /// How far local time is ahead of UTC at `instant`, in seconds, east positive; less than a day either way.
    func utcOffset(at instant: WallInstant) -> Int
}

/// A zone without clock changes.
package struct FixedZone: TimeZoneRules, Hashable {
    package static let utc = FixedZone(offset: 0, identifier: "UTC")

    package let identifier: String
    private let offset: Int

    /// Creates a zone that is always `offset` seconds east of UTC.
    package init(offset: Int, identifier: String) {
        self.offset = offset
        self.identifier = identifier
    }

    package func utcOffset(at instant: WallInstant) -> Int { offset }
}
