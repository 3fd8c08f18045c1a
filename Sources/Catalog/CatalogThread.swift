// SPDX-License-Identifier: MIT

import Instants
package import Platform
package import RadioCore

/// The thread that owns the catalog: it opens the catalog, carries out jobs in order, and reopens it after damage.
///
/// Sendable; no method blocks. The queue is bounded. When it is full, updates are dropped, and the catalog is rebuilt
/// later instead; queries are answered with an error.
package final class CatalogThread: Sendable {
    /// A report about the catalog.
    package enum Notice: Sendable {
        /// The catalog is open. A new or damaged one has to be rebuilt from the sidecars.
        case opened(CatalogStore.Opening)
        /// The catalog cannot be used now. The next job tries again.
        case failed(CatalogError)
        /// The catalog's file was deleted or replaced by another program.
        case deleted
        /// Some updates were lost, so the catalog should be rebuilt. `again`: the catalog has not been current since
        /// the last such notice.
        case fellBehind(again: Bool)
    }

    private struct Job: Sendable {
        /// Whether a catalog that could not be opened is to be opened now.
        var needsCatalog = true
        /// Uses the catalog; returns the error, if any.
        var body: @Sendable (Result<CatalogStore, CatalogError>) -> CatalogError?
    }

    private struct Desk {
        var jobs: [Job] = []
        var hasFallenBehind = false

        /// Queues a job. Returns false if the queue is full.
        mutating func add(_ job: Job) -> Bool {
            guard jobs.count < CatalogThread.mostJobs else { return false }
            jobs.append(job)
            return true
        }

        /// The next job. `fellBehind` means that updates were lost.
        mutating func takeNext() -> (job: Job?, fellBehind: Bool)? {
            if !jobs.isEmpty { return (jobs.removeFirst(), false) }
            guard hasFallenBehind else { return nil }
            hasFallenBehind = false
            return (nil, true)
        }
    }

    private let folder: String
    private let desk = Mailbox(Desk())
    private let thread: WorkerThread

    private static let mostJobs = 4_096

    /// Opens the catalog in a state folder, on the thread. `onNotice` is called there, too.
    package init(folder: String, onNotice: @escaping @Sendable (Notice) -> Void) throws(SystemError) {
        let desk = desk
        self.folder = folder
        thread = try WorkerThread.start(name: "catalog") { Self.run(folder, desk, onNotice) }
    }

    /// Adds segments, or replaces them. `read` reads them from disk, on the thread.
    package func put(_ read: @escaping @Sendable () -> [LibrarySegment]) {
        update { store throws(CatalogError) in try store.put(read()) }
    }

    /// Changes the catalog, on the thread. If that fails, or if the queue is full, ``Notice/fellBehind`` asks for a
    /// rebuild.
    package func update(_ change: @escaping @Sendable (CatalogStore) throws(CatalogError) -> Void) {
        let (desk, folder) = (desk, folder)
        let job = Job { store in
            let error = Self.error { () throws(CatalogError) in try change(store.get()) }
            // Only a rebuild restores a lost update, if need be that of the next run.
            if error != nil {
                CatalogStore.noteMissed(in: folder)
                desk.withContent { $0.hasFallenBehind = true }
            }
            return error
        }
        desk.put { desk in if !desk.add(job) { desk.hasFallenBehind = true } }
    }

    /// Runs a query on the catalog, and calls `answer` with the result. Both run on the thread.
    package func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (CatalogStore) throws(CatalogError) -> Answer,
        answer: @escaping @Sendable (Result<Answer, CatalogError>) -> Void
    ) {
        let job = Job { store in
            let result = Result { () throws(CatalogError) in try question(store.get()) }
            answer(result)
            if case .failure(let error) = result { return error }
            return nil
        }
        if desk.put({ $0.add(job) }) != true { answer(.failure(.locked)) }
    }

    /// Runs work on the thread that does not need the catalog, even if the catalog cannot be opened.
    package func run(_ work: @escaping @Sendable () -> Void) {
        let job = Job(needsCatalog: false) { _ in
            work()
            return nil
        }
        desk.put { _ = $0.add(job) }
    }

    /// Ends the thread after the jobs in its queue. Waits at most for `patience`.
    package func close(within patience: Duration) {
        desk.close()
        _ = thread.join(until: .read() + patience)
    }

    private static func run(
        _ folder: String, _ desk: Mailbox<Desk>, _ onNotice: @escaping @Sendable (Notice) -> Void
    ) {
        var store = open(folder, onNotice)
        var isBehind = false
        while let (job, fellBehind) = desk.take({ $0.takeNext() }) {
            if fellBehind {
                CatalogStore.noteMissed(in: folder)
                onNotice(.fellBehind(again: isBehind))
                isBehind = true
            }
            guard let job else { continue }
            if case .success(let opened) = store, !opened.isInPlace {
                onNotice(.deleted)
                store = .failure(.locked)
            }
            if case .failure = store, job.needsCatalog { store = open(folder, onNotice) }
            let error = job.body(store)
            if isBehind, case .success(let opened) = store, (try? opened.isCurrent) == true { isBehind = false }
            guard let error else { continue }
            onNotice(.failed(error))
            guard case .damaged(let why) = error else { continue }
            // Closes the store before its file is renamed.
            store = .failure(error)
            store = open(folder, damage: why, onNotice)
        }
    }

    private static func error(_ body: () throws(CatalogError) -> Void) -> CatalogError? {
        do throws(CatalogError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private static func open(
        _ folder: String, damage: String? = nil, _ onNotice: @Sendable (Notice) -> Void
    ) -> Result<CatalogStore, CatalogError> {
        do throws(CatalogError) {
            let store = try CatalogStore(folder: folder, damage: damage)
            onNotice(.opened(store.opening))
            return .success(store)
        } catch {
            onNotice(.failed(error))
            return .failure(error)
        }
    }
}
