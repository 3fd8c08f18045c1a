// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Instants
import RadioCore
import RadioFormats
import Storage

/// Copies the missing start of a show from the station's continuous recording into a file of the show's recording. A
/// value; blocks, on the catalog's thread.
struct ShowBeginning: Sendable {
    let airing: ShowAiring
    /// The recordings folder.
    let folder: String

    /// How the file's name ends.
    private static let suffix = " (beginning)"

    /// `span`: what is missing before the first file. Returns whether anything was added.
    func add(_ span: Range<WallInstant>, to store: CatalogStore) throws(CatalogError) -> Bool {
        let library = Library(path: folder, depth: NameTemplate.maxComponents)
        guard
            let first = try store.firstFile(
                ofStation: airing.station, show: airing.show.id, from: airing.window.lowerBound),
            let next = library.segment(at: first.path), let known = next.sidecar
        else { return false }
        let log = try store.logFiles(of: airing.station, in: span).compactMap { library.segment(at: $0.path) }
            .map { (try? library.measured($0)) ?? $0 }
        let plan = ExportPlan(
            LibraryRecording(id: first.recording, segments: log), from: span.lowerBound, until: span.upperBound)
        guard var sidecar = plan.sidecar else { return false }
        (sidecar.recording, sidecar.show, sidecar.isProtected) = (known.recording, known.show, known.isProtected)
        let base = next.base + Self.suffix
        do throws(RecordingExporter.Fault) {
            try RecordingExporter(path: folder).add(plan, sidecar, in: next.folders, base: base)
        } catch {
            // The show stays as it is: incomplete.
            return false
        }
        let path = next.folders + ["\(base).\(sidecar.format.fileType.fileExtension)"]
        guard let added = library.segment(at: path) else { return false }
        try store.put([added])
        return true
    }
}
