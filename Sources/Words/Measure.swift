// SPDX-License-Identifier: MIT

import Instants

/// Formats durations, sizes and counts for people.
package enum Measure {
    /// `1:02:03` or `2:03`.
    package static func clock(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        let (hours, rest) = seconds.quotientAndRemainder(dividingBy: 3600)
        let pad = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0 ? "\(hours):\(pad(rest / 60)):\(pad(rest % 60))" : "\(rest / 60):\(pad(rest % 60))"
    }

    /// The time and the total in the same form, such as `0:12:03 of 1:30:00`. Without a total, or once the time exceeds
    /// the total, only the time is printed.
    package static func clock(_ duration: Duration, of total: Duration?) -> String {
        guard let total, duration <= total else { return clock(duration) }
        let hasHours = total >= .seconds(3600) && duration < .seconds(3600)
        let minutes = clock(duration)
        return (hasHours ? "0:" + (minutes.count < 5 ? "0" : "") : "") + "\(minutes) of \(clock(total))"
    }

    /// The length of a recording, rounded: the last frame of an hour ends a little before or after it.
    package static func clock(seconds: Double) -> String { clock(.seconds(seconds.rounded())) }

    /// A duration such as `1.2 s`, `48 s` or `3 min 20 s`. Tenths are printed only below ten seconds. `unit`: the unit
    /// printed below a minute.
    package static func length(_ duration: Duration, _ unit: String = "s") -> String {
        guard duration < .seconds(60) else { return span(duration) }
        let tenths = (duration.components.seconds * 10) + duration.components.attoseconds / 100_000_000_000_000_000
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(tenths / 10) \(unit)"
    }

    /// A duration in its two largest units, such as `5 h 12 min`, `3 min 20 s`, `5 min` or `48 s`. The second unit is
    /// printed only if it is not zero.
    package static func span(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        if seconds >= 3600 { return pair(seconds / 3600, "h", seconds % 3600 / 60, "min") }
        return seconds >= 60 ? pair(seconds / 60, "min", seconds % 60, "s") : "\(seconds) s"
    }

    /// A duration in its largest unit alone, such as `5 h`, `3 min` or `48 s`.
    package static func age(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        if seconds >= 3600 { return "\(seconds / 3600) h" }
        return seconds >= 60 ? "\(seconds / 60) min" : "\(seconds) s"
    }

    private static func pair(_ large: Int64, _ unit: String, _ small: Int64, _ smallUnit: String) -> String {
        small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(smallUnit)"
    }

    /// `812 kB` or `14.2 MB`.
    package static func bytes(_ count: Int64) -> String {
        if count < 1_000_000 { return "\(count / 1000) kB" }
        let tenths = count / (count < 1_000_000_000 ? 100_000 : 100_000_000)
        return "\(tenths / 10).\(tenths % 10) \(count < 1_000_000_000 ? "MB" : "GB")"
    }

    /// A time in seconds, to the millisecond: `2.5`, without a unit. For fields of log entries.
    package static func seconds(_ duration: Duration) -> String { "\((duration.inSeconds * 1_000).rounded() / 1_000)" }

    /// The date and the minute of a time in the form of RFC 3339: `2026-11-28 13:30`.
    package static func minute(_ time: String) -> String {
        time.prefix(16).split(separator: "T").joined(separator: " ")
    }

    /// `1 gap` or `3 gaps`.
    package static func count(_ number: Int, _ thing: String, _ things: String? = nil) -> String {
        number == 1 ? "1 \(thing)" : "\(number) \(things ?? thing + "s")"
    }
}
