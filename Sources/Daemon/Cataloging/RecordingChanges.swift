// SPDX-License-Identifier: MIT

import Catalog
import Configuration
package import RadioCore
import Storage

/// Protects or deletes recordings at a user's request. The catalog's thread does the work and gives every answer.
package struct RecordingChanges: Sendable {
    /// The catalog. Nil if there is none, in which case no recording can be found.
    let catalog: RecordingsCatalog?
    let storage: StorageSettings
    /// The IDs of the recordings under way.
    let running: Set<String>
    /// The IDs of the recordings under way that users have requested. Their files are protected from the start.
    let runningManual: Set<String>
    /// The time that is written into entries of the ledger of deletions.
    let time: CivilTime

    /// Protects a recording from deletion, or unprotects it. If a dot and a number follow its ID, that applies to one
    /// file. `answer` is called with the failure, or with nil on success.
    package func protect(
        _ recording: String, _ isProtected: Bool, _ answer: @escaping @Sendable (Failure?) -> Void
    ) {
        // The protection of a recording under way cannot be removed, because the recording protects each further file
        // again.
        guard isProtected || !runningManual.contains(recording) else {
            return answer(Self.isUnderWay("this recording is still under way, and protected until it is over"))
        }
        let deleter = RecordingDeleter(path: storage.recordings)
        change(recording, answer) { store, detail, _ throws(CatalogError) in
            do throws(RecordingDeleter.Refusal) {
                try deleter.protect(detail.recording.id, detail.segments.map(\.catalogPath), isProtected)
            } catch {
                return Self.refused(error)
            }
            for segment in detail.segments { catalog?.note(relativePath: segment.path) }
            return nil
        }
    }

    /// Deletes a recording or, if a dot and a number follow its ID, one file of a recording without a show. Refuses
    /// while the recording is under way, even if all of its files are finished, as on a full disk. `answer` is called
    /// with the failure, or nil.
    package func delete(_ recording: String, _ answer: @escaping @Sendable (Failure?) -> Void) {
        guard !running.contains(recording) else {
            return answer(Self.isUnderWay("this recording is still under way, so it is not deleted"))
        }
        change(recording, answer) { store, detail, ledger throws(CatalogError) in
            if detail.segments.contains(where: \.isProtected) { return Self.refused(.protected) }
            let recording = detail.recording.id
            // Files that were deleted by hand must not prevent the deletion of the others.
            let removal = RecordingRemoval(folder: storage.recordings, ledger: ledger)
            let gone = removal.missing(of: detail.segments.map(\.catalogPath))
            try store.remove(paths: gone, of: recording)
            let kept = detail.segments.filter { !gone.contains($0.catalogPath) }
            guard !kept.isEmpty else { return nil }
            let deletion = RetentionOutcome.Deletion(
                recording: recording, station: detail.recording.stationID, show: detail.recording.show?.id,
                paths: kept.map(\.catalogPath), files: kept.compactMap(\.file),
                bytes: detail.segments.reduce(0) { $0 + $1.bytes }, reason: nil)
            if let refusal = removal.perform(deletion, at: time) { return Self.refused(refusal) }
            try store.remove(paths: deletion.paths, of: recording, wereDeleted: true)
            return nil
        }
    }

    /// Changes a recording by `body`, which gets the ledger of deletions, and returns the failure, or nil on success.
    private func change(
        _ recording: String, _ answer: @escaping @Sendable (Failure?) -> Void,
        _ body: @escaping @Sendable (CatalogStore, CatalogDetail, StateLedger) throws(CatalogError) -> Failure?
    ) {
        guard let catalog else { return answer(Self.noCatalog("it could not be opened")) }
        catalog.ask({ store throws(CatalogError) -> Failure? in
            guard let detail = try store.detail(of: recording) else {
                return Failure(
                    .notFound, "there is no recording with this ID", remedy: "'aircheck recordings' lists them")
            }
            // Retention keeps or deletes the recording of a show as a whole.
            if detail.file != nil, detail.recording.show != nil { return Self.isShow }
            return try body(store, detail, catalog.deletions)
        }) { result in
            switch result {
            case .success(let failure): answer(failure)
            case .failure(let error): answer(Self.noCatalog("\(error)"))
            }
        }
    }

    /// The failure that tells a user of a refusal. The remedy depends on why the files were left alone.
    static func refused(_ refusal: RecordingDeleter.Refusal) -> Failure {
        switch refusal {
        case .protected:
            Failure(
                .storage, "this recording is protected, so it is not deleted",
                remedy: "end its protection, as the user of the daemon or as root: 'aircheck recordings unprotect ID'")
        case .growing(let name): isUnderWay("\(name) is being recorded at the moment")
        case .otherRecording(let name):
            Failure(
                .storage, "\(name) has no sidecar that says that it belongs to this recording, so it is left alone",
                remedy: "'aircheck recordings rescan' makes a lost sidecar again; delete other files by hand")
        case .badName, .notAFile, .unwritten, .system:
            Failure(
                .storage, "not all files could be changed: \(refusal)",
                remedy: "look at the recording's files, and try again")
        }
    }

    private static let isShow = Failure(
        .usage, "the files of a show are kept or deleted together",
        remedy: "give the recording's ID without the number of the file")

    private static func isUnderWay(_ message: String) -> Failure {
        Failure(
            .storage, message,
            remedy: "wait until it is over; 'aircheck stop NUMBER' ends a manual recording earlier, and 'aircheck "
                + "status' shows its number")
    }

    private static func noCatalog(_ why: String) -> Failure {
        Failure(.storage, "the catalog cannot be used: \(why)", remedy: "look at the daemon's log")
    }
}
