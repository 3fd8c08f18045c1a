// SPDX-License-Identifier: MIT

import Glibc
package import RadioCore
import RadioFormats

/// The catalog: an index of the sidecars in a recordings folder, in an SQLite database. It can be rebuilt from them at
/// any time, so losing it loses nothing.
///
/// Confined to one thread; all calls block.
package final class CatalogStore {
    package static let name = "catalog.sqlite"
    /// The name of an empty file in the state folder, which is there while the catalog has missed no change. It can be
    /// removed even if the disk is full and nothing can be noted in the catalog.
    private static let currentName = "catalog.current"

    /// The result of opening the catalog.
    package struct Opening: Hashable, Sendable {
        /// The path to which a damaged catalog was renamed; nil if it was not damaged.
        package var setAside: String?
        /// What was wrong with the damaged catalog; nil if it was not damaged.
        package var damage: String?
        /// Whether the catalog is new or has missed changes, so that it has to be rebuilt from the sidecars.
        package var isNew = false
    }

    package let opening: Opening
    let database: Database
    private let folder: String
    private let path: String
    private let file: ino_t
    /// The number of the present or last rebuild. A segment with an older number was not found by that rebuild.
    private(set) var generation: Int64
    /// The limit for the milliseconds, bytes or frames of one file or gap. Larger numbers are cut to it, so that sums
    /// fit in 64 bits.
    static let mostOfOne: Int64 = 1 << 42

    /// Opens or creates the catalog in a state folder. A damaged catalog is renamed, and replaced by a new one.
    /// `damage`: a fault that was found earlier, for which the catalog is renamed without being opened; nil for none.
    package init(folder: String, damage: String? = nil) throws(CatalogError) {
        let path = "\(folder)/\(Self.name)"
        var opening = Opening()
        do throws(CatalogError) {
            if let damage { throw .damaged(damage) }
            database = try Self.open(path)
        } catch {
            guard case .damaged(let why) = error else { throw error }
            opening.setAside = try Self.setAside(path)
            opening.damage = why
            database = try Self.open(path)
        }
        self.path = path
        file = Self.status(of: path)?.st_ino ?? 0
        generation = try database.row("SELECT max(generation) FROM segments") { $0.integer(0) } ?? 0
        let missed = Self.status(of: "\(folder)/\(Self.currentName)") == nil
        opening.isNew = try !database.has("SELECT 1 FROM completeness") || missed
        self.opening = opening
        self.folder = folder
    }

    /// Opens the catalog in a state folder for reading only. Throws if there is none.
    package init(reading folder: String) throws(CatalogError) {
        self.folder = folder
        path = "\(folder)/\(Self.name)"
        guard let status = Self.status(of: path), status.st_mode & S_IFMT == S_IFREG else {
            throw .failed(ENOENT, "there is no catalog at \(path)")
        }
        database = try Database(path: path)
        try database.run("PRAGMA query_only = ON")
        (file, generation, opening) = (status.st_ino, 0, Opening())
    }

    /// Whether the database is still the file at its path. Data written to a deleted file is lost.
    package var isInPlace: Bool { Self.status(of: path)?.st_ino == file }

    private static func open(_ path: String) throws(CatalogError) -> Database {
        let status = Self.status(of: path)
        // SQLite accepts an empty file as a new database. For a folder it reports only that it cannot be opened.
        if let status, status.st_mode & S_IFMT != S_IFREG { throw .damaged("it is not a file") }
        let database = try Database(path: path)
        try database.run("PRAGMA journal_mode = WAL")
        try database.run("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -4096")
        let findings = try database.row("PRAGMA quick_check(1)") { $0.text(0) } ?? ""
        guard findings == "ok" else { throw .damaged(findings) }
        try Schema.migrate(database)
        return database
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(path.pathBytes, &status) == 0 ? status : nil
    }

    /// Renames the database and its journals to names that are not in use.
    private static func setAside(_ path: String) throws(CatalogError) -> String {
        var number = 1
        while status(of: "\(path).bad-\(number)") != nil, number < 1_000 { number += 1 }
        let name = "\(path).bad-\(number)"
        guard rename(path.pathBytes, name.pathBytes) == 0 || errno == ENOENT else {
            throw .failed(errno, "the damaged catalog \(path) cannot be renamed")
        }
        for end in ["-wal", "-shm"] { rename((path + end).pathBytes, (name + end).pathBytes) }
        return name
    }
}

// MARK: - Writing

extension CatalogStore {
    /// Adds segments. A segment replaces the one with the same path. If audio has lost its sidecar, what is known from
    /// the sidecar is kept, unless `forgetsLost`.
    package func put(_ segments: [LibrarySegment], forgetsLost: Bool = false) throws(CatalogError) {
        try database.transaction { () throws(CatalogError) in
            var recordings: Set<String> = []
            for segment in segments {
                let hasLost = segment.audio != nil && !segment.isGrowing && segment.sidecar == nil
                if hasLost, !forgetsLost, try remembers(path: segment.folders + [segment.base]) {
                    let path = SQLValue.text(segment.catalogPath)
                    try database.run("UPDATE segments SET generation = ? WHERE path = ?", [.integer(generation), path])
                } else {
                    recordings.formUnion(try put(segment))
                }
            }
            for recording in recordings { try updateTotals(of: recording) }
        }
    }

    /// Removes segments of a recording, by the paths of ``CatalogUnit``. `wereDeleted`: whether the daemon has deleted
    /// them, so that retention leaves their copies alone from now on.
    package func remove(
        paths: [String], of recording: String, wereDeleted: Bool = false
    ) throws(CatalogError) {
        try database.transaction { () throws(CatalogError) in
            for path in paths {
                if wereDeleted {
                    try database.run(
                        """
                        INSERT OR IGNORE INTO deleted_files (recording, file)
                        SELECT ?, file FROM segments WHERE path = ? AND file IS NOT NULL
                        """, [.text(recording), .text(path)])
                }
                try forget(where: "path = ?", .text(path))
            }
            try updateTotals(of: recording)
        }
    }

    /// Keeps the names of files of a recording that the daemon has deleted, as in ``CatalogUnit``, so that retention
    /// leaves their copies alone.
    package func noteDeleted(_ files: [String], of recording: String) throws(CatalogError) {
        for file in files {
            try database.run(
                "INSERT OR IGNORE INTO deleted_files (recording, file) VALUES (?, ?)", [.text(recording), .text(file)])
        }
    }

    /// Removes the segment whose audio, complete or growing, has this path below the recordings folder.
    package func forget(path: [String]) throws(CatalogError) {
        var name = path.last ?? ""
        if name.hasSuffix(".part") { name.removeLast(5) }
        let base = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        let key = (path.dropLast() + [base]).joined(separator: "/")
        let query = "SELECT recording FROM segments WHERE path = ?"
        let recording = try database.row(query, [.text(key)]) { $0.text(0) }
        if let recording { try remove(paths: [key], of: recording) }
    }

    /// The other paths, as in ``CatalogUnit``, at which the catalog knows this file of its recording: those of copies,
    /// or the former path of a file that was renamed.
    package func otherPaths(of segment: LibrarySegment) throws(CatalogError) -> [String] {
        guard let recording = segment.sidecar?.recording, let file = segment.sidecar?.fileOfRecording else { return [] }
        return try database.rows(
            "SELECT path FROM segments WHERE recording = ? AND file = ? AND path <> ?",
            [.text(recording), .text(file), .text(segment.catalogPath)]
        ) { $0.text(0) }
    }

    /// Whether the last rebuild is finished. Until then the catalog does not know all recordings.
    package var isComplete: Bool {
        get throws(CatalogError) { try database.has("SELECT 1 FROM completeness") }
    }

    /// Whether the catalog knows all recordings as they are: the last rebuild is finished, and has missed no change
    /// since it began.
    package var isCurrent: Bool {
        get throws(CatalogError) { try isComplete && Self.status(of: "\(folder)/\(Self.currentName)") != nil }
    }

    /// Removes the mark of a complete catalog, because a change was missed, until the next rebuild begins.
    package static func noteMissed(in folder: String) { unlink("\(folder)/\(currentName)".pathBytes) }

    /// Begins a rebuild. ``finishRebuilding()`` removes every segment that was not put since this call. Until then the
    /// catalog counts as new, also when it is opened again.
    package func beginRebuilding() throws(CatalogError) {
        try database.run("DELETE FROM completeness", [])
        let file = Glibc.open("\(folder)/\(Self.currentName)".pathBytes, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed(errno, "\(folder)/\(Self.currentName) cannot be created") }
        close(file)
        generation += 1
    }

    package func finishRebuilding() throws(CatalogError) {
        try database.transaction { () throws(CatalogError) in
            let recordings = try database.rows(
                "SELECT DISTINCT recording FROM segments WHERE generation < ?", [.integer(generation)]
            ) { $0.text(0) }
            try forget(where: "generation < ?", .integer(generation))
            for recording in recordings { try updateTotals(of: recording) }
            try database.run("INSERT OR IGNORE INTO completeness VALUES (1)", [])
        }
    }

    /// Whether there are no segments.
    package func isEmpty() throws(CatalogError) -> Bool {
        try !database.has("SELECT 1 FROM segments LIMIT 1")
    }

    /// Removes segments with all that belongs to them. The words of titles are not removed by a trigger, because no
    /// trigger may change a virtual table with `trusted_schema` off.
    private func forget(where condition: String, _ value: SQLValue) throws(CatalogError) {
        try database.run(
            """
            INSERT INTO title_words (title_words, rowid, text) SELECT 'delete', titles.id, text FROM titles
            JOIN segments ON segments.id = titles.segment WHERE \(condition)
            """, [value])
        try database.run("DELETE FROM segments WHERE \(condition)", [value])
    }

    /// Returns the recordings whose totals have changed.
    private func put(_ segment: LibrarySegment) throws(CatalogError) -> Set<String> {
        let path = segment.catalogPath
        let file = segment.sidecar?.fileOfRecording
        var recordings: Set<String> = []
        var since = generation
        try database.run("SELECT recording, file, since FROM segments WHERE path = ?", [.text(path)]) { row in
            if let id = row.text(0) { recordings.insert(id) }
            if row.text(0) == segment.sidecar?.recording, row.text(1) == file { since = row.integer(2) }
        }
        try forget(where: "path = ?", .text(path))
        // A sidecar without its audio is not listed.
        guard let audio = segment.audio else { return recordings }
        let sidecar = segment.sidecar
        let recording = sidecar?.recording ?? UndescribedFile.id(at: path)
        recordings.insert(recording)
        let show = sidecar?.show
        let state = segment.isGrowing ? Sidecar.State.growing : sidecar?.state ?? .complete
        try database.insert(
            into: "segments",
            [
                ("path", .text(path)), ("recording", .text(recording)), ("station_id", .init(sidecar?.stationID)),
                ("station", .init(sidecar?.station)), ("show_id", .init(show?.id)), ("show_name", .init(show?.name)),
                ("show_from", .init(show?.broadcast.milliseconds)), ("show_from_offset", .init(show?.broadcast.offset)),
                ("show_until", .init(show?.until.milliseconds)), ("show_until_offset", .init(show?.until.offset)),
                ("show_date", .init(show?.date?.dayNumber)), ("number", .init(sidecar?.number.map(Int64.init))),
                ("base", .text(segment.base)), ("extension", .text(audio.fileExtension)),
                ("at", .init(sidecar?.at?.milliseconds)), ("at_offset", .init(sidecar?.at?.offset)),
                ("ended", .init(sidecar?.endOfAudio?.milliseconds)), ("state", .text(state.rawValue)),
                ("protected", .init(sidecar?.isProtected ?? false)),
                ("bytes", .integer(min(audio.bytes, Self.mostOfOne))),
                ("frames", .integer(min(sidecar?.frames ?? 0, Self.mostOfOne))),
                ("milliseconds", .integer(sidecar?.milliseconds ?? 0)), ("continues", .init(sidecar?.continues)),
                ("file", .init(file)), ("checksum", .init(sidecar?.checksum.map { Int64(bitPattern: $0) })),
                ("generation", .integer(generation)), ("since", .integer(since)),
                ("clock_step", .init(sidecar?.clockStep?.bounded)),
                ("clock_step_position", .init(sidecar?.clockStep?.position)),
            ])
        if let sidecar { try putParts(of: sidecar) }
        return recordings
    }

    /// Adds the parts of the segment that was added last.
    private func putParts(of sidecar: Sidecar) throws(CatalogError) {
        guard let segment = try database.row("SELECT last_insert_rowid()", [], { $0.integer(0) }) else { return }
        for title in sidecar.titles {
            try put(title, of: segment)
            try database.run(
                "INSERT INTO title_words (rowid, text) VALUES (last_insert_rowid(), ?)", [.text(title.text)])
        }
        for gap in sidecar.gaps { try put(gap, of: segment) }
        for splice in sidecar.splices { try put(splice, of: segment) }
        for stretch in sidecar.foreign.compactMap({ $0.clamped(to: 0..<sidecar.frames) }) {
            try put(stretch, of: segment)
        }
    }

    /// Computes a recording's totals from its segments, and removes the recording if it has none left.
    private func updateTotals(of recording: String) throws(CatalogError) {
        try database.run("DELETE FROM recordings WHERE id = ?", [.text(recording)])
        try database.run(
            """
            INSERT INTO recordings
            SELECT recording, max(station_id), max(station), max(show_id), max(show_name), max(show_from),
                max(show_from_offset), max(show_until), max(show_until_offset),
                coalesce(min(at), 0), (SELECT at_offset FROM files WHERE recording = ?1 ORDER BY at LIMIT 1),
                coalesce(max(ended), 0),
                (SELECT at_offset FROM files WHERE recording = ?1 ORDER BY at DESC LIMIT 1),
                CASE WHEN max(state = 'growing') THEN 'growing' WHEN max(state = 'interrupted') THEN 'interrupted'
                    ELSE 'complete' END,
                max(protected), count(*), sum(bytes), sum(frames), sum(milliseconds),
                (SELECT count(*) FROM gaps JOIN files ON gaps.segment = files.id WHERE recording = ?1),
                (SELECT coalesce(sum(gaps.milliseconds), 0) FROM gaps JOIN files ON gaps.segment = files.id
                    WHERE recording = ?1),
                max(continues),
                max(0, coalesce(max(ended) - min(at), 0)) - sum(milliseconds)
                    - (SELECT coalesce(sum(gaps.milliseconds), 0) FROM gaps JOIN files ON gaps.segment = files.id
                        WHERE recording = ?1 AND (position > 0 OR files.id <> (SELECT id FROM files
                            WHERE recording = ?1 ORDER BY coalesce(number, 0), at LIMIT 1))),
                max(show_date)
            FROM files WHERE recording = ?1 GROUP BY recording
            """, [.text(recording)])
    }
}

extension LibrarySegment {
    /// The path of the segment without an extension, by which the catalog knows it: it stays the same when the audio
    /// gets its final name.
    fileprivate var catalogPath: String { (folders + [base]).joined(separator: "/") }
}

extension CivilTime {
    fileprivate var offset: Int64 { Int64(utcOffset) }
}

extension Sidecar {
    /// Which file of its recording this describes; nil if that is unknown. A number stands for one file, so two
    /// segments of a recording with the same number are copies, even if one was copied while it grew. Files without a
    /// number, such as the beginning of a show, are told apart by their air time and length.
    fileprivate var fileOfRecording: String? {
        guard recording != nil else { return nil }
        return number.map { "\($0)" } ?? at.map { "\($0.milliseconds) \(frames)" }
    }

    /// The length in milliseconds. It is bounded, so that sums of these values do not overflow, whatever somebody has
    /// written into a sidecar.
    fileprivate var milliseconds: Int64 {
        Int64(min(format.seconds(of: samples) * 1_000, Double(CatalogStore.mostOfOne)).rounded())
    }
}

extension Sidecar.ClockStep {
    /// The milliseconds, bounded for the same reason.
    fileprivate var bounded: Int64 { min(max(milliseconds, -CatalogStore.mostOfOne), CatalogStore.mostOfOne) }
}
