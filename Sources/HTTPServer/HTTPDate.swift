// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

/// The `Date` field (RFC 9110, section 5.6.7), written anew once a second at most.
package struct HTTPDate {
    private var second: Int64?
    private var text = ""

    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    mutating func text(_ now: WallInstant) -> String {
        let second = now.nanoseconds / 1_000_000_000
        if second != self.second {
            self.second = second
            text = Self.format(now)
        }
        return text
    }

    /// `Sat, 21 Nov 2026 21:00:00 GMT`.
    package static func format(_ instant: WallInstant) -> String {
        let time = CivilTime(instant, utcOffset: 0)
        let clock = [time.hour, time.minute, time.second].map { padded($0, 2) }.joined(separator: ":")
        let date = "\(padded(time.day, 2)) \(months[time.month - 1]) \(padded(time.year, 4))"
        return "\(days[time.weekday.rawValue - 1]), \(date) \(clock) GMT"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
