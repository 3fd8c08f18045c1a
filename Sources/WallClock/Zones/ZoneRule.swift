// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// The rule of a zone for all years: a POSIX `TZ` text such as `CET-1CEST,M3.5.0,M10.5.0/3`, with the extensions of
/// RFC 9636. A value.
struct ZoneRule: Sendable {
    /// A day of each year, and a time on it.
    struct Change: Sendable {
        enum Day: Sendable {
            /// `Jn`: 1 to 365; 29 February is never counted.
            case withoutLeapDay(Int)
            /// `n`: 0 to 365.
            case withLeapDay(Int)
            /// `Mm.w.d`: the weekday (0 is Sunday) in the week (5 is the last) of the month.
            case weekday(month: Int, week: Int, day: Int)
        }

        var day: Day
        /// Seconds after local midnight, which may lie outside of the day.
        var time: Int
    }

    private let standard: Int
    private let summer: (offset: Int, begin: Change, end: Change)?

    /// Nil if the text is no rule.
    init?(parsing text: [UInt8]) {
        var parser = ZoneRuleParser(text)
        guard parser.name(), let west = parser.time(most: 24) else { return nil }
        standard = -west
        guard !parser.isAtEnd else {
            summer = nil
            return
        }
        guard parser.name() else { return nil }
        var offset = standard + 3_600
        if !parser.isNext(",") {
            guard let west = parser.time(most: 24) else { return nil }
            offset = -west
        }
        guard parser.take(","), let begin = parser.change(), parser.take(","), let end = parser.change(),
            parser.isAtEnd
        else { return nil }
        summer = (offset, begin, end)
    }

    /// Seconds east of UTC at this second since 1970.
    func utcOffset(at second: Int64) -> Int {
        guard let summer else { return standard }
        let year = CivilTime(WallInstant(nanoseconds: 0) + .seconds(second), utcOffset: standard).year
        let begin = summer.begin.second(in: year) - Int64(standard)
        let end = summer.end.second(in: year) - Int64(summer.offset)
        // In the south summer lies around New Year.
        let isSummer = begin < end ? (begin..<end).contains(second) : !(end..<begin).contains(second)
        return isSummer ? summer.offset : standard
    }
}

extension ZoneRule.Change {
    /// The local second since 1970 at which the change is, in a year.
    fileprivate func second(in year: Int) -> Int64 {
        let newYear = Self.day(year, 1, 1)
        let number: Int64
        switch day {
        case .withoutLeapDay(let day):
            let isBehindLeapDay = CivilTime.isLeap(year) && day >= 60
            number = newYear + Int64(day - 1) + (isBehindLeapDay ? 1 : 0)
        case .withLeapDay(let day): number = newYear + Int64(day)
        case .weekday(let month, let week, let weekday):
            let first = Self.day(year, month, 1)
            // 1970-01-01 was a Thursday, which is 4.
            let firstWeekday = ((first + 4) % 7 + 7) % 7
            var day = first + (Int64(weekday) - firstWeekday + 7) % 7 + Int64(week - 1) * 7
            let end = month == 12 ? Self.day(year + 1, 1, 1) : Self.day(year, month + 1, 1)
            if day >= end { day -= 7 }
            number = day
        }
        return number * 86_400 + Int64(time)
    }

    /// Days since 1970.
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
        let date = CivilTime(year: year, month: month, day: day, utcOffset: 0)
        return (date?.instant.nanoseconds ?? 0) / 86_400_000_000_000
    }
}

/// Parses the parts of a ``ZoneRule``.
private struct ZoneRuleParser {
    private var rest: ArraySlice<UInt8>

    init(_ text: [UInt8]) {
        rest = text[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    func isNext(_ character: Unicode.Scalar) -> Bool { rest.first.map(UInt32.init) == character.value }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isNext(character) else { return false }
        rest.removeFirst()
        return true
    }

    /// An abbreviation: three letters or more, or anything between `<` and `>`.
    mutating func name() -> Bool {
        if take("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            defer { rest = rest[(end + 1)...] }
            return end - rest.startIndex >= 3
        }
        let letters = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
        rest = rest.dropFirst(letters.count)
        return letters.count >= 3
    }

    /// `[+-]h[h[h]][:mm[:ss]]` in seconds.
    mutating func time(most hours: Int) -> Int? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hour = number(most: hours) else { return nil }
        var seconds = hour * 3_600
        if take(":") {
            guard let minute = number(most: 59) else { return nil }
            seconds += minute * 60
            if take(":") {
                guard let second = number(most: 59) else { return nil }
                seconds += second
            }
        }
        return isNegative ? -seconds : seconds
    }

    /// A date and, behind a slash, a time; 02:00 if there is none.
    mutating func change() -> ZoneRule.Change? {
        let day: ZoneRule.Change.Day
        if take("M") {
            guard let month = number(most: 12), month > 0, take("."), let week = number(most: 5), week > 0, take("."),
                let weekday = number(most: 6)
            else { return nil }
            day = .weekday(month: month, week: week, day: weekday)
        } else if take("J") {
            guard let number = number(most: 365), number > 0 else { return nil }
            day = .withoutLeapDay(number)
        } else {
            guard let number = number(most: 365) else { return nil }
            day = .withLeapDay(number)
        }
        guard take("/") else { return ZoneRule.Change(day: day, time: 7_200) }
        return time(most: 167).map { ZoneRule.Change(day: day, time: $0) }
    }

    private mutating func number(most: Int) -> Int? {
        let digits = rest.prefix(3).prefix { (0x30...0x39).contains($0) }
        guard let value = Int(String(decoding: digits, as: UTF8.self)), value <= most else { return nil }
        rest = rest.dropFirst(digits.count)
        return value
    }
}
