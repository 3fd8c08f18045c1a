// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Instants
import RadioCore
import RadioFormats
import Recorder
import Storage

/// Copies the missing beginning of a show from the station's continuous recording into a file of the show's recording.
/// Blocks, on the catalog's thread.
struct ShowBeginning: Sendable {
    let airing: ShowAiring
    /// The scheduled start that its recordings have.
    let start: WallInstant
    /// The recordings folder.
    let folder: String
    /// Why the audio is missing that no file has.
    let causes: [RecordingResult.Cause]

    /// The ending of the file's name.
    private static let suffix = " (beginning)"

    /// The file that was added.
    struct Added: Sendable {
        /// The ID of the show's recording.
        var recording: String
        var segment: RecordedSegment
        var bundle: FinishedBundle
    }

    /// `span` is the stretch that is missing before the first file. Returns nil if nothing was added.
    func add(_ span: Range<WallInstant>, to store: CatalogStore) throws(CatalogError) -> Added? {
        let library = Library(path: folder, depth: NameTemplate.maxComponents)
        guard
            let first = try store.firstFile(
                ofStation: airing.station, show: airing.show.id, from: start),
            let next = library.segment(at: first.path), let known = next.sidecar
        else { return nil }
        let searched = span.lowerBound..<span.upperBound + RecordingOverlap.clockError
        let log = try store.logFiles(of: airing.station, in: searched).compactMap { library.segment(at: $0.path) }
            .map { (try? library.measured($0)) ?? $0 }
        let exporter = RecordingExporter(path: folder)
        let excerpt = exporter.excerpt(log, from: span.lowerBound, until: span.upperBound, before: next)
        guard var sidecar = excerpt.sidecar else { return nil }
        (sidecar.recording, sidecar.show, sidecar.isProtected) = (known.recording, known.show, known.isProtected)
        sidecar.gaps += gaps(after: sidecar, before: known)
        let base = next.base + Self.suffix
        do throws(RecordingExporter.Problem) {
            try exporter.add(excerpt, sidecar, in: next.folders, base: base)
        } catch {
            // The show stays incomplete.
            return nil
        }
        let path = next.folders + ["\(base).\(sidecar.format.fileType.fileExtension)"]
        guard let added = library.segment(at: path), let written = added.sidecar, let at = written.at
        else { return nil }
        try store.put([added])
        let whole = CatalogFile(recording: first.recording, path: path).path(in: folder)
        return Added(
            recording: written.recording ?? first.recording,
            segment: RecordedSegment(
                path: whole, at: at,
                frames: written.frames, bytes: written.bytes,
                seconds: Double(written.samples) / Double(max(1, written.format.sampleRate)),
                missing: written.gaps.missingInside, isComplete: true,
                clockStep: .milliseconds(written.clockStep?.milliseconds ?? 0)),
            bundle: FinishedBundle(path: whole, sidecar: written))
    }

    /// What is missing between the copied frames and the show's first file.
    private func gaps(after copied: Sidecar, before next: Sidecar) -> [Sidecar.Gap] {
        guard let end = copied.endOfAudio, let start = next.beginOnAir, start - end >= LeadingGaps.least
        else { return [] }
        return causes.map { RecordingResult.Cause(span: $0.span.clamped(to: end..<start), text: $0.text) }
            .filter { !$0.span.isEmpty }
            .map { Sidecar.Gap($0, utcOffset: next.at?.utcOffset ?? 0, position: copied.frames) }
    }
}
