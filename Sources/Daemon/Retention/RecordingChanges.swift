// SPDX-License-Identifier: MIT

import Catalog
import Configuration
package import RadioCore
import Storage

/// Protects or deletes recordings at a user's request. A value. The catalog's thread does the work and gives every
/// answer.
package struct RecordingChanges: Sendable {
    /// Nil if there is none, so that no recording can be found.
    let catalog: RecordingsCatalog?
    let storage: StorageSettings
    /// The IDs of the recordings under way.
    let running: Set<String>
    /// For the ledger of what was deleted.
    let time: CivilTime

    /// Protects a recording from deletion, or no longer. `answer` gets what went wrong, or nil.
    package func protect(
        _ recording: String, _ isProtected: Bool, _ answer: @escaping @Sendable (Failure?) -> Void
    ) {
        let deleter = RecordingDeleter(path: storage.recordings)
        change(recording, answer) { store, detail throws(CatalogError) in
            let paths = detail.segments.map(\.catalogPath)
            do throws(RecordingDeleter.Refusal) {
                try deleter.protect(recording, paths.map(\.place), isProtected)
            } catch {
                return "\(error)"
            }
            return nil
        } then: { detail in
            for segment in detail.segments { catalog?.note(relativePath: segment.path) }
        }
    }

    /// Deletes a recording. A recording under way stays, although all of its files may be finished, as on a full disk.
    /// `answer` gets what went wrong, or nil.
    package func delete(_ recording: String, _ answer: @escaping @Sendable (Failure?) -> Void) {
        guard !running.contains(recording) else { return answer(Self.isUnderWay) }
        change(recording, answer) { store, detail throws(CatalogError) in
            let deletion = RetentionOutcome.Deletion(
                recording: recording, station: detail.recording.stationID, show: detail.recording.show?.id,
                paths: detail.segments.map(\.catalogPath), bytes: detail.recording.bytes, reason: nil)
            let removal = RecordingRemoval(folder: storage.recordings, state: storage.state)
            if let refusal = removal.perform(deletion, after: nil, at: time) { return refusal.why }
            try store.remove(paths: deletion.paths, of: recording)
            return nil
        }
    }

    /// `body` returns why the change was refused, or nil.
    private func change(
        _ recording: String, _ answer: @escaping @Sendable (Failure?) -> Void,
        _ body: @escaping @Sendable (CatalogStore, CatalogDetail) throws(CatalogError) -> String?,
        then done: @escaping @Sendable (CatalogDetail) -> Void = { _ in }
    ) {
        guard let catalog else { return answer(Self.noCatalog("there is none")) }
        catalog.ask({ store throws(CatalogError) -> Failure? in
            guard let detail = try store.detail(of: recording) else {
                return Failure(
                    .notFound, "there is no recording with this ID", remedy: "'aircheck recordings' lists them")
            }
            if let refusal = try body(store, detail) {
                return Failure(
                    .storage, "this was not done, or not for all files: \(refusal)",
                    remedy: "see what is there, and try again")
            }
            done(detail)
            return nil
        }) { result in
            switch result {
            case .success(let failure): answer(failure)
            case .failure(let error): answer(Self.noCatalog("\(error)"))
            }
        }
    }

    private static let isUnderWay = Failure(
        .storage, "this recording is still under way, so it is not deleted",
        remedy: "wait until it is over; 'aircheck status' shows what is being recorded")

    private static func noCatalog(_ why: String) -> Failure {
        Failure(.storage, "the catalog cannot be used: \(why)", remedy: "look at the daemon's log")
    }
}

extension CatalogSegment {
    /// The path below the recordings folder, without extension.
    fileprivate var catalogPath: String { (folders + [base]).joined(separator: "/") }
}
