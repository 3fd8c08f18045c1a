// SPDX-License-Identifier: MIT

import RadioFormats

/// The dates of mail and of RSS (RFC 822 and its successors).
extension CivilTime {
    /// Parses `Wed, 02 Oct 2002 15:00:00 +0200` and its usual variants: without weekday or seconds, with a two-digit
    /// year, months written out, any case, zones by their usual letters. An unknown zone counts as UTC; a leap second
    /// counts as the second before it. Nil for anything else, and outside the years 1678 to 2261.
    package init?(looseRFC822 text: String) {
        guard text.utf8.count <= Self.longestLooseDate else { return nil }
        let parts = text.lowercased().split { $0 == " " || $0 == "," }
        // Splits `06-Nov-94`, but nothing after the time of day, where a dash is the sign of the zone.
        let clockPlace = parts.firstIndex { $0.contains(":") } ?? 0
        var words = parts[..<clockPlace].flatMap { $0.split(separator: "-") } + parts[clockPlace...]
        if let first = words.first, first.first?.isNumber == false, Self.month(first) == nil { words.removeFirst() }
        guard words.count >= 4 else { return nil }
        // In a few dates, the month comes before the day.
        if Int(words[0]) == nil { words.swapAt(0, 1) }
        guard let day = words[0].number(ofDigits: 1...2), let month = Self.month(words[1]),
            let year = words[2].number(ofDigits: 2...4), year > 0
        else { return nil }
        let clock = words[3].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(clock.count), let hour = clock[0].number(ofDigits: 1...2),
            let minute = clock[1].number(ofDigits: 2...2),
            let second = clock.count == 2 ? 0 : clock[2].prefix(while: { $0 != "." }).number(ofDigits: 2...2)
        else { return nil }
        self.init(
            year: words[2].utf8.count > 3 ? year : year + (year < 70 ? 2000 : 1900), month: month, day: day, hour: hour,
            minute: minute, second: min(second, second == 60 ? 59 : second),
            utcOffset: Self.offset(words.dropFirst(4).joined()))
    }

    private static let longestLooseDate = 64

    private static func month(_ text: Substring) -> Int? {
        let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        return names.firstIndex { text.hasPrefix($0) }.map { $0 + 1 }
    }

    /// Seconds east of UTC: `+0200`, `+02:00`, `gmt+1`, `est`.
    private static func offset(_ text: String) -> Int {
        let zones = ["est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7]
        let others = ["cet": 1, "mez": 1, "cest": 2, "mesz": 2, "bst": 1, "eet": 2, "eest": 3, "wet": 0, "west": 1]
        if let hours = zones[text] ?? others[text] { return hours * 3600 }
        guard let sign = text.firstIndex(where: { $0 == "+" || $0 == "-" }) else { return 0 }
        let digits = text[sign...].dropFirst().filter { $0 != ":" }.prefix { ("0"..."9").contains($0) }
        guard (1...4).contains(digits.utf8.count), let number = Int(digits) else { return 0 }
        let seconds = digits.utf8.count <= 2 ? number * 3600 : (number / 100 * 60 + number % 100) * 60
        return seconds < 86_400 ? (text[sign] == "-" ? -seconds : seconds) : 0
    }
}

extension Substring {
    /// The number that this many decimal digits say; nil for any other text.
    func number(ofDigits count: ClosedRange<Int>) -> Int? {
        count.contains(utf8.count) && utf8.allSatisfy(\.isDigit) ? Int(self) : nil
    }
}
