// SPDX-License-Identifier: MIT

import Catalog
package import Daemon
import Engine
import Instants
import RadioCore
package import RadioFormats
import Recorder

/// Encodes the contents of the catalog as JSON.
package enum CatalogJSON {
    /// The JSON of a recording. `running` holds the recordings under way, by ID. The catalog does not follow growing
    /// files, so frames, size and length of these files come from the recorder. Only the catalog knows which of the
    /// others are still there.
    static func recording(_ recording: CatalogRecording, running: [String: RecordingSnapshot]) -> JSONValue {
        let progress = running[recording.id]
        var (bytes, frames, length) = (recording.bytes, recording.frames, recording.length)
        for noted in recording.growing {
            guard let file = file(noted, progress) else { continue }
            bytes += file.bytes - noted.bytes
            frames += file.frames - noted.frames
            length += file.length - noted.length
        }
        // After a crash, a file that could not be completed keeps the state `growing`, although its recording is not
        // under way.
        let isLeft = recording.state == .growing && progress == nil
        let state = progress == nil ? recording.state : .growing
        let isOver = recording.state != .growing && progress == nil
        return .object([
            "id": recording.id, "station": recording.stationID, "station_name": recording.station,
            "show": recording.show?.id, "show_name": recording.show?.name, "from": recording.show?.from,
            "until": recording.show?.until, "began": recording.began, "ended": progress == nil ? recording.ended : nil,
            "state": isLeft ? "unfinished" : state.rawValue, "protected": recording.isProtected,
            "files": recording.segments, "bytes": bytes, "frames": frames,
            // In air time, with the gaps after the first frame.
            "seconds": seconds(length.wholeMilliseconds),
            "late_seconds": late(recording), "early_seconds": isOver ? early(recording) : nil,
            // The pause is negative if the two recordings overlap.
            "continues": recording.earlier?.id, "continues_after_seconds": pause(before: recording),
            "gaps": recording.gaps, "missing_seconds": seconds(recording.missingMilliseconds),
        ])
    }

    /// The air time from the end of the earlier recording to the beginning of this one; negative if they overlap.
    private static func pause(before recording: CatalogRecording) -> Duration? {
        guard let began = recording.began?.instant, let ended = recording.earlier?.ended?.instant else { return nil }
        return began - ended
    }

    /// How long after the beginning of its show a recording begins. Nil if it is in time, belongs to no show, or
    /// continues another recording.
    private static func late(_ recording: CatalogRecording) -> Duration? {
        guard recording.earlier == nil, let began = recording.began?.instant, let from = recording.show?.from.instant
        else { return nil }
        return Punctuality.lateness(of: began, from: from)
    }

    /// How long before the end of its show a finished recording ends. Nil if the recording lasts to the end of the
    /// show, belongs to no show, or is continued by another recording. If audio is missing up to the end of the show,
    /// that counts as a gap, not as an early end.
    private static func early(_ recording: CatalogRecording) -> Duration? {
        guard !recording.isContinued, let end = recording.covered?.upperBound, let until = recording.show?.until.instant
        else { return nil }
        return Punctuality.earliness(of: end, before: until)
    }

    /// The JSON of a recording with all its parts. `folder` is the recordings folder. `running` holds the recordings
    /// under way, by ID.
    static func detail(
        _ detail: CatalogDetail, in folder: String, running: [String: RecordingSnapshot]
    ) -> JSONValue {
        let paths = [folder] + detail.segments.map(\.path) + detail.copies.flatMap { [$0.path, $0.original] }
        var object: JSONObject = [
            "recording": recording(detail.recording, running: running), "folder": folder,
            "files": detail.segments.map { segment($0, running[detail.recording.id]) },
            "copies": detail.copies.map { ["path": $0.path, "original": $0.original] as JSONObject },
            // The numbers of files that the daemon has deleted.
            "deleted": detail.deleted.map { ["from": $0.lowerBound, "to": $0.upperBound] as JSONObject },
        ]
        object.noteRawBytes(of: paths)
        object.append(["titles": detail.titles.map(title), "gaps": detail.gaps, "splices": detail.splices])
        return .object(object)
    }

    /// The first `most` of these titles, and whether there are more.
    static func titles(_ titles: [CatalogTitle], atMost most: Int) -> JSONValue {
        ["titles": .array(titles.prefix(most).map(title)), "more": .bool(titles.count > most)]
    }

    private static func title(_ title: CatalogTitle) -> JSONValue {
        .object([
            "recording": title.recording, "station_name": title.station, "at": title.at, "text": title.text,
            "artist": title.artist, "title": title.title,
        ])
    }

    /// How many files are deleted, and when.
    package static func foreseen(_ outcome: RetentionOutcome) -> JSONValue {
        let bytes = outcome.deletions.reduce(Int64(0)) { $0.addingSaturated($1.bytes) }
        return .object([
            "files": outcome.deletions.reduce(0) { $0 + $1.paths.count }, "bytes": bytes,
            "waits_until": outcome.waiting?.until, "out_of_reach": outcome.isOutOfReach, "free_space": outcome.floor,
        ])
    }

    static func retention(_ outcome: RetentionOutcome) -> JSONValue {
        let paths = outcome.deletions.flatMap(\.paths)
        var object: JSONObject = [
            "free": outcome.free, "floor": outcome.floor, "age_has_to_wait": outcome.ageHasToWait,
            "waits_until": outcome.waiting?.until, "out_of_reach": outcome.isOutOfReach,
            "deletions": outcome.deletions.map { deletion -> JSONObject in
                [
                    "recording": deletion.recording, "station": deletion.station, "show": deletion.show,
                    "files": deletion.paths, "bytes": deletion.bytes, "reason": deletion.reason?.kind.rawValue,
                ]
            },
        ]
        object.noteRawBytes(of: paths)
        return .object(object)
    }

    /// What the recorder knows of a file if it grows. The catalog knows no more than its sidecar.
    private static func file(_ segment: CatalogSegment, _ progress: RecordingSnapshot?) -> RecordedSegment? {
        segment.state == .growing ? progress?.files.first { $0.number == segment.number } : nil
    }

    private static func segment(_ segment: CatalogSegment, _ progress: RecordingSnapshot?) -> JSONValue {
        let file = file(segment, progress)
        return .object([
            "path": segment.path, "number": segment.number, "at": segment.at, "state": segment.state.rawValue,
            "bytes": file?.bytes ?? segment.bytes, "frames": file?.frames ?? segment.frames,
            "seconds": file.map { JSONValue.seconds($0.seconds) } ?? seconds(segment.milliseconds),
            "protected": segment.isProtected,
        ])
    }

    private static func seconds(_ milliseconds: Int64) -> JSONValue { .number(Double(milliseconds) / 1_000) }
}
