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
    /// The JSON of a recording. `running` holds the recordings under way, by ID. The catalog does
    /// not follow growing files, so frames, size and length of a recording under way come from the recorder.
    static func recording(_ recording: CatalogRecording, running: [String: RecordingSnapshot]) -> JSONValue {
        let progress = running[recording.id]
        var object = JSONObject()
        object.append("id", .string(recording.id))
        object.append("station", text(recording.stationID))
        object.append("station_name", text(recording.station))
        object.append("show", text(recording.show?.id))
        object.append("show_name", text(recording.show?.name))
        object.append("from", text(recording.show?.from.rfc3339))
        object.append("until", text(recording.show?.until.rfc3339))
        object.append("began", text(recording.began?.rfc3339))
        object.append("ended", progress == nil ? text(recording.ended?.rfc3339) : .null)
        // After a crash, a file that could not be completed keeps the state `growing`, although its recording is not
        // under way.
        let isLeft = recording.state == .growing && progress == nil
        let state = progress == nil ? recording.state : .growing
        object.append("state", .string(isLeft ? "unfinished" : state.rawValue))
        object.append("protected", .bool(recording.isProtected))
        object.append("files", .integer(Int64(recording.segments)))
        object.append("bytes", .integer(progress?.bytes ?? recording.bytes))
        object.append("frames", .integer(progress?.frames ?? recording.frames))
        // In air time, with the gaps after the first frame.
        object.append("seconds", seconds((progress?.length ?? recording.length).wholeMilliseconds))
        object.append("late_seconds", late(recording).map { .seconds($0.inSeconds) } ?? .null)
        let isOver = recording.state != .growing && progress == nil
        object.append("early_seconds", isOver ? early(recording).map { .seconds($0.inSeconds) } ?? .null : .null)
        object.append("continues", text(recording.earlier?.id))
        // The pause is negative if the two recordings overlap.
        object.append("continues_after_seconds", pause(before: recording).map { .seconds($0.inSeconds) } ?? .null)
        object.append("gaps", .integer(Int64(recording.gaps)))
        object.append("missing_seconds", seconds(recording.missingMilliseconds))
        return .object(object)
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
        var object = JSONObject()
        object.append("recording", recording(detail.recording, running: running))
        object.append("folder", .string(folder))
        object.append("files", .array(detail.segments.map { segment($0, running[detail.recording.id]?.file) }))
        object.append(
            "copies", .array(detail.copies.map { ["path": .string($0.path), "original": .string($0.original)] }))
        object.noteRawBytes(of: paths)
        object.append("titles", .array(detail.titles.map(title)))
        object.append("gaps", .array(detail.gaps.map(\.json)))
        object.append("splices", .array(detail.splices.map(\.json)))
        return .object(object)
    }

    /// The first `most` of these titles, and whether there are more.
    static func titles(_ titles: [CatalogTitle], atMost most: Int) -> JSONValue {
        ["titles": .array(titles.prefix(most).map(title)), "more": .bool(titles.count > most)]
    }

    private static func title(_ title: CatalogTitle) -> JSONValue {
        [
            "recording": .string(title.recording), "station_name": text(title.station), "at": .string(title.at.rfc3339),
            "text": .string(title.text), "artist": text(title.artist), "title": text(title.title),
        ]
    }

    /// How many files are deleted, and when.
    package static func foreseen(_ outcome: RetentionOutcome) -> JSONValue {
        let bytes = outcome.deletions.reduce(Int64(0)) { $0.addingSaturated($1.bytes) }
        return [
            "files": .integer(Int64(outcome.deletions.reduce(0) { $0 + $1.paths.count })), "bytes": .integer(bytes),
            "waits_until": text(outcome.waiting?.until.rfc3339), "out_of_reach": .bool(outcome.isOutOfReach),
            "free_space": .integer(outcome.floor),
        ]
    }

    static func retention(_ outcome: RetentionOutcome) -> JSONValue {
        let paths = outcome.deletions.flatMap(\.paths)
        var object = JSONObject()
        object.append("free", outcome.free.map(JSONValue.integer) ?? .null)
        object.append("floor", .integer(outcome.floor))
        object.append("age_has_to_wait", .bool(outcome.ageHasToWait))
        object.append("waits_until", text(outcome.waiting?.until.rfc3339))
        object.append("out_of_reach", .bool(outcome.isOutOfReach))
        object.append(
            "deletions",
            .array(
                outcome.deletions.map { deletion in
                    [
                        "recording": .string(deletion.recording), "station": text(deletion.station),
                        "show": text(deletion.show), "files": .array(deletion.paths.map(JSONValue.string)),
                        "bytes": .integer(deletion.bytes), "reason": text(deletion.reason?.name),
                    ]
                }))
        object.noteRawBytes(of: paths)
        return .object(object)
    }

    /// `growing`: what the recorder knows of the file that grows. The catalog knows no more than its sidecar.
    private static func segment(_ segment: CatalogSegment, _ growing: RecordedSegment?) -> JSONValue {
        let file = segment.state == .growing && segment.number == growing?.number ? growing : nil
        return [
            "path": .string(segment.path), "number": segment.number.map { .integer(Int64($0)) } ?? .null,
            "at": text(segment.at?.rfc3339), "state": .string(segment.state.rawValue),
            "bytes": .integer(file?.bytes ?? segment.bytes), "frames": .integer(file?.frames ?? segment.frames),
            "seconds": file.map { .seconds($0.seconds) } ?? seconds(segment.milliseconds),
            "protected": .bool(segment.isProtected),
        ]
    }

    private static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    private static func seconds(_ milliseconds: Int64) -> JSONValue { .number(Double(milliseconds) / 1_000) }
}
