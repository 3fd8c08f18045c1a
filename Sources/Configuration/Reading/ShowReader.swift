// SPDX-License-Identifier: MIT

import RadioCore

/// Reads one `[[station.show]]`.
struct ShowReader {
    let reader: ConfigurationReader
    let table: TableReader
    /// The time zone of the show, unless the show names one.
    let zone: String
    /// The station's rules for files, which apply unless the show has its own.
    let stationFiles: StationConfiguration.Files

    private static let lengths: ClosedRange<Duration> = .seconds(1) ... .seconds(7 * 86_400)
    private static let margins: ClosedRange<Duration> = .milliseconds(1) ... .seconds(12 * 3600)

    /// Returns nil if a required part is missing or invalid.
    func read() -> StationConfiguration.ShowConfiguration? {
        table.checkKeys()
        let id = table.parsed(ShowKey.id, PublicID.parse)
        let name = table.name(ShowKey.name)
        let days = days()
        let starts = starts()
        let end = end(starts: starts)
        let ownZone = reader.zone(table, ShowKey.zone)
        let early = table.duration(ShowKey.early, in: Self.margins)
        let late = table.duration(ShowKey.late, in: Self.margins)
        let (from, until, skipped) = dates()
        let priority = table.count(ShowKey.priority)
        let files = files()
        let changes = changes()
        guard let id, let days, let start = starts.first, let end else { return nil }
        var show = Show(id: id, name: name ?? id, days: days, start: start, end: end, zone: ownZone ?? zone)
        show.furtherStarts = Array(starts.dropFirst())
        show.early = early ?? show.early
        show.late = late ?? show.late
        show.validFrom = from
        show.validUntil = until
        show.skipped = skipped
        show.priority = priority ?? show.priority
        checkDates(of: show, changes)
        for change in changes { show.change(change.date, to: change.start) }
        table.expect(ShowKey.days, .broadcast(show))
        return StationConfiguration.ShowConfiguration(show: show, files: files)
    }

    private func days() -> ShowDays? {
        guard let texts = table.texts(ShowKey.days) else { return nil }
        guard let first = texts.first else {
            return table.fault(ShowKey.days, "it names no day", remedy: ShowKey.days.advice)
        }
        // Each rule is parsed alone first, so that its faults are reported at its own position. Faults of all rules
        // together are reported at the first rule.
        guard !texts.map({ table.parsed(ShowKey.days, $0) { try ShowDays(parsing: [$0]) } }).contains(nil) else {
            return nil
        }
        return table.parsed(ShowKey.days, first) { _ in try ShowDays(parsing: texts.map(\.text)) }
    }

    /// The times of day at which the show begins, in the order of the day.
    private func starts() -> [TimeOfDay] {
        guard let node = table.table[ShowKey.start.name] else { return [] }
        guard case .array = node.value else {
            return table.parsed(ShowKey.start, node, TimeOfDay.init(parsing:)).map { [$0] } ?? []
        }
        let nodes = table.list(ShowKey.start, node) ?? []
        if nodes.isEmpty {
            table.fault(ShowKey.start, "it names no time", remedy: ShowKey.start.advice)
        }
        let starts = nodes.compactMap { table.parsed(ShowKey.start, $0, TimeOfDay.init(parsing:)) }
            .sorted { $0.nanoseconds < $1.nanoseconds }
        if Set(starts).count < starts.count { table.fault(ShowKey.start, "a time is listed twice") }
        return starts
    }

    /// Skipped dates on which the show would not be on anyway are probably a mistake.
    private func checkDates(of show: Show, _ changes: [Change]) {
        var open = show
        open.skipped = []
        func check(_ date: CalendarDate, _ key: ConfigurationKey, in table: TableReader, at place: TOMLPosition?) {
            guard !open.isOn(date) else { return }
            table.doubt(
                key, at: place, "the show is not on at \(date) anyway",
                remedy: "check the date against \(ShowKey.days.name), \(ShowKey.from.name) and \(ShowKey.until.name)")
        }
        if case .array(let nodes)? = table.table[ShowKey.skip.name]?.value {
            for node in nodes {
                guard let date = node.text.flatMap({ try? CalendarDate(parsing: $0) }) else { continue }
                check(date, ShowKey.skip, in: table, at: node.position)
            }
        }
        for change in changes where change.start == nil {
            check(change.date, ChangeKey.date, in: change.table, at: nil)
        }
    }

    private struct Change {
        let date: CalendarDate
        /// Nil if the broadcast is cancelled.
        let start: TimeOfDay?
        let table: TableReader
    }

    /// The changes of single dates: `[[station.show.change]]`.
    private func changes() -> [Change] {
        var lines: [CalendarDate: Int] = [:]
        return table.sections("change").compactMap { change in
            change.checkKeys()
            let date = change.parsed(ChangeKey.date, CalendarDate.init(parsing:))
            let start = change.parsed(ChangeKey.start, TimeOfDay.init(parsing:))
            let isSkipped = change.flag(ChangeKey.skip) ?? false
            if isSkipped == change.has(ChangeKey.start) {
                change.fault(
                    isSkipped ? ChangeKey.skip : nil,
                    isSkipped ? "a broadcast that is skipped has no start" : "it does not say what changes",
                    remedy:
                        "write \(ChangeKey.start.name) = \(ChangeKey.start.example), or \(ChangeKey.skip.name) = true")
            }
            guard let date else { return nil }
            if let line = lines[date] {
                change.fault(ChangeKey.date, "line \(line) changes this date already")
            }
            lines[date] = change.position.line
            return Change(date: date, start: start, table: change)
        }
    }

    private func end(starts: [TimeOfDay]) -> Show.End? {
        let (hasLength, hasEnd) = (table.has(ShowKey.length), table.has(ShowKey.end))
        let length = table.duration(ShowKey.length, in: Self.lengths)
        let end = table.parsed(ShowKey.end, TimeOfDay.init(parsing:))
        if hasLength, hasEnd {
            return table.fault(
                ShowKey.end, "cannot be combined with \(ShowKey.length.name)", remedy: "write one of them")
        }
        if !hasLength, !hasEnd {
            return table.fault(
                ShowKey.length, at: table.position, "this key is missing",
                remedy: "\(ShowKey.length.advice), or \(ShowKey.end.name) = \(ShowKey.end.example)")
        }
        if hasEnd, starts.count > 1 {
            table.fault(
                ShowKey.end, "a show with several starts needs a \(ShowKey.length.name)",
                remedy: "\(ShowKey.length.advice) instead")
        }
        if let end, end == starts.first {
            table.fault(
                ShowKey.end, "the end is the same as the start",
                remedy: "for a whole day, write \(ShowKey.length.name) = \"24h\"")
        }
        return length.map { .length($0) } ?? end.map { .time($0) }
    }

    private func dates() -> (from: CalendarDate?, until: CalendarDate?, skipped: Set<CalendarDate>) {
        let from = table.parsed(ShowKey.from, CalendarDate.init(parsing:))
        let until = table.parsed(ShowKey.until, CalendarDate.init(parsing:))
        if let from, let until, until < from {
            table.fault(
                ShowKey.until, "the last day is before the first one",
                remedy: "swap \(ShowKey.from.name) and \(ShowKey.until.name), or leave one out")
        }
        let nodes = table.table[ShowKey.skip.name].flatMap { table.list(ShowKey.skip, $0) } ?? []
        let skipped = nodes.compactMap { table.parsed(ShowKey.skip, $0, CalendarDate.init(parsing:)) }
        return (from, until, Set(skipped))
    }

    private func files() -> StationConfiguration.Files {
        var files = stationFiles
        files.segment = table.parsed(FilesKey.showSegment, SegmentPolicy.init(parsing:)) ?? .none
        files.name = table.parsed(FilesKey.template, NameTemplate.init(parsing:)) ?? files.name
        files.keep = RetentionRule(table)
        return files
    }
}

extension TOMLNode {
    /// A date or a text as it is written.
    fileprivate var text: String? {
        switch value {
        case .text(let text), .date(let text): text
        default: nil
        }
    }
}
