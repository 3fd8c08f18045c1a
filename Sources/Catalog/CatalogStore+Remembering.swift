// SPDX-License-Identifier: MIT

package import RadioCore

// The catalog knows a file's sidecar longer than the disk does if somebody deletes only the sidecar.
extension CatalogStore {
    /// Whether the catalog knows a finished file at this path from a sidecar. `path`: below the recordings folder,
    /// without extension.
    package func remembers(path: [String]) throws(CatalogError) -> Bool {
        try database.has(
            "SELECT 1 FROM segments WHERE path = ? AND \(Self.isKnown)", [.text(path.joined(separator: "/"))])
    }

    /// Whether the catalog knows a finished file of this many bytes from a sidecar.
    package func remembers(bytes: Int64) throws(CatalogError) -> Bool {
        try database.has("SELECT 1 FROM segments WHERE bytes = ? AND \(Self.isKnown) LIMIT 1", [.integer(bytes)])
    }

    /// Adds to a description of audio what the catalog knows of that audio, at its path or at another: the audio may be
    /// a copy, or may have lost its sidecar as well as its name. Returns nil if it knows nothing.
    package func restore(_ found: Sidecar, path: [String]) throws(CatalogError) -> Sidecar? {
        let known = try database.row(
            """
            SELECT path FROM segments
            WHERE (path = ?1 OR checksum = ?2) AND frames = ?3 AND \(Self.isKnown)
            ORDER BY path <> ?1, path LIMIT 1
            """,
            [
                .text(path.joined(separator: "/")), SQLValue(found.checksum.map { Int64(bitPattern: $0) }),
                .integer(found.frames),
            ]
        ) { $0.text(0) }
        guard let known else { return nil }
        let path = SQLValue.text(known)
        var sidecar = found
        try database.run(
            """
            SELECT recording, station_id, station, show_id, show_name, show_from, show_from_offset, show_until,
                show_until_offset, number, at, at_offset, state, protected, continues, clock_step, clock_step_position,
                show_date
            FROM segments WHERE path = ?
            """, [path]
        ) { row in
            (sidecar.recording, sidecar.stationID, sidecar.station) = (row.text(0), row.text(1), row.text(2))
            sidecar.show = row.show
            sidecar.show?.date = row.optionalInteger(17).map { CalendarDate(dayNumber: $0) }
            sidecar.number = row.optionalInteger(9).map { Int(clamping: $0) }
            sidecar.at = row.time(10, 11)
            sidecar.state = row.text(12).flatMap(Sidecar.State.init) ?? .complete
            sidecar.isProtected = row.integer(13) != 0
            sidecar.continues = row.text(14)
            if let step = row.optionalInteger(15), let position = row.optionalInteger(16) {
                sidecar.clockStep = Sidecar.ClockStep(position: position, milliseconds: step)
            }
        }
        sidecar.titles += try parts(of: "segments", where: "path = ?", [path], order: "rowid")
        sidecar.gaps += try parts(of: "segments", where: "path = ?", [path], order: "rowid")
        sidecar.foreign += try parts(of: "segments", where: "path = ?", [path], order: "rowid")
        sidecar.splices += try parts(of: "segments", where: "path = ?", [path], order: "rowid")
        return sidecar
    }

    /// A finished file that the catalog knows from a sidecar.
    private static let isKnown = "state <> 'growing' AND \(UndescribedFile.isDescribed)"
}
