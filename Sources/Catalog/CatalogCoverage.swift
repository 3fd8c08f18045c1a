// SPDX-License-Identifier: MIT

package import Instants

/// The files of a broadcast of a show, with their gaps. Times are milliseconds since 1970.
package struct CatalogCoverage: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package var file: CatalogFile
        package var at: Int64
        /// When the file's audio ended on air.
        package var end: Int64
        /// The length of the file's audio.
        package var audio: Int64
        package var gaps: [Gap] = []
        /// The times that the clock left out when it was set forward; nil if it was not.
        package var leftOut: Gap?

        package init(_ file: CatalogFile, at: Int64, end: Int64, audio: Int64, gaps: [Gap] = []) {
            (self.file, self.at, self.end, self.audio, self.gaps) = (file, at, end, audio, gaps)
        }
    }

    package struct Gap: Hashable, Sendable {
        package var at: Int64
        /// The length of the gap; 0 if unknown.
        package var length: Int64
        package var cause: String

        package init(at: Int64, length: Int64, cause: String = "") {
            (self.at, self.length, self.cause) = (at, length, cause)
        }
    }

    package var files: [File] = []

    package init() {}
}

extension CatalogStore {
    /// The files of one broadcast of a show. `start`: the scheduled start of the broadcast's recording.
    package func coverage(
        station: String, show: String, from start: WallInstant
    ) throws(CatalogError) -> CatalogCoverage {
        try coverage(
            "station_id = ? AND show_id = ? AND show_from = ?",
            [.text(station), .text(show), .integer(start.milliseconds)])
    }

    /// The files of these recordings.
    package func coverage(ofRecordings ids: [String]) throws(CatalogError) -> CatalogCoverage {
        let marks = Array(repeating: "?", count: ids.count).joined(separator: ", ")
        return try coverage("recording IN (\(marks))", ids.map { .text($0) })
    }

    private func coverage(_ condition: String, _ values: [Value]) throws(CatalogError) -> CatalogCoverage {
        var coverage = CatalogCoverage()
        var segment: Int64?
        try database.run(
            """
            SELECT segments.id, segments.at, segments.milliseconds, gaps.at, coalesce(gaps.milliseconds, 0),
                recording, path, extension, coalesce(ended, segments.at + segments.milliseconds), gaps.cause,
                clock_step, segments.at + clock_step_position * segments.milliseconds / max(segments.frames, 1)
                    + coalesce((SELECT sum(before.milliseconds) FROM gaps AS before WHERE before.segment = segments.id
                        AND before.position BETWEEN 1 AND clock_step_position), 0)
            FROM files AS segments LEFT JOIN gaps ON gaps.segment = segments.id
            WHERE segments.at IS NOT NULL AND \(condition)
            ORDER BY segments.at, segments.id, gaps.at
            """, values
        ) { row in
            if segment != row.integer(0) {
                segment = row.integer(0)
                coverage.files.append(
                    .init(
                        CatalogFile(row, from: 5), at: row.integer(1), end: row.integer(8), audio: row.integer(2)))
                if let step = row.optionalInteger(10), step > 0, let at = row.optionalInteger(11) {
                    coverage.files[coverage.files.count - 1].leftOut = .init(at: at, length: step)
                }
            }
            guard let at = row.optionalInteger(3) else { return }
            coverage.files[coverage.files.count - 1].gaps.append(
                .init(at: at, length: row.integer(4), cause: row.text(9) ?? ""))
        }
        return coverage
    }

    /// When the audio of a recording ended on air; nil if there is no such recording, or its air time is unknown.
    package func end(ofRecording id: String) throws(CatalogError) -> WallInstant? {
        var end: Int64?
        try database.run("SELECT max(ended) FROM files WHERE recording = ?", [.text(id)]) {
            end = $0.optionalInteger(0)
        }
        return end.map { WallInstant(nanoseconds: 0) + .milliseconds($0) }
    }

    /// The first file of a broadcast; nil if there is none.
    package func firstFile(
        ofStation station: String, show: String, from start: WallInstant
    ) throws(CatalogError) -> CatalogFile? {
        try files(
            where: "station_id = ? AND show_id = ? AND show_from = ?",
            [.text(station), .text(show), .integer(start.milliseconds)]
        ).first
    }

    /// The files of a station's recordings without a show that may overlap a span, ordered by start time. The catalog
    /// knows growing files as they were when they began, so all that began before the end of the span are included.
    package func logFiles(of station: String, in span: Range<WallInstant>) throws(CatalogError) -> [CatalogFile] {
        try files(
            where: "station_id = ? AND show_id IS NULL AND at < ? AND (ended > ? OR state = 'growing')",
            [.text(station), .integer(span.upperBound.milliseconds), .integer(span.lowerBound.milliseconds)])
    }

    private func files(where condition: String, _ values: [Value]) throws(CatalogError) -> [CatalogFile] {
        var files: [CatalogFile] = []
        try database.run(
            "SELECT recording, path, extension FROM files WHERE at IS NOT NULL AND \(condition) ORDER BY at", values
        ) { files.append(CatalogFile($0)) }
        return files
    }
}

/// A file in the catalog.
package struct CatalogFile: Hashable, Sendable {
    package var recording: String
    /// The path below the recordings folder.
    package var path: [String]

    package init(recording: String, path: [String]) {
        (self.recording, self.path) = (recording, path)
    }

    /// The absolute path in a recordings folder.
    package func path(in folder: String) -> String { ([folder] + path).joined(separator: "/") }

    /// Reads a file from a row of a result. `column`: the number of the first of the three columns `recording`, `path`
    /// and `extension`.
    fileprivate init(_ row: Row, from column: Int = 0) {
        let name = (row.text(column + 1) ?? "") + "." + (row.text(column + 2) ?? "")
        self.init(recording: row.text(column) ?? "", path: name.split(separator: "/").map(String.init))
    }
}
