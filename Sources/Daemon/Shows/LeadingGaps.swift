// SPDX-License-Identifier: MIT

import Catalog
import Instants
import RadioCore
import Storage

/// Completes recordings of earlier runs that ended, perhaps by a crash, before it was known where the recording that
/// they continue had ended. Blocks, on the catalog's thread.
struct LeadingGaps: Sendable {
    /// The recordings folder.
    let folder: String
    /// A shorter gap is not entered.
    let least: Duration
    /// Divides a span of missing audio by causes.
    let causes: @Sendable (Range<WallInstant>) -> [RecordingResult.Cause]

    /// A file whose sidecar got gaps.
    struct Completed: Sendable {
        var file: FinishedFile
        var gaps: [Sidecar.Gap]
    }

    /// Enters the gap before a recording's first frame into the sidecar of its first file, unless that sidecar has it.
    /// Returns nil if nothing was entered.
    func complete(_ recording: String, in store: CatalogStore) throws(CatalogError) -> Completed? {
        let library = Library(path: folder, depth: NameTemplate.maxComponents)
        guard let detail = try store.detail(of: recording), let end = detail.recording.earlier?.ended?.instant,
            let first = detail.segments.first,
            let segment = library.segment(at: first.path.split(separator: "/").map(String.init)),
            !segment.isGrowing, let sidecar = segment.sidecar, sidecar.continues != nil, let at = sidecar.at
        else { return nil }
        // If the recording began in an outage of the station, the end of that time is in the station's own gap.
        let known = sidecar.gaps.first { $0.position == 0 }?.at.instant ?? at.instant
        guard known - end >= least else { return nil }
        let gaps = causes(end..<known).map { cause in
            Sidecar.Gap(
                at: CivilTime(cause.span.lowerBound, utcOffset: at.utcOffset),
                milliseconds: (cause.span.upperBound - cause.span.lowerBound).wholeMilliseconds, cause: cause.text,
                tried: [], position: 0)
        }
        guard let changed = try? library.change(segment, { $0.gaps.insert(contentsOf: gaps, at: 0) })
        else { return nil }
        try store.put([changed])
        var file = RecoveredFile(path: "\(folder)/\(first.path)", outcome: .completed)
        file.origin = RecoveredFile.Origin(sidecar)
        return FinishedFile(file).map { Completed(file: $0, gaps: gaps) }
    }
}
