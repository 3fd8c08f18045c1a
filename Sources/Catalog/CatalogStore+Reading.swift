// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

extension CatalogStore {
    private static let columns = """
        recordings.id, station_id, station, show_id, show_name, show_from, show_from_offset, show_until,
        show_until_offset, began, began_offset, ended, ended_offset, state, protected, segments, bytes, frames,
        milliseconds, gaps, missing,
        coalesce(continues, (SELECT other.id \(before))), \(earlier("ended")), \(earlier("ended_offset")),
        EXISTS (SELECT 1 FROM recordings AS other WHERE other.continues = recordings.id)
            OR EXISTS (SELECT 1 FROM recordings AS other WHERE \(ofSameBroadcast)
                AND other.continues IS NULL AND recordings.continues IS NOT other.id AND other.began < recordings.show_until + 86400000
                AND (other.began, other.ended, other.id) > (recordings.began, recordings.ended, recordings.id)),
        clock_step
        """
    private static let ofSameBroadcast = """
        other.station_id = recordings.station_id AND other.show_id = recordings.show_id
            AND other.show_from = recordings.show_from
        """
    /// The recording of the same broadcast before this one. A recording begins at most a day before its broadcast, and
    /// less than a day after it; with these bounds a query reads only a few rows of the index.
    private static let before = """
        FROM recordings AS other WHERE \(ofSameBroadcast) AND other.continues IS NOT recordings.id
            AND other.began >= recordings.show_from - 86400000
            AND (other.began, other.ended, other.id) < (recordings.began, recordings.ended, recordings.id)
        ORDER BY other.began DESC, other.ended DESC, other.id DESC LIMIT 1
        """

    /// A column of the recording that this one continues. If the files do not name that recording, because an older
    /// version wrote them or the state folder was lost, it is the recording of the same broadcast that began before.
    private static func earlier(_ column: String) -> String {
        """
        iif(recordings.continues IS NULL, (SELECT other.\(column) \(before)),
            (SELECT other.\(column) FROM recordings AS other WHERE other.id = recordings.continues))
        """
    }

    /// The maximum number of recordings in one list.
    package static let mostListed = 1_000

    /// The recordings that match a query, the newest first.
    package func recordings(_ query: CatalogQuery) throws(CatalogError) -> [CatalogRecording] {
        var filter = Filter()
        filter.require("station_id = ?", query.station.map(SQLValue.text))
        filter.require("show_id = ?", query.show.map(SQLValue.text))
        // The catalog does not know how long growing files are.
        filter.require("(ended >= ? OR state = 'growing')", query.from.map { .integer($0.milliseconds) })
        filter.require("began < ?", query.until.map { .integer($0.milliseconds) })
        filter.require(
            "coalesce(show_date, (show_from + show_from_offset * 1000) / 86400000) = ?",
            query.date.map { .integer($0.dayNumber) })
        filter.require(
            """
            recordings.id IN (SELECT segments.recording FROM title_words JOIN titles ON titles.id = title_words.rowid
                JOIN segments ON segments.id = titles.segment WHERE title_words MATCH ?)
            """, query.text.map { .text(SearchText.expression($0)) })
        if let key = query.after { filter.require("(began, id) < (?, ?)", .integer(key.began), .text(key.id)) }
        var found = try database.rows(
            "SELECT \(Self.columns) FROM recordings WHERE \(filter.text) ORDER BY began DESC, id DESC LIMIT ?",
            filter.values + [Self.limit(query)], CatalogRecording.init)
        for index in found.indices { try addGrowing(to: &found[index]) }
        return found
    }

    private func addGrowing(to recording: inout CatalogRecording) throws(CatalogError) {
        guard recording.state == .growing else { return }
        var wanted = Filter()
        wanted.require("segments.recording = ?", .text(recording.id))
        wanted.require("segments.state = ?", .text(Sidecar.State.growing.rawValue))
        recording.growing = try segments(wanted)
    }

    private func segments(_ wanted: Filter) throws(CatalogError) -> [CatalogSegment] {
        try database.rows(
            """
            SELECT path, file, extension, number, at, at_offset, state, bytes, frames, milliseconds, protected,
                (SELECT coalesce(sum(gaps.milliseconds), 0) FROM gaps WHERE segment = segments.id AND position > 0)
            FROM files AS segments WHERE \(wanted.text) ORDER BY at, number, path
            """, wanted.values, CatalogSegment.init)
    }

    private static func limit(_ query: CatalogQuery) -> SQLValue {
        .integer(Int64(min(max(query.limit, 0), mostListed)))
    }

    /// A recording with all its parts or, if a dot and the number of a file follow its ID, with those of that file. The
    /// number 0 means the files without a number. Nil if there is none.
    package func detail(of name: String) throws(CatalogError) -> CatalogDetail? {
        if let whole = try detail(of: name, file: nil) { return whole }
        guard let dot = name.lastIndex(of: "."), let number = Int(name[name.index(after: dot)...]) else { return nil }
        let file = try detail(of: String(name[..<dot]), file: number)
        return file?.segments.isEmpty == true ? nil : file
    }

    private func detail(of id: String, file number: Int?) throws(CatalogError) -> CatalogDetail? {
        let file = number.map { SQLValue.integer(Int64($0)) }
        let recording = try database.row(
            "SELECT \(Self.columns) FROM recordings WHERE id = ?", [.text(id)], CatalogRecording.init)
        guard var recording else { return nil }
        try addGrowing(to: &recording)
        var wanted = Filter()
        wanted.require("segments.recording = ?", .text(id))
        wanted.require("coalesce(segments.number, 0) = ?", file)
        // The first title of a file, seen by itself, may be that of the file before.
        return CatalogDetail(
            recording: recording, segments: try segments(wanted),
            titles: try titles(wanted, order: "ASC", .integer(Self.mostTitles), hasCarriedOver: file != nil),
            gaps: try parts(of: "files", where: wanted.text, wanted.values, order: "at"),
            splices: try parts(of: "files", where: wanted.text, wanted.values, order: "at"),
            copies: try copies(wanted), deleted: try deleted(of: id), file: number)
    }

    private func deleted(of recording: String) throws(CatalogError) -> [ClosedRange<Int>] {
        // Numbers that follow each other differ from their places by the same amount.
        try database.rows(
            """
            SELECT min(number), max(number) FROM (
                SELECT CAST(file AS INTEGER) AS number,
                    CAST(file AS INTEGER) - row_number() OVER (ORDER BY CAST(file AS INTEGER)) AS run
                FROM deleted_files WHERE recording = ? AND file NOT GLOB '*[^0-9]*')
            GROUP BY run ORDER BY run
            """, [.text(recording)]
        ) { Int($0.integer(0))...Int($0.integer(1)) }
    }

    /// The copies that the present or last rebuild has found, at most a hundred.
    package func newCopies() throws(CatalogError) -> [CatalogCopy] {
        var wanted = Filter()
        wanted.require("segments.since = ?", .integer(generation))
        return try copies(wanted, limit: 100)
    }

    private func copies(_ wanted: Filter, limit: Int64 = mostTitles) throws(CatalogError) -> [CatalogCopy] {
        try database.rows(
            """
            SELECT segments.path || '.' || segments.extension, files.path || '.' || files.extension
            FROM segments JOIN files ON files.recording = segments.recording AND files.file = segments.file
            WHERE files.id <> segments.id AND \(wanted.text) ORDER BY segments.path LIMIT ?
            """, wanted.values + [.integer(limit)]
        ) { CatalogCopy(path: $0.text(0) ?? "", original: $0.text(1) ?? "") }
    }

    private static let mostTitles: Int64 = 10_000

    /// Whether a title is that of the file before, and was still on air when this file began.
    private static let isCarriedOver = """
        (titles.position = 0 AND titles.at < segments.at AND EXISTS (
            SELECT 1 FROM segments AS before JOIN titles AS same ON same.segment = before.id
            WHERE before.recording = segments.recording AND before.number = segments.number - 1
                AND same.at = titles.at AND same.text = titles.text))
        """

    /// The titles that match a query, the newest first. A query without search words finds none. `query.after` is
    /// ignored.
    package func titles(_ query: CatalogQuery) throws(CatalogError) -> [CatalogTitle] {
        var filter = Filter()
        filter.require(
            "titles.id IN (SELECT rowid FROM title_words WHERE title_words MATCH ?)",
            .text(SearchText.expression(query.text ?? "")))
        filter.require("segments.station_id = ?", query.station.map(SQLValue.text))
        filter.require("segments.show_id = ?", query.show.map(SQLValue.text))
        filter.require("titles.at >= ?", query.from.map { .integer($0.milliseconds) })
        filter.require("titles.at < ?", query.until.map { .integer($0.milliseconds) })
        return try titles(filter, order: "DESC", Self.limit(query))
    }

    private func titles(
        _ filter: Filter, order: String, _ limit: SQLValue, hasCarriedOver: Bool = false
    ) throws(CatalogError) -> [CatalogTitle] {
        let condition = hasCarriedOver ? filter.text : "\(filter.text) AND NOT \(Self.isCarriedOver)"
        return try database.rows(
            """
            SELECT segments.recording, segments.station, titles.at, titles.at_offset, titles.text, titles.artist,
                titles.title
            FROM titles JOIN files AS segments ON segments.id = titles.segment
            WHERE \(condition) ORDER BY titles.at \(order) LIMIT ?
            """, filter.values + [limit]
        ) { row in
            CatalogTitle(
                recording: row.text(0) ?? "", station: row.text(1), at: row.time(2, 3) ?? .epoch,
                text: row.text(4) ?? "", artist: row.text(5), title: row.text(6))
        }
    }

    /// The bytes per second of each station, by its ID, from its latest recording of at least ``shortestForRate``.
    package func byteRates() throws(CatalogError) -> [String: Double] {
        var rates: [String: Double] = [:]
        // With max(), SQLite takes the other columns from the row that has the maximum.
        try database.run(
            """
            SELECT station_id, bytes, milliseconds, max(began) FROM recordings
            WHERE station_id IS NOT NULL AND milliseconds >= \(Self.shortestForRate) GROUP BY station_id
            """, []
        ) { row in
            rates[row.text(0) ?? ""] = Double(row.integer(1)) * 1_000 / Double(row.integer(2))
        }
        return rates
    }

    /// The length in milliseconds of the shortest recording from which a rate is computed.
    private static let shortestForRate = 10_000

    /// Passes every unit of retention to `body`, the unit with the latest end first. Its ID can be passed to
    /// ``unit(_:)``.
    package func forEachUnit(_ body: (StoredRecording) -> Void) throws(CatalogError) {
        // The least ID of a segment identifies a unit. The ID of the recording does not: a user may have changed the
        // station of some files.
        try database.run(
            """
            SELECT min(id), station_id, show_id, min(show_from), max(segments.ended) AS ended,
                sum(bytes), max(protected OR EXISTS (SELECT 1 FROM deleted_files AS deleted
                    WHERE deleted.recording = segments.recording AND deleted.file = segments.file)),
                max(state = 'growing'), recording, count(*)
            FROM files AS segments GROUP BY \(Self.unitColumns) ORDER BY ended DESC, min(id) DESC
            """, []
        ) { row in
            body(
                StoredRecording(
                    id: row.integer(0), recording: row.text(8) ?? "", station: row.text(1), show: row.text(2),
                    broadcast: row.instant(3), ended: row.instant(4), files: Int(row.integer(9)), bytes: row.integer(5),
                    isProtected: row.integer(6) != 0, isFinished: row.integer(7) == 0))
        }
    }

    /// The unit with an ID from ``forEachUnit(_:)``; nil if the unit no longer exists.
    package func unit(_ id: Int64) throws(CatalogError) -> CatalogUnit? {
        var unit: CatalogUnit?
        try database.run(
            """
            SELECT recording, station_id, show_id, bytes, path, file FROM files AS segments
            WHERE recording = (SELECT recording FROM segments WHERE id = ?1)
                AND (\(Self.unitColumns)) IS (SELECT \(Self.unitColumns) FROM segments WHERE id = ?1)
            ORDER BY at
            """, [.integer(id)]
        ) { row in
            var all =
                unit ?? CatalogUnit(recording: row.text(0) ?? "", stationID: row.text(1), showID: row.text(2))
            all.bytes = all.bytes.addingSaturated(row.integer(3))
            all.paths.append(row.text(4) ?? "")
            if let file = row.text(5) { all.files.append(file) }
            unit = all
        }
        return unit
    }

    /// The columns whose values the files of a unit share.
    private static let unitColumns = "recording, station_id, show_id, iif(show_id IS NULL, id, NULL)"
}

/// The conditions of a query in SQL, with the values of their parameters. Without conditions, every row matches.
private struct Filter {
    private(set) var text = "TRUE"
    private(set) var values: [SQLValue] = []

    /// Adds a condition, unless one of its values is nil.
    mutating func require(_ condition: String, _ wanted: SQLValue?...) {
        let given = wanted.compactMap(\.self)
        guard given.count == wanted.count else { return }
        text += " AND \(condition)"
        values += given
    }
}

/// Turns a search text into an expression of FTS5.
enum SearchText {
    private static let mostWords = 20

    /// The FTS5 expression that finds titles in which each word of the text begins a word. No part of the text acts as
    /// syntax. A text without words finds nothing.
    static func expression(_ text: String) -> String {
        let words = text.split { !$0.isLetter && !$0.isNumber }.prefix(mostWords)
        return words.isEmpty ? "\"\"" : words.map { "\"\($0)\"*" }.joined(separator: " ")
    }
}

extension CatalogRecording {
    fileprivate init(_ row: Row) {
        self.init(
            id: row.text(0) ?? "", stationID: row.text(1), station: row.text(2), show: row.show, began: row.time(9, 10),
            ended: row.time(11, 12), state: row.text(13).flatMap(Sidecar.State.init) ?? .interrupted,
            isProtected: row.integer(14) != 0, segments: Int(row.integer(15)), bytes: row.integer(16),
            frames: row.integer(17), milliseconds: row.integer(18), gaps: Int(row.integer(19)),
            missingMilliseconds: row.integer(20))
        earlier = row.text(21).map { Earlier(id: $0, ended: row.time(22, 23)) }
        isContinued = row.integer(24) != 0
        unaccounted = row.integer(25)
    }
}

extension CatalogSegment {
    fileprivate init(_ row: Row) {
        self.init(
            catalogPath: row.text(0) ?? "", file: row.text(1), fileExtension: row.text(2) ?? "",
            number: row.optionalInteger(3).map { Int(clamping: $0) }, at: row.time(4, 5),
            state: row.text(6).flatMap(Sidecar.State.init) ?? .interrupted, isProtected: row.integer(10) != 0,
            bytes: row.integer(7), frames: row.integer(8), milliseconds: row.integer(9),
            missingMilliseconds: row.integer(11))
    }
}

extension Row {
    /// A time in one column; nil if it is null or out of range.
    fileprivate func instant(_ column: Int) -> WallInstant? { time(optionalInteger(column), east: 0)?.instant }

    /// A time in two columns; nil if either is null or out of range.
    func time(_ column: Int, _ offset: Int) -> CivilTime? {
        time(optionalInteger(column), east: optionalInteger(offset))
    }

    /// The show, whose ID, name and span are in the columns 3 to 8.
    var show: Sidecar.Show? {
        guard let id = text(3), let from = time(5, 6), let until = time(7, 8) else { return nil }
        return Sidecar.Show(id: id, name: text(4) ?? id, from: from, until: until)
    }

    private func time(_ milliseconds: Int64?, east: Int64?) -> CivilTime? {
        guard let milliseconds, let east, milliseconds.magnitude < UInt64(Int64.max / 1_000_000),
            east.magnitude < 86_400
        else { return nil }
        return CivilTime(WallInstant(nanoseconds: milliseconds * 1_000_000), utcOffset: Int(east))
    }
}

extension CivilTime {
    /// Stands for an invalid time in the database.
    static let epoch = CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0)
}
