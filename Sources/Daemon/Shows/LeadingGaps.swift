// SPDX-License-Identifier: MIT

import Catalog
import Instants
import RadioCore
import Storage

/// Completes recordings that ended, perhaps by a crash, before it was known where the recording that they continue had
/// ended. Blocks, on the catalog's thread.
struct LeadingGaps: Sendable {
    /// The recordings folder.
    let folder: String
    let system: any FileSystemCalls

    /// The shortest gap. Air times are accurate to a few milliseconds, and few frames last longer than this.
    static let least = Duration.milliseconds(100)

    /// The audio that is missing before a recording.
    struct Missing: Sendable {
        var recording: String
        var asked: Asked
        /// The ID of the recording that this one continues.
        var earlier: String
        /// The path of the recording's first file below the recordings folder.
        var path: String
        /// Nil if the file cannot be read now.
        var span: Range<WallInstant>?
    }

    /// A file whose sidecar got gaps.
    struct Completed: Sendable {
        var bundle: FinishedBundle
        var gaps: [Sidecar.Gap]
    }

    /// What is missing before a recording; nil if nothing is, or if its first file tells of it.
    func missing(before recording: String, in store: CatalogStore) throws(CatalogError) -> Missing? {
        guard let detail = try store.detail(of: recording), let earlier = detail.recording.earlier,
            let end = earlier.ended?.instant, let path = detail.segments.first?.path
        else { return nil }
        var missing = Missing(recording: recording, asked: Asked(""), earlier: earlier.id, path: path)
        guard let segment = segment(at: path), let sidecar = segment.sidecar else { return missing }
        // A show may have been moved while it was on: nothing was to be recorded before its new start.
        let from = max(end, sidecar.show?.from.instant ?? end)
        // If the recording began in an outage of the station, the end of that time is in the station's own gap.
        guard sidecar.continues != nil, let begin = sidecar.beginOnAir, begin - from >= Self.least
        else { return nil }
        (missing.asked, missing.span) = (Asked(sidecar.stationID ?? "", show: sidecar.show?.id), from..<begin)
        return missing
    }

    /// Enters what is missing, divided by causes, into the sidecar of the recording's first file. Returns nil if that
    /// is not possible now.
    func enter(_ causes: [RecordingResult.Cause], _ missing: Missing, in store: CatalogStore) -> Completed? {
        guard !causes.isEmpty, let segment = segment(at: missing.path), let sidecar = segment.sidecar
        else { return nil }
        let gaps = causes.map { Sidecar.Gap($0, utcOffset: sidecar.at?.utcOffset ?? 0, position: 0) }
        guard let changed = try? library.change(segment, { $0.gaps.insert(contentsOf: gaps, at: 0) })
        else { return nil }
        // If this fails, the next rebuild reads the sidecar.
        try? store.put([changed])
        return Completed(bundle: FinishedBundle(path: "\(folder)/\(missing.path)", sidecar: sidecar), gaps: gaps)
    }

    private var library: Library { Library(path: folder, depth: NameTemplate.maxComponents, system: system) }

    /// A file that is complete; nil if there is none at this path.
    private func segment(at path: String) -> LibrarySegment? {
        library.segment(at: path.split(separator: "/").map(String.init)).flatMap { $0.isGrowing ? nil : $0 }
    }
}

extension Sidecar.Gap {
    /// A gap for which a daemon knows the cause.
    init(_ cause: RecordingResult.Cause, utcOffset: Int, position: Int64) {
        self.init(
            at: CivilTime(cause.span.lowerBound, utcOffset: utcOffset),
            milliseconds: cause.span.length.wholeMilliseconds, cause: cause.text,
            tried: [], position: position)
    }
}
