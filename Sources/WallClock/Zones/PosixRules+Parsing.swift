// SPDX-License-Identifier: MIT

import RadioFormats

extension PosixRules {
    /// Parses `std offset [dst [offset] , start [/time] , end [/time]]`. Summer time without rules is refused.
    init(parsing text: some Collection<UInt8>) throws(ZoneFlaw) {
        let bytes = Array(text.prefix(Self.longestText + 1))
        guard bytes.count <= Self.longestText, let rules = PosixParser(bytes).rules() else {
            throw .rules(Self.quoted(bytes))
        }
        self = rules
    }

    /// The maximum length of a text in bytes.
    private static let longestText = 200

    /// The beginning of a text, for display: bytes that cannot be printed are left out.
    private static func quoted(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix(80).filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
    }
}

/// Parses a value of `TZ`. Nil stands for invalid text.
private struct PosixParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    consuming func rules() -> PosixRules? {
        // In `TZ`, offsets are positive west of UTC.
        guard skipName(), let west = time(hours: 0...24), PosixRules.offsets.contains(-west) else { return nil }
        guard !isAtEnd else { return PosixRules(standard: -west, summer: nil) }
        guard skipName() else { return nil }
        var offset = 3600 - west
        if next != UInt8(ascii: ",") {
            guard let west = time(hours: 0...24) else { return nil }
            offset = -west
        }
        guard PosixRules.offsets.contains(offset), skip(","), let start = change(), skip(","), let end = change(),
            isAtEnd
        else { return nil }
        return PosixRules(standard: -west, summer: .init(offset: offset, start: start, end: end))
    }

    private var isAtEnd: Bool { position == bytes.count }
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == character.value else { return false }
        position += 1
        return true
    }

    /// Skips the name of a zone: at least three letters, or in angle brackets at least three letters, digits and signs.
    private mutating func skipName() -> Bool {
        let isQuoted = skip("<")
        let start = position
        while let next, next.isLetter || isQuoted && (next.isDigit || Self.isSign(next)) { position += 1 }
        return position - start >= 3 && (!isQuoted || skip(">"))
    }

    /// Parses a clock change: `J60`, `59` or `M10.5.0`, followed by a time such as `/3`. Without a time, the change is
    /// at two o'clock.
    private mutating func change() -> PosixRules.Change? {
        guard let day = day() else { return nil }
        guard skip("/") else { return PosixRules.Change(day: day, time: 7200) }
        return time(hours: 0...167).map { PosixRules.Change(day: day, time: $0) }
    }

    private mutating func day() -> PosixRules.Day? {
        if skip("J") { return number(1...365).map { .withoutLeapDay($0) } }
        guard skip("M") else { return number(0...365).map { .sinceNewYear($0) } }
        guard let month = number(1...12), skip("."), let week = number(1...5), skip("."), let day = number(0...6) else {
            return nil
        }
        return .weekday(month: month, week: week, day: day)
    }

    /// Parses a time such as `3`, `-1`, `26`, `5:45` or `12:44:30`. Returns seconds.
    private mutating func time(hours: ClosedRange<Int>) -> Int? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hour = number(hours) else { return nil }
        var seconds = hour * 3600
        if skip(":") {
            guard let minute = number(0...59) else { return nil }
            seconds += minute * 60
            if skip(":") {
                guard let second = number(0...59) else { return nil }
                seconds += second
            }
        }
        return isNegative ? -seconds : seconds
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
        var number = 0
        let start = position
        while let next, next.isDigit, position - start < 3 {
            number = number * 10 + Int(next - UInt8(ascii: "0"))
            position += 1
        }
        return position > start && range.contains(number) ? number : nil
    }

    private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }
}
