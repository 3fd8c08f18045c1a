// SPDX-License-Identifier: MIT

/// The dates of HTTP (RFC 9110, section 5.6.7).
extension CivilTime {
    /// `Sat, 21 Nov 2026 21:00:00 GMT`, for a time in UTC.
    package var httpDate: String {
        let clock = [hour, minute, second].map { padded($0, 2) }.joined(separator: ":")
        let date = "\(padded(day, 2)) \(Self.months[month - 1]) \(padded(year, 4))"
        return "\(Self.days[weekday.rawValue - 1]), \(date) \(clock) GMT"
    }

    /// Parses a date in any of the three forms: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`,
    /// `Sun Nov  6 08:49:37 1994`. Nil for anything else, and outside the years 1678 to 2261.
    package init?(httpDate text: String) {
        guard text.utf8.count <= Self.longestDate else { return nil }
        var words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        if words.last == "GMT" { words.removeLast() }
        guard words.count == 5 else { return nil }
        let isOldC = Self.months.contains { $0 == words[1] }
        let (day, month, year, clock) =
            isOldC ? (words[2], words[1], words[4], words[3]) : (words[1], words[2], words[3], words[4])
        let time = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard let day = Int(day), let month = Self.months.firstIndex(where: { $0 == month }), let number = Int(year),
            time.count == 3, let hour = time[0], let minute = time[1], let second = time[2]
        else { return nil }
        let fullYear = year.utf8.count == 2 ? number + (number < 70 ? 2000 : 1900) : number
        self.init(
            year: fullYear, month: month + 1, day: day, hour: hour, minute: minute, second: second, utcOffset: 0)
    }

    private static let longestDate = 64
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
