// SPDX-License-Identifier: MIT

package import Instants
import RadioFormats

extension CivilTime {
    /// The instant as RFC 3339 with milliseconds and offset: `2026-11-21T12:22:55.000+01:00`, `Z` for UTC itself.
    /// Milliseconds are truncated, not rounded. An offset with seconds, as local mean times had, is truncated to
    /// minutes, and the time of day is shifted with it, so that the instant stays the same.
    package var rfc3339: String {
        guard utcOffset % 60 == 0 else {
            return CivilTime(instant, utcOffset: utcOffset / 60 * 60).rfc3339
        }
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let time = "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2)).\(padded(nanosecond / 1_000_000, 3))"
        return "\(date)T\(time)\(utcOffset == 0 ? "Z" : offsetText(separator: ":"))"
    }

    /// Parses RFC 3339: any number of decimals (beyond nanoseconds they are dropped), `Z` or an offset. Lower-case
    /// letters are accepted, and a blank instead of the T. Nil for anything else, for a leap second, and outside the
    /// years 1678 to 2261.
    package init?(rfc3339 text: String) {
        var scanner = DigitScanner(Substring(text).utf8)
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2), scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
            let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"),
            let second = scanner.number(2)
        else { return nil }
        var nanosecond = 0
        if scanner.skip(".") {
            guard let fraction = scanner.fraction() else { return nil }
            nanosecond = fraction
        }
        var offset = 0
        if !scanner.skip("Z") && !scanner.skip("z") {
            let isWest = scanner.skip("-")
            guard isWest || scanner.skip("+"), let hours = scanner.number(2), scanner.skip(":"),
                let minutes = scanner.number(2), hours <= 23, minutes <= 59
            else { return nil }
            offset = (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
        }
        guard scanner.isAtEnd else { return nil }
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond,
            utcOffset: offset)
    }

    /// `+01:00` or `+0100`; with seconds if the offset has some.
    func offsetText(separator: String) -> String {
        let size = abs(utcOffset)
        let minutes = padded(size / 3600, 2) + separator + padded(size / 60 % 60, 2)
        return (utcOffset < 0 ? "-" : "+") + minutes + (size % 60 == 0 ? "" : separator + padded(size % 60, 2))
    }
}

extension WallInstant {
    /// The instant as RFC 3339 in local time of a zone; see ``CivilTime/rfc3339``.
    package func rfc3339(in zone: any TimeZoneRules) -> String {
        CivilTime(self, in: zone).rfc3339
    }
}

/// The number with leading zeros, at least `digits` digits long.
func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}

/// Scans ASCII digits of a fixed count.
private struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: Substring.UTF8View) {
        rest = text
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(_ digits: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Scans decimals, and returns them in nanoseconds.
    mutating func fraction() -> Int? {
        guard let first = digit() else { return nil }
        var number = first * 100_000_000
        var weight = 10_000_000
        while let digit = digit() {
            number += digit * weight
            weight /= 10
        }
        return number
    }

    private mutating func digit() -> Int? {
        guard let first = rest.first, first.isDigit else { return nil }
        rest.removeFirst()
        return Int(first - UInt8(ascii: "0"))
    }
}
