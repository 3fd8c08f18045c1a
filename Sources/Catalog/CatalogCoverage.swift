// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// The files of a broadcast of a show, or of recordings, with what is missing in them.
package struct CatalogCoverage: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package var file: CatalogFile
        package var station: String?
        package var at: WallInstant
        /// When the file's audio ended on air.
        package var end: WallInstant
        package var frames: Int64
        /// The length of the file's audio.
        package var audio: Duration
        package var gaps: [Sidecar.Gap] = []
        package var foreign: [Sidecar.Stretch] = []
        /// The times that the clock left out when it was set forward; nil if it was not.
        package var leftOut: Range<WallInstant>?

        package init(_ file: CatalogFile, at: WallInstant, end: WallInstant, frames: Int64, audio: Duration) {
            (self.file, self.at, self.end, self.frames, self.audio) = (file, at, max(at, end), frames, audio)
        }
    }

    package var files: [File] = []

    package init() {}
}

extension [CatalogCoverage.File] {
    /// What of a recording is the station's. These are its files, in order.
    package var own: OwnAudio {
        var (gaps, foreign, frames) = ([Sidecar.Gap](), [Sidecar.Stretch](), Int64(0))
        for file in self {
            for var gap in file.gaps {
                gap.position = frames + Swift.min(gap.position, file.frames)
                gaps.append(gap)
            }
            for var stretch in file.foreign {
                stretch.position += frames
                foreign.append(stretch)
            }
            frames += file.frames
        }
        let files = map { OwnAudio.File(station: $0.station, at: $0.at, end: $0.end, frames: $0.frames) }
        return OwnAudio(frames: frames, files: files, gaps: gaps, foreign: foreign)
    }
}

extension CatalogStore {
    /// The files of one broadcast of a show. `start`: the scheduled start that its recordings have.
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

    private func coverage(_ condition: String, _ values: [SQLValue]) throws(CatalogError) -> CatalogCoverage {
        var coverage = CatalogCoverage()
        var indices: [Int64: Int] = [:]
        try database.run(
            """
            SELECT recording, path, extension, id, station, at, coalesce(ended, at + milliseconds), frames,
                milliseconds, clock_step, at + clock_step_position * milliseconds / max(frames, 1)
                    + coalesce((SELECT sum(before.milliseconds) FROM gaps AS before WHERE before.segment = files.id
                        AND before.position BETWEEN 1 AND clock_step_position), 0)
            FROM files WHERE at IS NOT NULL AND \(condition) ORDER BY at, id
            """, values
        ) { row in
            indices[row.integer(3)] = coverage.files.count
            var file = CatalogCoverage.File(
                CatalogFile(row), at: .epoch(row.integer(5)), end: .epoch(row.integer(6)), frames: row.integer(7),
                audio: .milliseconds(row.integer(8)))
            file.station = row.text(4)
            if let step = row.optionalInteger(9), step > 0, let at = row.optionalInteger(10) {
                let start = WallInstant.epoch(at)
                file.leftOut = start..<start + .milliseconds(step)
            }
            coverage.files.append(file)
        }
        func each<Part: CatalogPart>(_ add: (Part, Int) -> Void) throws(CatalogError) {
            try database.run(
                """
                SELECT \(Part.selection), segment FROM \(Part.table) JOIN files ON files.id = segment
                WHERE \(condition) ORDER BY \(Part.table).rowid
                """, values
            ) { row in if let index = indices[row.integer(Part.columns.count)] { add(Part(row), index) } }
        }
        try each { coverage.files[$1].gaps.append($0) }
        try each { coverage.files[$1].foreign.append($0) }
        return coverage
    }

    /// When the audio of a recording ended on air; nil if there is no such recording, or its air time is unknown.
    package func end(ofRecording id: String) throws(CatalogError) -> WallInstant? {
        try database.row("SELECT max(ended) FROM files WHERE recording = ?", [.text(id)]) { $0.optionalInteger(0) }
            .map(WallInstant.epoch)
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

    /// The files that were growing when they were noted last.
    package func growingFiles() throws(CatalogError) -> [CatalogFile] { try files(where: "state = 'growing'", []) }

    private func files(where condition: String, _ values: [SQLValue]) throws(CatalogError) -> [CatalogFile] {
        try database.rows(
            "SELECT recording, path, extension FROM files WHERE at IS NOT NULL AND \(condition) ORDER BY at", values,
            CatalogFile.init)
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

    /// Reads `recording`, `path` and `extension`.
    fileprivate init(_ row: Row) {
        let name = (row.text(1) ?? "") + "." + (row.text(2) ?? "")
        self.init(recording: row.text(0) ?? "", path: name.split(separator: "/").map(String.init))
    }
}

extension WallInstant {
    fileprivate static func epoch(_ milliseconds: Int64) -> WallInstant {
        WallInstant(nanoseconds: 0) + .milliseconds(milliseconds)
    }
}
