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
        let start = table.parsed(ShowKey.start, TimeOfDay.init(parsing:))
        let end = end(start: start)
        let ownZone = reader.zone(table, ShowKey.zone)
        let early = table.duration(ShowKey.early, in: Self.margins)
        let late = table.duration(ShowKey.late, in: Self.margins)
        let (from, until, skipped) = dates()
        let priority = table.count(ShowKey.priority)
        let files = files()
        guard let id, let days, let start, let end else { return nil }
        var show = Show(id: id, name: name ?? id, days: days, start: start, end: end, zone: ownZone ?? zone)
        show.early = early ?? show.early
        show.late = late ?? show.late
        show.validFrom = from
        show.validUntil = until
        show.skipped = skipped
        show.priority = priority ?? show.priority
        return StationConfiguration.ShowConfiguration(show: show, files: files)
    }

    private func days() -> ShowDays? {
        guard let texts = table.texts(ShowKey.days) else { return nil }
        guard let first = texts.first else {
            table.fault(
                ShowKey.days, "it names no day", remedy: "write for example \(ShowKey.days.name) = \"mon-fri\"")
            return nil
        }
        // Each rule is parsed alone first, so that its faults are reported at its own position. Faults of all rules
        // together are reported at the first rule.
        guard !texts.map({ table.parsed(ShowKey.days, $0) { try ShowDays(parsing: [$0]) } }).contains(nil) else {
            return nil
        }
        return table.parsed(ShowKey.days, first) { _ in try ShowDays(parsing: texts.map(\.text)) }
    }

    private func end(start: TimeOfDay?) -> Show.End? {
        let (hasLength, hasEnd) = (table.has(ShowKey.length), table.has(ShowKey.end))
        let length = table.duration(ShowKey.length, in: Self.lengths)
        let end = table.parsed(ShowKey.end, TimeOfDay.init(parsing:))
        if hasLength, hasEnd {
            table.fault(ShowKey.end, "cannot be combined with \(ShowKey.length.name)", remedy: "write one of them")
            return nil
        }
        if !hasLength, !hasEnd {
            table.fault(
                ShowKey.length, at: table.position, "this key is missing",
                remedy: "write for example \(ShowKey.length.name) = \(ShowKey.length.example), or "
                    + "\(ShowKey.end.name) = \(ShowKey.end.example)")
            return nil
        }
        if let end, end == start {
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
        files.keep = reader.keep(table)
        return files
    }
}
