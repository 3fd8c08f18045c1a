// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore

/// For how long a server wants to be left alone: the `Retry-After` field (RFC 9110 §10.2.3), a pure decision.
enum RetryAfter {
    /// At most ``Backoff/longestRetryAfter``; nil where the field asks for nothing, or for nothing that makes sense.
    ///
    /// A date is measured from the response's own `Date`, for then it does not matter whether our clock is right; where
    /// there is none, from `wall`.
    static func delay(_ head: ResponseHead, wall: WallInstant) -> Duration? {
        guard let field = head["retry-after"] else { return nil }
        let delay: Duration
        if field.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let seconds = Int64(field) {
            delay = .seconds(seconds)
        } else if let until = instant(field) {
            let now = head["date"].flatMap(instant) ?? wall
            guard until > now else { return nil }
            delay = until - now
        } else {
            return nil
        }
        return min(delay, Backoff.longestRetryAfter)
    }

    /// An HTTP date in any of its three forms (§5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`,
    /// `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
    static func instant(_ text: String) -> WallInstant? {
        guard text.utf8.count <= longestDate else { return nil }
        var words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        if words.last == "GMT" { words.removeLast() }
        guard words.count == 5 else { return nil }
        let isOldC = months.contains { $0 == words[1] }
        let (day, month, year, clock) =
            isOldC ? (words[2], words[1], words[4], words[3]) : (words[1], words[2], words[3], words[4])
        let time = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard let day = Int(day), let month = months.firstIndex(where: { $0 == month }), let number = Int(year),
            time.count == 3, let hour = time[0], let minute = time[1], let second = time[2]
        else { return nil }
        let fullYear = year.count == 2 ? number + (number < 70 ? 2000 : 1900) : number
        return CivilTime(
            year: fullYear, month: month + 1, day: day, hour: hour, minute: minute, second: second, utcOffset: 0
        )?.instant
    }

    private static let longestDate = 64
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
