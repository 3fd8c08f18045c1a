// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore
package import RadioFormats
package import Storage

/// The result of a recording: its part of the object that `--json` prints.
package struct RecordingReport: Sendable {
    /// The maximum number of entries in a list, which keeps the newest; totals include all entries.
    package static let longestList = 10_000

    package var segments: [RecordedSegment] = []
    package var frames: Int64 = 0
    /// Bytes of frames, without tags.
    package var bytes: Int64 = 0
    /// Seconds of audio.
    package var seconds = 0.0
    package var gaps: [Sidecar.Gap] = []
    /// The gaps of the station that no frame follows. If the station was away when the recording ended, it reports them
    /// only later, or never.
    package var openGaps: [Sidecar.Gap] = []
    /// Open gaps that the recording that follows enters at its beginning. They are not in ``gaps``.
    package var leftGaps: [Sidecar.Gap] = []
    package var splices: [Sidecar.Splice] = []
    package var stretches = Sidecar.Stretches()
    package var titles: [Sidecar.Title] = []
    /// The audio that was put into gaps later.
    package var healed: [Sidecar.Healed] = []
    /// Files of earlier runs that were completed.
    package private(set) var recovered: [RecoveredFile] = []
    /// Whether every sidecar was written in its final form; false if any is missing or outdated.
    package var hasSidecars = true
    /// Why nothing, or not everything, could be written.
    package var failure: Failure?

    package init() {}

    /// The length in air time: the audio and the gaps after its first frame.
    package var length: Duration { .seconds(seconds) + gaps.missingInside }

    /// When the recording ended on air, with what is missing after its last frame; nil if it has no file.
    package var end: WallInstant? {
        segments.last.map { last in
            openGaps.reduce(last.end) { max($0, $1.at.instant + .milliseconds(max(0, $1.milliseconds ?? 0))) }
        }
    }

    /// What of the recording is the station's.
    package var own: OwnAudio {
        let files = segments.map {
            OwnAudio.File(station: $0.station, at: $0.at.instant, end: $0.end, frames: $0.frames)
        }
        return OwnAudio(frames: frames, files: files, gaps: gaps, foreign: stretches[.foreign])
    }

    /// The paths of all files, in order.
    package var files: [String] { segments.map(\.path) }

    mutating func add(_ segment: RecordedSegment) {
        segments.appendBounded(segment)
        frames += segment.frames
        bytes += segment.bytes
        seconds += segment.seconds
    }

    /// Takes account of a file that has changed.
    mutating func replace(_ segment: RecordedSegment) {
        guard let index = segments.lastIndex(where: { $0.path == segment.path }) else { return }
        var segment = segment
        let old = segments[index]
        segment.formerPath = old.formerPath
        segments[index] = segment
        frames += segment.frames - old.frames
        bytes += segment.bytes - old.bytes
        seconds += segment.seconds - old.seconds
    }

    /// Adds a file of an earlier run, or takes account of its change.
    mutating func note(_ file: RecoveredFile) {
        var file = file
        file.sidecar = nil
        if file.isRevised { recovered.removeAll { $0.path == file.path } }
        recovered.appendBounded(file)
    }

    /// Copies the entries of the ledger, at the end.
    mutating func take(_ ledger: RecordingLedger) {
        titles = ledger.titles
        gaps = ledger.gaps
        splices = ledger.splices
        stretches = ledger.stretches
        healed = ledger.healed
    }

    /// The recorder's members of the object that `--json` prints, in their order there.
    package var json: JSONObject {
        var object: JSONObject = ["files": files]
        object.noteRawBytes(of: files)
        object.append([
            "segments": segments, "frames": frames, "bytes": bytes, "seconds": JSONValue.seconds(seconds),
            "splices": splices, "gaps": gaps,
        ])
        stretches.append(to: &object)
        if !healed.isEmpty { object.append("healed", healed) }
        object.append("titles", titles)
        return object
    }
}

extension RecordedSegment: JSONConvertible {
    package var json: JSONValue {
        .object([
            "file": path, "at": at, "seconds": JSONValue.seconds(seconds), "frames": frames, "bytes": bytes,
            "station": station,
        ])
    }
}

extension Array {
    mutating func appendBounded(_ element: Element) {
        if count >= RecordingReport.longestList { removeFirst(count / 10) }
        append(element)
    }
}
