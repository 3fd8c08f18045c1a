// SPDX-License-Identifier: MIT

package import RadioCore

// The catalog knows a file's sidecar longer than the disk does if somebody deletes only the sidecar.
extension CatalogStore {
    /// Whether the catalog knows a finished file at this path from a sidecar. `path`: below the recordings folder,
    /// without extension.
    package func remembers(path: [String]) throws(CatalogError) -> Bool {
        var remembers = false
        try database.run(
            "SELECT 1 FROM segments WHERE path = ? AND \(Self.isKnown)",
            [.text(path.joined(separator: "/"))]
        ) { _ in remembers = true }
        return remembers
    }

    /// Whether the catalog knows a finished file of this many bytes from a sidecar.
    package func remembers(bytes: Int64) throws(CatalogError) -> Bool {
        var remembers = false
        try database.run(
            "SELECT 1 FROM segments WHERE bytes = ? AND \(Self.isKnown) LIMIT 1",
            [.integer(bytes)]
        ) { _ in remembers = true }
        return remembers
    }

    /// Adds to a description of audio what the catalog knows of that audio, at its path or at another: the audio may be
    /// a copy, or may have lost its sidecar as well as its name. Returns nil if it knows nothing.
    package func restore(_ found: Sidecar, path: [String]) throws(CatalogError) -> Sidecar? {
        var known: String?
        try database.run(
            """
            SELECT path FROM segments
            WHERE (path = ?1 OR checksum = ?2) AND frames = ?3 AND \(Self.isKnown)
            ORDER BY path <> ?1, path LIMIT 1
            """,
            [
                .text(path.joined(separator: "/")), Value(found.checksum.map { Int64(bitPattern: $0) }),
                .integer(found.frames),
            ]
        ) { known = $0.text(0) }
        guard let known else { return nil }
        let path = Value.text(known)
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
            if let id = row.text(3), let from = row.time(5, 6), let until = row.time(7, 8) {
                sidecar.show = Sidecar.Show(
                    id: id, name: row.text(4) ?? id, from: from, until: until,
                    date: row.optionalInteger(17).map { CalendarDate(dayNumber: $0) })
            }
            sidecar.number = row.optionalInteger(9).map { Int(clamping: $0) }
            sidecar.at = row.time(10, 11)
            sidecar.state = row.text(12).flatMap(Sidecar.State.init) ?? .complete
            sidecar.isProtected = row.integer(13) != 0
            sidecar.continues = row.text(14)
            if let step = row.optionalInteger(15), let position = row.optionalInteger(16) {
                sidecar.clockStep = Sidecar.ClockStep(position: position, milliseconds: step)
            }
        }
        try database.run(
            "SELECT at, at_offset, position, text FROM titles WHERE \(Self.ofSegment) ORDER BY position", [path]
        ) { row in
            guard let at = row.time(0, 1) else { return }
            sidecar.titles.append(Sidecar.Title(at: at, position: row.integer(2), text: row.text(3) ?? ""))
        }
        try database.run(
            "SELECT at, at_offset, milliseconds, cause, position FROM gaps WHERE \(Self.ofSegment) ORDER BY position",
            [path]
        ) { row in
            guard let at = row.time(0, 1) else { return }
            sidecar.gaps.append(
                Sidecar.Gap(
                    at: at, milliseconds: row.optionalInteger(2), cause: row.text(3) ?? "", tried: [],
                    position: row.integer(4)))
        }
        try database.run(
            "SELECT at, at_offset, milliseconds, position, frames FROM foreign_stretches WHERE \(Self.ofSegment)",
            [path]
        ) { sidecar.foreign.append(Sidecar.Stretch($0)) }
        try database.run(
            "SELECT at, at_offset, position, dropped, method FROM splices WHERE \(Self.ofSegment) ORDER BY position",
            [path]
        ) { row in
            guard let at = row.time(0, 1) else { return }
            sidecar.splices.append(
                Sidecar.Splice(
                    at: at, position: row.integer(2), droppedFrames: row.integer(3), by: row.text(4) ?? ""))
        }
        return sidecar
    }

    /// A finished file that the catalog knows from a sidecar.
    private static let isKnown = "state <> 'growing' AND \(UndescribedFile.isDescribed)"
    private static let ofSegment = "segment = (SELECT id FROM segments WHERE path = ?)"
}
