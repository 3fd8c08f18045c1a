// SPDX-License-Identifier: MIT

package import Catalog
import Configuration
import EventLoop
import Instants
package import RadioCore
import Storage

extension Daemon {
    /// Deletes what the configuration does not keep, on the catalog's thread. ``DaemonEvent/retention(_:)`` follows if
    /// anything was deleted, or the disk is full.
    func runRetention() {
        guard let catalog, retentionPace.begin() else { return }
        let run = retentionRun(isDryRun: false)
        let bound = reactor.bind(self)
        catalog.ask({ store throws(CatalogError) in try run.perform(store) }) { result in
            bound.tell { $0.retentionEnded(try? result.get()) }
        }
    }

    /// `outcome`: nil if the catalog could not be used.
    private func retentionEnded(_ outcome: RetentionOutcome?) {
        if let news = retentionPace.end(outcome, at: reactor.now) { tell(.retention(news)) }
        if outcome?.isUnfinished == true { runRetentionSoon() }
    }

    /// What ``runRetention()`` would delete now.
    package func askRetention(_ answer: @escaping @Sendable (Result<RetentionOutcome, CatalogError>) -> Void) {
        guard let catalog else { return answer(.failure(.failed(0, "there is no catalog"))) }
        let run = retentionRun(isDryRun: true)
        catalog.ask({ store throws(CatalogError) in try run.perform(store) }, answer: answer)
    }

    private func retentionRun(isDryRun: Bool) -> RetentionRun {
        let storage = configuration.storage
        return RetentionRun(
            folder: storage.recordings, state: storage.state, leastFree: storage.leastFree,
            rules: RetentionRules(configuration, countsDays: clockTrust.isBelieved(at: reactor.now)),
            now: reactor.wallNow, zone: values.zone, isDryRun: isDryRun)
    }

    /// Protects a recording from deletion, or no longer. `answer` gets what went wrong, or nil, on the catalog's thread.
    package func protect(
        _ recording: String, _ isProtected: Bool, _ answer: @escaping @Sendable (Failure?) -> Void
    ) {
        let deleter = RecordingDeleter(path: configuration.storage.recordings)
        change(recording, answer) { store, detail throws(CatalogError) in
            let paths = detail.segments.map(\.catalogPath)
            do throws(RecordingDeleter.Refusal) {
                try deleter.protect(recording, paths.map(\.place), isProtected)
            } catch {
                return "\(error)"
            }
            return nil
        } then: { [catalog] detail in
            for segment in detail.segments { catalog?.note(relativePath: segment.path) }
        }
    }

    /// Deletes a recording, as somebody has asked for. `answer` gets what went wrong, or nil, on the catalog's thread.
    package func delete(_ recording: String, _ answer: @escaping @Sendable (Failure?) -> Void) {
        let storage = configuration.storage
        let time = CivilTime(reactor.wallNow, in: values.zone)
        change(recording, answer) { store, detail throws(CatalogError) in
            let deletion = RetentionOutcome.Deletion(
                recording: recording, station: detail.recording.stationID, show: detail.recording.show?.id,
                paths: detail.segments.map(\.catalogPath), bytes: detail.recording.bytes, reason: nil)
            let removal = RecordingRemoval(folder: storage.recordings, state: storage.state)
            if let refusal = removal.perform(deletion, at: time) { return refusal }
            try store.remove(paths: deletion.paths, of: recording)
            return nil
        }
    }

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

    private static func noCatalog(_ why: String) -> Failure {
        Failure(.storage, "the catalog cannot be used: \(why)", remedy: "look at the daemon's log")
    }
}

extension CatalogSegment {
    /// The path below the recordings folder, without extension.
    fileprivate var catalogPath: String { (folders + [base]).joined(separator: "/") }
}
