// SPDX-License-Identifier: MIT

/// The tables of the catalog, and the migration from older versions. Times are milliseconds since 1970; the offset from
/// UTC is kept beside them, in seconds.
enum Schema {
    /// Each step migrates the database to the next version. Released steps are never changed.
    static let steps = [
        """
        CREATE TABLE recordings (
            id TEXT PRIMARY KEY NOT NULL,
            station_id TEXT, station TEXT,
            show_id TEXT, show_name TEXT,
            show_from INTEGER, show_from_offset INTEGER, show_until INTEGER, show_until_offset INTEGER,
            began INTEGER NOT NULL DEFAULT 0, began_offset INTEGER,
            ended INTEGER NOT NULL DEFAULT 0, ended_offset INTEGER,
            state TEXT NOT NULL, protected INTEGER NOT NULL,
            segments INTEGER NOT NULL, bytes INTEGER NOT NULL, frames INTEGER NOT NULL, milliseconds INTEGER NOT NULL,
            gaps INTEGER NOT NULL, missing INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX recordings_by_time ON recordings (began DESC, id);
        CREATE INDEX recordings_by_station ON recordings (station_id, show_id, began DESC, id);

        CREATE TABLE segments (
            id INTEGER PRIMARY KEY,
            path TEXT NOT NULL UNIQUE,
            recording TEXT NOT NULL,
            station_id TEXT, station TEXT,
            show_id TEXT, show_name TEXT,
            show_from INTEGER, show_from_offset INTEGER, show_until INTEGER, show_until_offset INTEGER,
            number INTEGER, base TEXT NOT NULL, extension TEXT NOT NULL,
            at INTEGER, at_offset INTEGER,
            state TEXT NOT NULL, protected INTEGER NOT NULL,
            bytes INTEGER NOT NULL, frames INTEGER NOT NULL, milliseconds INTEGER NOT NULL,
            generation INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX segments_by_recording ON segments (recording, number);
        CREATE INDEX segments_by_generation ON segments (generation);

        CREATE TABLE titles (
            id INTEGER PRIMARY KEY,
            segment INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
            at INTEGER NOT NULL, at_offset INTEGER NOT NULL, position INTEGER NOT NULL,
            text TEXT NOT NULL, artist TEXT, title TEXT
        ) STRICT;
        CREATE INDEX titles_by_segment ON titles (segment);
        CREATE VIRTUAL TABLE title_words USING fts5 (text, content = 'titles', content_rowid = 'id');

        CREATE TABLE gaps (
            segment INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
            at INTEGER NOT NULL, at_offset INTEGER NOT NULL, milliseconds INTEGER, cause TEXT NOT NULL,
            position INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX gaps_by_segment ON gaps (segment);

        CREATE TABLE splices (
            segment INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
            at INTEGER NOT NULL, at_offset INTEGER NOT NULL, position INTEGER NOT NULL, dropped INTEGER NOT NULL,
            method TEXT NOT NULL
        ) STRICT;
        CREATE INDEX splices_by_segment ON splices (segment);

        -- One row once all sidecars have been read.
        CREATE TABLE completeness (id INTEGER PRIMARY KEY CHECK (id = 1)) STRICT;
        """,
        """
        -- When the file's audio ended on air: its gaps took air time, too. The gap before the first frame does not count.
        ALTER TABLE segments ADD COLUMN ended INTEGER;
        -- The recording that this one continues, according to its first file.
        ALTER TABLE segments ADD COLUMN continues TEXT;
        ALTER TABLE recordings ADD COLUMN continues TEXT;
        CREATE INDEX recordings_by_continued ON recordings (continues) WHERE continues IS NOT NULL;
        UPDATE segments SET ended = at + milliseconds + (SELECT coalesce(sum(gaps.milliseconds), 0) FROM gaps
            WHERE gaps.segment = segments.id AND gaps.position > 0) WHERE at IS NOT NULL;
        UPDATE recordings SET ended = coalesce((SELECT max(segments.ended) FROM segments
            WHERE segments.recording = recordings.id), ended);
        """,
        """
        -- Which file of its recording this is (Sidecar.fileOfRecording): segments of the same value are copies.
        ALTER TABLE segments ADD COLUMN file TEXT;
        ALTER TABLE segments ADD COLUMN checksum INTEGER;
        -- The rebuild that found the file at this path, or after which a recording wrote it.
        ALTER TABLE segments ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX segments_by_file ON segments (recording, file);
        CREATE INDEX segments_by_bytes ON segments (bytes);
        -- The segments that count. Of several copies, that is the most complete one, then the one that was known first,
        -- then the one with the shallowest and shortest path. Any order of writing leads to the same one.
        CREATE VIEW files AS SELECT * FROM segments WHERE NOT EXISTS (
            SELECT 1 FROM segments AS other WHERE other.recording = segments.recording AND other.file = segments.file
                -- With this, a file without copies takes no more than a look into the index.
                AND other.id <> segments.id
                AND (-other.frames, other.since, length(other.path) - length(replace(other.path, '/', '')),
                    length(other.path), other.path)
                < (-segments.frames, segments.since, length(segments.path) - length(replace(segments.path, '/', '')),
                    length(segments.path), segments.path));
        -- The files that the daemon has deleted. Copies of them belong to the user, so retention leaves them alone.
        CREATE TABLE deleted_files (recording TEXT NOT NULL, file TEXT NOT NULL, PRIMARY KEY (recording, file))
            STRICT, WITHOUT ROWID;
        -- The sidecars have to be read once more for the new columns.
        DELETE FROM completeness;
        """,
        """
        -- How far the clock was set forward while the audio was recorded (Sidecar.clockStep), and at which frame.
        ALTER TABLE segments ADD COLUMN clock_step INTEGER;
        ALTER TABLE segments ADD COLUMN clock_step_position INTEGER;
        ALTER TABLE recordings ADD COLUMN clock_step INTEGER NOT NULL DEFAULT 0;
        -- The date of the broadcast (Sidecar.Show.date), in days since 1970.
        ALTER TABLE segments ADD COLUMN show_date INTEGER;
        ALTER TABLE recordings ADD COLUMN show_date INTEGER;
        """,
        """
        -- Audio that is not the station's (Sidecar.foreign).
        CREATE TABLE foreign_stretches (
            segment INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
            at INTEGER NOT NULL, at_offset INTEGER NOT NULL, milliseconds INTEGER NOT NULL, position INTEGER NOT NULL,
            frames INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX foreign_stretches_by_segment ON foreign_stretches (segment);
        -- The sidecars have to be read once more for the new table.
        DELETE FROM completeness;
        """,
    ]

    /// Brings a database to the present version.
    static func migrate(_ database: Database) throws(CatalogError) {
        var version: Int64 = 0
        try database.run("PRAGMA user_version", []) { version = $0.integer(0) }
        guard version <= Int64(steps.count) else { throw .newer(version: version) }
        for step in Int(max(0, version))..<steps.count {
            try database.transaction { () throws(CatalogError) in
                try database.run(steps[step])
                try database.run("PRAGMA user_version = \(step + 1)")
            }
        }
    }
}
