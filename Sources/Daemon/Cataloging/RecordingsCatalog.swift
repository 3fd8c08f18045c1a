// SPDX-License-Identifier: MIT

package import Catalog
import EventLoop
package import Instants
package import Platform
package import RadioCore
import Recorder
package import Storage

/// Keeps the catalog consistent with the recordings folder: notes each file that is begun or finished, and rebuilds the
/// catalog from the sidecars when the catalog is new. Sendable; nothing here blocks, and no recording waits for it.
package final class RecordingsCatalog: Sendable {
    private let thread: CatalogThread
    private let library: Library
    private let folder: String
    /// The results of shows. Read and written on the catalog's thread.
    let shows: StateLedger
    /// What was deleted. Read and written on the catalog's thread.
    let deletions: StateLedger
    private let zone: any TimeZoneRules
    private let onFinding: @Sendable (RebuildFinding) -> Void
    private let onRebuilt: @Sendable (Result<Int, CatalogError>) -> Void
    /// What the present rebuild has found of files without sidecars.
    private let mending: Monitor<LibraryMending>
    let companions: CompanionMaker
    private let rebuilding = Monitor(Rebuilding.not)
    /// Files that must be noted once more because they were missing or not complete, as paths below the recordings
    /// folder.
    private let missing = Monitor<[Missing]>([])
    /// Whether files were finished outside the recordings folder, because it was renamed during the recording.
    private let hasStrayed = Monitor(false)
    private let hasNewFiles = Monitor(false)

    private static let mostMissing = 1_000

    private struct Missing {
        var path: String
        /// Whether the file was found, but not complete.
        var isLeftBehind = false
    }

    /// Whether the catalog is being rebuilt.
    private enum Rebuilding {
        case not
        case underWay
        /// The catalog was damaged or fell behind during the rebuild, so it has to be rebuilt once more.
        case underWayAndWanted
    }

    /// How many segments one job of a rebuild reads. Other jobs run between these jobs. Each of them lists the folder
    /// again: with 400 segments a job, a rebuild from 100,000 files in one folder takes 85 s longer.
    private static let pageSize = 2_000

    /// Opens the catalog in the state folder. Its thread calls the closures: `onFinding` for each file that has a
    /// sidecar again or is a new copy, and `onRebuilt` with the number of files read. `zone`: the zone of local times
    /// in the tags of files.
    package init(
        state: String, recordings: String, zone: any TimeZoneRules = FixedZone.utc,
        onNotice: @escaping @Sendable (CatalogThread.Notice) -> Void,
        onFinding: @escaping @Sendable (RebuildFinding) -> Void = { _ in },
        onRebuilt: @escaping @Sendable (Result<Int, CatalogError>) -> Void
    ) throws(SystemError) {
        folder = recordings
        shows = StateLedger(folder: state, name: StateLedger.shows)
        deletions = StateLedger(folder: state, name: StateLedger.deletions)
        library = Library(path: recordings, depth: NameTemplate.maxComponents)
        self.zone = zone
        self.onFinding = onFinding
        mending = Monitor(LibraryMending(library, zone: zone))
        self.onRebuilt = onRebuilt
        thread = try CatalogThread(folder: state, onNotice: onNotice)
        companions = CompanionMaker(library) { [thread] in thread.run($0) }
    }

    /// Enters a file, given the path of its audio.
    package func note(path: String) {
        if let path = relativePath(of: path) { note(relativePath: path) }
    }

    /// Enters a file that could not be completed yet, as long as its audio is: no process writes its sidecar.
    func noteUnfinished(path: String) {
        guard let path = relativePath(of: path) else { return }
        thread.update { [library] store throws(CatalogError) in
            guard let segment = Self.segment(at: Self.parts(of: path), in: library) else { return }
            try store.put([(try? library.measured(segment)) ?? segment])
        }
    }

    /// Enters the files once more that were growing when the last run ended: it may have finished some of them, and not
    /// have entered that.
    func noteGrowing() {
        thread.update { [library] store throws(CatalogError) in
            let segments = try store.growingFiles().compactMap { Self.segment(at: $0.path, in: library) }
            try store.put(segments.filter { !$0.isGrowing })
        }
    }

    /// Enters a file that was just begun or finished. If the file is missing because its disk is unavailable,
    /// ``retryMissing()`` tries again.
    package func noteRecorded(path: String) {
        guard let path = relativePath(of: path) else { return hasStrayed.withLock { $0 = true } }
        noteRecorded(relativePath: path)
    }

    /// Whether files of the recordings folder were begun or finished since the last call.
    func takeNewFiles() -> Bool { hasNewFiles.exchange(for: false) }

    private func noteRecorded(relativePath path: String) {
        hasNewFiles.withLock { $0 = true }
        note(relativePath: path) { [self] in noteLater(Missing(path: path)) }
    }

    /// Enters a file that a recording could not complete. Enters it again later, when it may be complete: a disk that
    /// hung may respond again, and then accepts the data that was passed to it.
    func noteLeftBehind(path: String) {
        note(path: path)
        if let path = relativePath(of: path) { noteLater(Missing(path: path, isLeftBehind: true)) }
    }

    private func noteLater(_ file: Missing) {
        missing.withLock { files in
            if files.count == Self.mostMissing { files.removeFirst() }
            files.append(file)
        }
    }

    /// Tries again to note the files that were missing or not complete. Returns whether there were any.
    package func retryMissing() -> Bool {
        let files = missing.exchange(for: [])
        guard !files.isEmpty else { return false }
        thread.update { [self] store throws(CatalogError) in
            for file in files {
                let segment = Self.segment(at: Self.parts(of: file.path), in: library)
                if let segment, !file.isLeftBehind || !segment.isGrowing {
                    try store.put([segment])
                } else {
                    noteLater(file)
                }
            }
        }
        return true
    }

    /// Rebuilds the catalog if files were finished outside the folder. Called when the folder accepts data again.
    func folderReturned() {
        thread.run { [self] in
            if hasStrayed.exchange(for: false) { rebuild() }
        }
    }

    /// Makes the companions that a finished file lacks.
    func complete(_ bundle: FinishedBundle) {
        guard let path = relativePath(of: bundle.path) else { return }
        companions.note(Self.parts(of: path), of: bundle.sidecar.stationID, isNew: true)
    }

    /// The path below the recordings folder; nil if the file lies elsewhere.
    private func relativePath(of path: String) -> String? {
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
    }

    /// Enters a file, given the path of its audio below the recordings folder. `onMissing` is called on the catalog's
    /// thread if the file is missing.
    func note(relativePath path: String, onMissing: @escaping @Sendable () -> Void = {}) {
        thread.update { [library] store throws(CatalogError) in
            let parts = Self.parts(of: path)
            if let segment = Self.segment(at: parts, in: library) {
                try store.put([segment])
                return try Self.forgetFormerPaths(of: segment, store, library)
            }
            onMissing()
            try store.forget(path: parts)
        }
    }

    /// Forgets where a file was before somebody renamed it.
    private static func forgetFormerPaths(
        of segment: LibrarySegment, _ store: CatalogStore, _ library: Library
    ) throws(CatalogError) {
        let former = try store.otherPaths(of: segment).filter { (try? library.hasAudio(at: $0)) == false }
        if let recording = segment.sidecar?.recording { try store.remove(paths: former, of: recording) }
    }

    private static func parts(of path: String) -> [String] { path.split(separator: "/").map(String.init) }

    /// The segment at a path. If the file was growing, it may have been given its final name meanwhile, so both names
    /// are tried.
    private static func segment(at parts: [String], in library: Library) -> LibrarySegment? {
        if let segment = library.segment(at: parts) { return segment }
        guard let name = parts.last, name.hasSuffix(".part") else { return nil }
        return library.segment(at: parts.dropLast() + [String(name.dropLast(5))])
    }

    /// A recording with all its parts, as ``CatalogStore/detail(of:)``. Call it on the catalog's thread. Growing files
    /// are noted once more: the catalog knows them as they were when they began, and their sidecars know more.
    package func detail(of recording: String, in store: CatalogStore) throws(CatalogError) -> CatalogDetail? {
        let growing = try store.detail(of: recording)?.segments.filter { $0.state == .growing } ?? []
        let found = growing.compactMap { Self.segment(at: Self.parts(of: $0.path), in: library) }
        try store.put(found.filter { $0.audio != nil })
        return try store.detail(of: recording)
    }

    /// The frames of a recording, or of a span of its air time. Reads growing files as a whole: do not call it on the
    /// catalog's thread.
    package func excerpt(of detail: CatalogDetail, from start: WallInstant?, until end: WallInstant?) -> Excerpt {
        let segments = detail.segments.compactMap { Self.segment(at: Self.parts(of: $0.path), in: library) }
        let measured = segments.map { (try? library.measured($0)) ?? $0 }
        return Excerpt(LibraryRecording(id: detail.recording.id, segments: measured), from: start, until: end)
            .withPreroll
    }

    package var exporter: RecordingExporter { RecordingExporter(path: folder) }

    /// Queries the catalog. `answer` is called on the catalog's thread.
    package func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (CatalogStore) throws(CatalogError) -> Answer,
        answer: @escaping @Sendable (Result<Answer, CatalogError>) -> Void
    ) {
        thread.ask(question, answer: answer)
    }

    /// Runs work that needs no catalog on the catalog's thread.
    package func run(_ work: @escaping @Sendable () -> Void) { thread.run(work) }

    /// Rebuilds the catalog from all sidecars. If a rebuild is under way, another one follows it.
    package func rebuild() {
        let isFirst = rebuilding.withLock { state in
            defer { state = state == .not ? .underWay : .underWayAndWanted }
            return state == .not
        }
        if isFirst { begin() }
    }

    private func begin() {
        thread.ask({ [deletions] store throws(CatalogError) in
            try store.beginRebuilding()
            // A new catalog does not know what was deleted, and copies of it are to be left alone.
            guard try store.isEmpty() else { return }
            for (recording, files) in RecordingRemoval.deleted(in: deletions) {
                try store.noteDeleted(files, of: recording)
            }
        }) { [self] result in
            switch result {
            case .success:
                mending.withLock { $0 = LibraryMending(library, zone: zone) }
                readPage(after: nil, read: 0)
            case .failure(let error): finish(.failure(error))
            }
        }
    }

    private func readPage(after place: LibraryPlace?, read count: Int) {
        thread.ask(
            { [library, mending, companions] store throws(CatalogError) -> (count: Int, next: LibraryPlace?) in
                let page: (segments: [LibrarySegment], next: LibraryPlace?)
                do throws(StorageError) {
                    page = try library.page(after: place, atMost: Self.pageSize)
                } catch {
                    // Before the first recording the folder does not exist. If the catalog is not empty, the folder's
                    // disk may not be mounted.
                    guard error.code == .missing, try store.isEmpty() else { throw .failed(0, "\(error.message)") }
                    page = ([], nil)
                }
                try store.put(page.segments)
                mending.withLock { mending in for segment in page.segments { mending.note(segment) } }
                page.segments.forEach(companions.note)
                return (page.segments.count, page.next)
            },
            answer: { [self] result in
                switch result {
                case .success((let added, let next?)): readPage(after: next, read: count + added)
                case .success((let added, nil)): mendNext(read: count + added)
                case .failure(let error): finish(.failure(error))
                }
            })
    }

    /// Gives the next file that has lost its sidecar a sidecar again. Each job reads one file.
    private func mendNext(read count: Int) {
        thread.ask(
            { [self] store throws(CatalogError) -> Bool in
                guard let segment = mending.withLock({ $0.takeUnclear() }) else {
                    try store.finishRebuilding()
                    for copy in try store.newCopies() { onFinding(.copy(copy)) }
                    return false
                }
                try mend(segment, store)
                return true
            },
            answer: { [self] result in
                switch result {
                case .success(true): mendNext(read: count)
                case .success(false): finish(.success(count))
                case .failure(let error): finish(.failure(error))
                }
            })
    }

    private func mend(_ segment: LibrarySegment, _ store: CatalogStore) throws(CatalogError) {
        let path = segment.folders + [segment.base]
        let isRemembered = try store.remembers(path: path)
        let mayBeKnown = try isRemembered ? true : store.remembers(bytes: segment.audio?.bytes ?? 0)
        // All of this runs on one thread, so nothing misses the value meanwhile. It is moved, because a copy of its
        // lists for each file would make the time quadratic.
        var mending = mending.exchange(for: LibraryMending(library, zone: zone))
        defer { self.mending.withLock { $0 = mending } }
        let mended: LibraryMending.Mended?
        do throws(StorageError) {
            mended = try mending.mend(segment, mayBeKnown: mayBeKnown) { try? store.restore($0, path: path) }
        } catch {
            return onFinding(.notMended(error))
        }
        if let mended {
            companions.note(mended.segment)
            onFinding(.mended(mended))
        }
        try store.put([mended?.segment ?? segment], forgetsLost: true)
    }

    private func finish(_ result: Result<Int, CatalogError>) {
        onRebuilt(result)
        let isWanted = rebuilding.withLock { state in
            defer { state = state == .underWayAndWanted ? .underWay : .not }
            return state == .underWayAndWanted
        }
        // A rebuild that was requested meanwhile begins only after a success: after a failure another attempt would
        // fail as well.
        if isWanted, case .success = result { return begin() }
        if isWanted { rebuilding.withLock { $0 = .not } }
    }

    /// Ends the thread after all notes so far. Waits for `patience` at most.
    package func close(within patience: Duration) { thread.close(within: patience) }
}

/// A file that a rebuild of the catalog has found beside the recordings as they were written.
package enum RebuildFinding: Sendable {
    /// The file had no sidecar, and has one again.
    case mended(LibraryMending.Mended)
    /// The file's audio could not be read, or its sidecar could not be written.
    case notMended(StorageError)
    /// The file is a copy of another one, and does not count.
    case copy(CatalogCopy)
}

extension RecorderNotice {
    /// The paths of the files whose entries in the catalog have to be updated, except for the ``bundle``.
    package var changedFiles: [String] {
        switch self {
        case .began(let path, _): [path]
        case .rewritten(let path): [path]
        case .recovered(let file): file.bundle == nil ? [file.path] : []
        case .cut(let path, _): [path]
        case .leftBehind(let path, _): [path]
        case .finished, .healed, .revised, .notHealed, .failing, .resumed, .lost, .missingBefore, .flawed, .noTitles: []
        }
    }
}
