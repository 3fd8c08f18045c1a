// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// A template for the names of recordings, the setting `name`: text with `%` fields for the time and `{}` placeholders.
///
/// A `/` in the template makes folders; a `/` in a value never does. Every component of the result has passed
/// ``SafeName``, so the result is a relative path that cannot leave the folder of the recordings. It has no extension.
package struct NameTemplate: Hashable, Sendable {
    /// A token of a template.
    enum Token: Hashable, Sendable {
        case literal(String)
        case field(TimeField)
        case placeholder(Placeholder)
    }

    /// A name between braces.
    enum Placeholder: String, Hashable, Sendable, CaseIterable {
        case station, show, title, artist, song, sequence
    }

    /// The letter after a percent sign, as in `strftime`. Names of days and months are English.
    enum TimeField: Character, Hashable, Sendable, CaseIterable {
        case year = "Y"
        case yearOfCentury = "y"
        case month = "m"
        case day = "d"
        case dayOfYear = "j"
        case hour = "H"
        case minute = "M"
        case second = "S"
        case utcOffset = "z"
        case epochSeconds = "s"
        case weekday = "A"
        case shortWeekday = "a"
        case monthName = "B"
        case shortMonthName = "b"
    }

    /// The template as it was written.
    package let text: String
    /// The number of nested folders in the names.
    package var depth: Int { parts.count - 1 }
    /// The tokens by path component; no component is empty.
    let parts: [[Token]]

    /// `{station} %Y-%m-%d %H-%M-%S%z`: names that sort by time, and that differ even in the hour that a clock change
    /// repeats.
    package static let standard = NameTemplate(
        text: "{station} %Y-%m-%d %H-%M-%S%z",
        parts: [
            [
                .placeholder(.station), .literal(" "), .field(.year), .literal("-"), .field(.month), .literal("-"),
                .field(.day), .literal(" "), .field(.hour), .literal("-"), .field(.minute), .literal("-"),
                .field(.second), .field(.utcOffset),
            ]
        ])

    /// `{station} {show} %Y-%m-%d %H-%M-%S%z`: for shows, which may overlap.
    package static let standardForShows = NameTemplate(
        text: "{station} {show} %Y-%m-%d %H-%M-%S%z",
        parts: [[.placeholder(.station), .literal(" "), .placeholder(.show)] + standard.parts[0].dropFirst()])

    /// The template for files with this extension: the template's own ending is removed if it equals the extension,
    /// ignoring case, so that the extension is not doubled. Any other ending stays a part of the name.
    package func forFiles(withExtension fileExtension: String) -> NameTemplate {
        guard var last = parts.last, case .literal(let text)? = last.last else { return self }
        let ending = "." + fileExtension
        guard text.lowercased().hasSuffix(ending) else { return self }
        let kept = String(text.dropLast(ending.count))
        last.removeLast()
        if !kept.isEmpty { last.append(.literal(kept)) }
        guard !last.isEmpty else { return self }
        return NameTemplate(text: self.text, parts: parts.dropLast() + [last])
    }

    /// `{station}/{song}`: for segments by title. Songs have no time in their names, so that a song keeps its name
    /// wherever it is played; another airing of it gets a number.
    package static let standardForSongs = NameTemplate(
        text: "{station}/{song}", parts: [[.placeholder(.station)], [.placeholder(.song)]])

    /// `{station} {show}/{song}`: for the songs of shows, a folder for each show.
    package static let standardForSongsOfShows = NameTemplate(
        text: "{station} {show}/{song}",
        parts: [[.placeholder(.station), .literal(" "), .placeholder(.show)], [.placeholder(.song)]])

    /// The template of users who have chosen none.
    package static func standard(for policy: SegmentPolicy, ofShow isShow: Bool) -> NameTemplate {
        switch policy {
        case .title: isShow ? standardForSongsOfShows : standardForSongs
        case .none, .period: isShow ? standardForShows : standard
        }
    }

    /// The relative path for these values, without extension.
    package func render(_ values: NameValues) -> String {
        components(values).joined(separator: "/")
    }

    /// The folders of the path, outermost first, and the name last. Never empty. Each has at most ``SafeName/maxBytes``
    /// bytes: if necessary, the longest values are cut, while the text and times around them stay.
    package func components(_ values: NameValues) -> [String] {
        parts.map { component($0.flatMap { $0.spelledOut(for: values) }, values) }
    }

    private func component(_ tokens: [Token], _ values: NameValues) -> String {
        var texts = tokens.map { SafeName.clean(text(of: $0, values)) }
        let open = tokens.indices.filter { tokens[$0].isFree }
        // Short values leave their unused room to the long ones.
        var room = SafeName.maxBytes - 1
        for index in tokens.indices where !tokens[index].isFree { room -= texts[index].utf8.count }
        let shortestFirst = open.sorted { texts[$0].utf8.count < texts[$1].utf8.count }
        for (done, index) in shortestFirst.enumerated() {
            texts[index] = texts[index].cut(toBytes: room / (shortestFirst.count - done))
            room -= texts[index].utf8.count
        }
        return SafeName.component(texts.joined(), fallback: "untitled")
    }

    private func text(of token: Token, _ values: NameValues) -> String {
        switch token {
        case .literal(let text): text
        case .field(let field): field.text(for: values.time)
        case .placeholder(.station): filled(values.station, else: "station")
        case .placeholder(.show): filled(values.show, else: "show")
        case .placeholder(.title): filled(values.title, else: "untitled")
        case .placeholder(.artist): filled(values.artist, else: "unknown artist")
        // `spelledOut(for:)` has replaced this token already.
        case .placeholder(.song): ""
        case .placeholder(.sequence): padded(values.sequence, 3)
        }
    }

    /// Returns `value`, or `missing` if nothing of it would be left in a name. Only the user's own text may stand for
    /// bytes that are not UTF-8.
    private func filled(_ value: String?, else missing: String) -> String {
        isFilled(value) ? PathText.withoutRawBytes(value ?? missing) : missing
    }
}

/// Whether something of the value would be left in a name.
private func isFilled(_ value: String?) -> Bool {
    value.map { !SafeName.isEmpty($0) } ?? false
}

extension NameTemplate.Token {
    /// The tokens of a song's name: artist and title; the title alone if the station names no artist; the time if it
    /// names no title either. Any other token stays as it is.
    fileprivate func spelledOut(for values: NameValues) -> [Self] {
        guard self == .placeholder(.song) else { return [self] }
        guard isFilled(values.title) else {
            return [.literal("untitled ")] + NameTemplate.standard.parts[0].dropFirst(2)
        }
        guard isFilled(values.artist) else { return [.placeholder(.title)] }
        return [.placeholder(.artist), .literal(" - "), .placeholder(.title)]
    }

    /// Whether the token's text comes from outside, and may have any length.
    fileprivate var isFree: Bool {
        switch self {
        case .placeholder(.station), .placeholder(.show), .placeholder(.title), .placeholder(.artist): true
        case .placeholder(.song), .placeholder(.sequence), .literal, .field: false
        }
    }
}

extension NameTemplate.TimeField {
    fileprivate func text(for time: CivilTime) -> String {
        switch self {
        case .year: padded(time.year, 4)
        case .yearOfCentury: padded(time.year % 100, 2)
        case .month: padded(time.month, 2)
        case .day: padded(time.day, 2)
        case .dayOfYear: padded(time.dayOfYear, 3)
        case .hour: padded(time.hour, 2)
        case .minute: padded(time.minute, 2)
        case .second: padded(time.second, 2)
        case .utcOffset: time.offsetText(separator: "")
        case .epochSeconds: String(time.instant.nanoseconds.dividedRoundingDown(by: 1_000_000_000).quotient)
        case .weekday: weekdays[time.weekday.rawValue - 1]
        case .shortWeekday: String(weekdays[time.weekday.rawValue - 1].prefix(3))
        case .monthName: months[time.month - 1]
        case .shortMonthName: String(months[time.month - 1].prefix(3))
        }
    }
}

private let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
private let months = [
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
]
