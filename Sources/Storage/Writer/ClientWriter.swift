// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats

/// The files of a ``SegmentWriter``: their queued data, and the handling of a disk that rejects it. Confined to the
/// writer's thread.
///
/// After a failure, nothing is tried for a short time.
final class ClientWriter {
    let number: Int
    let report: @Sendable (WriterReport) -> Void
    private let system: any FileSystemCalls
    private let queue: WriterQueue
    private let limits: WriterLimits
    private let root: RecordingsFolder
    private let floor: FreeSpaceFloor
    private var entries: [WriterEntry] = []
    private var finished: FinishedFiles
    private var blockage: Blockage?
    /// Why sidecars could not be written recently, and when to retry.
    private var sidecarBlockage: Blockage?
    private var recovery: Recovery?
    /// Whether any file was left behind as a part.
    private(set) var hasLeftBehind = false

    private struct Blockage {
        var error: StorageError
        var retryAt: MonotonicInstant
    }

    init(
        number: Int, root: RecordingsFolder, floor: FreeSpaceFloor, engine: WriterEngine,
        report: @escaping @Sendable (WriterReport) -> Void
    ) {
        self.number = number
        self.report = report
        system = engine.system
        queue = engine.queue
        limits = engine.limits
        self.floor = floor
        self.root = root
        finished = FinishedFiles(system: engine.system)
    }

    // MARK: Commands

    func open(_ id: FileID, _ spec: SegmentFileSpec) {
        entries.append(WriterEntry(id: id, spec: spec))
    }

    func append(_ item: WriterItem, to id: FileID) {
        guard let entry = entry(id) else { return settle([item][...]) }
        entry.append(item)
    }

    func setSidecar(_ bytes: [UInt8], of id: FileID, _ now: MonotonicInstant) {
        if let entry = entry(id) {
            entry.sidecar = bytes
            if let file = entry.file { writeSidecar(of: entry, file, now) }
        } else if finished.setSidecar(bytes, of: id) {
            writeSidecar(ofFinished: id, now)
        }
    }

    /// What is known of audio comes after it, so the file may be complete already.
    func append(_ bytes: [UInt8], to companion: Companion, of id: FileID) {
        guard let entry = entry(id) else { return finished.append(bytes, to: companion, of: id, in: root) }
        switch entry.state {
        case .waiting: entry.growth[companion, default: []] += bytes
        case .open(let file), .cut(let file): append(bytes, to: companion, of: file, id)
        }
    }

    private func append(_ bytes: [UInt8], to companion: Companion, of file: SegmentFile, _ id: FileID) {
        if let range = file.append(bytes, to: companion) { report(.copied(id, range)) }
    }

    func close(_ id: FileID, _ ending: FileEnding, _ now: MonotonicInstant) {
        guard let entry = entry(id) else { return }
        // The recorder sent this command before it received the report of the cut.
        if case .cut = entry.state { return }
        entry.ending = ending
    }

    func resume(
        _ id: FileID, _ ending: FileEnding, in next: FileID, _ spec: SegmentFileSpec, _ now: MonotonicInstant
    ) {
        guard let index = entries.firstIndex(where: { $0.id == id }), case .cut(let file) = entries[index].state else {
            return
        }
        entries[index] = WriterEntry(
            id: next, spec: spec, continuing: entries[index], behind: file.facts.samples)
        complete(id, file, ending, now)
    }

    func lend(_ id: FileID) { report(.lent(id, isReady: finished.lend(id))) }

    func takeBack(_ id: FileID, _ checksum: UInt64?, _ sidecar: [UInt8]?, _ now: MonotonicInstant) {
        finished.takeBack(id, checksum: checksum, sidecar: sidecar)
        writeSidecar(ofFinished: id, now)
    }

    func release(_ id: FileID) { finished.release(id) }

    var rootPath: String { root.path }

    /// Checks now, before there is any data, whether the folder is writable. A folder that does not exist yet is not an
    /// error. Starts recovery if `searches`. Returns whether the folder exists.
    func recover(searches: Bool, writesSidecars: Bool, depth: Int, _ now: MonotonicInstant) -> Bool {
        var exists = true
        do throws(SystemError) {
            let folder = try root.openExisting([])
            defer { system.close(folder) }
            try system.checkWritable(folder)
        } catch {
            exists = error.number != ENOENT
            if exists { block(StorageError(error, .openFolder, root.path), now) }
        }
        guard searches, exists else { return exists }
        recovery = Recovery(root: root, system: system, writesSidecars: writesSidecars, depth: depth) {
            [report] files in
            report(.recovered(files))
        }
        return true
    }

    var isRecovering: Bool { recovery != nil }

    func stepRecovery() {
        if recovery?.step() == false { recovery = nil }
    }

    /// Tries everything once more, then drops unwritten data and reports it as lost.
    func giveUp(_ now: MonotonicInstant) {
        blockage?.retryAt = now
        _ = advance(all: true, now)
        leaveAll(now)
    }

    /// Closes all files as they are.
    func leaveAll(_ now: MonotonicInstant) {
        recovery?.abandon()
        recovery = nil
        retrySidecars(now)
        let error = blockage?.error ?? StorageError(code: .notAnswering, action: .write, path: root.path)
        for entry in entries {
            let lost = entry.pending.reduce(0) { $0 + Int64($1.frames) }
            switch entry.state {
            case .waiting:
                report(.abandoned(entry.id, FileFacts(path: root.path), lost: lost, error))
            case .open(let file), .cut(let file):
                file.leave()
                hasLeftBehind = true
                report(.abandoned(entry.id, file.facts, lost: lost, error))
            }
            settle(entry.pending[...])
        }
        entries = []
    }

    // MARK: Turns

    /// Whether the beginning, data or end of any file is still to be written.
    var hasPending: Bool { entries.contains(where: \.hasPending) }

    /// When to retry; nil if nothing waits for a retry.
    var retryAt: MonotonicInstant? {
        .earliest(hasPending ? blockage?.retryAt : nil, sidecarBlockage?.retryAt)
    }

    /// Writes what is due: everything if `all`, otherwise only files with a batch of data, or with a beginning or an
    /// end to be written. Returns whether anything was written.
    func advance(all: Bool, _ now: MonotonicInstant) -> Bool {
        var hasWritten = false
        if let blockage = sidecarBlockage, blockage.retryAt <= now { retrySidecars(now) }
        // Iterates over a copy, because completed entries are removed.
        for entry in entries {
            if let blockage, blockage.retryAt > now { return hasWritten }
            if case .waiting = entry.state {
                if entry.ending != nil, entry.pending.isEmpty {
                    entries.removeAll { $0 === entry }
                    report(.discarded(entry.id))
                    continue
                }
                create(entry, now)
            }
            guard let file = entry.file else { continue }
            let mustWrite = all || entry.pendingBytes >= limits.batch || entry.ending != nil || blockage != nil
            if mustWrite, !entry.pending.isEmpty {
                write(entry, file, now)
                hasWritten = true
            }
            if entry.file != nil, entry.pending.isEmpty, let ending = entry.ending {
                entries.removeAll { $0 === entry }
                complete(entry.id, file, ending, now)
                reportBacklog()
            }
        }
        return hasWritten
    }

    private func create(_ entry: WriterEntry, _ now: MonotonicInstant) {
        do throws(StorageError) {
            try checkRoom(for: entry)
            let file = try SegmentFile.create(entry.spec, in: root, system)
            entry.state = .open(file)
            for (companion, bytes) in entry.growth { append(bytes, to: companion, of: file, entry.id) }
            report(.opened(entry.id, expectedPath: file.expectedPath))
            if let problem = file.sidecarProblem {
                entry.sidecar = entry.sidecar ?? file.growingSidecar
                blockSidecars(problem, of: entry.id, now)
            } else {
                writeSidecar(of: entry, file, now)
            }
            if entry.pending.isEmpty { unblock() }
        } catch {
            block(error, now)
        }
    }

    /// Throws if the disk has no room for a new file. The space that has to stay free must not be used. After the disk
    /// was full, there must also be room for the first data, because without it the file would be cut at once.
    private func checkRoom(for entry: WriterEntry) throws(StorageError) {
        let isStopped = blockage.map { [.noSpace, .keptFree].contains($0.error.code) } ?? false
        guard isStopped || floor != .none else { return }
        let folder = try root.open()
        defer { system.close(folder) }
        guard let space = try? system.space(of: folder) else { return }
        let wanted = Int64(min(entry.pendingBytes, limits.batch) + entry.spec.header.count + Self.sidecarAllowance)
        let code: StorageError.Code? =
            isStopped && space.free < wanted ? .noSpace : admits(space, adding: 0) ? nil : .keptFree
        guard let code else { return }
        let path = ([root.path] + entry.spec.folders + [entry.spec.name]).joined(separator: "/")
        throw StorageError(code: code, action: .create, path: "\(path).\(entry.spec.fileExtension).part")
    }

    /// The error if an open file would use space that has to stay free when it grows by `bytes`; nil otherwise.
    private func floorError(of file: SegmentFile, growingBy bytes: Int) -> StorageError? {
        guard floor != .none, let space = file.space, !admits(space, adding: bytes) else { return nil }
        return StorageError(code: .keptFree, action: .write, path: file.facts.path)
    }

    private func admits(_ space: DiskSpace, adding bytes: Int) -> Bool {
        floor.admits(
            free: space.free - Int64(bytes), diskSize: space.size, isStopped: blockage?.error.code == .keptFree)
    }

    private func write(_ entry: WriterEntry, _ file: SegmentFile, _ now: MonotonicInstant) {
        while !entry.pending.isEmpty {
            let batch = entry.pending.prefixOfBytes(limits.highWater)
            let size = batch.reduce(0) { $0 + $1.count }
            if let error = floorError(of: file, growingBy: size) { return cut(entry, file, error, now) }
            let (whole, error) = file.append(batch)
            settle(entry.takeWritten(whole))
            if let error { return cut(entry, file, error, now) }
            unblock()
        }
    }

    /// Handles data rejected by the disk: the file ends here.
    private func cut(_ entry: WriterEntry, _ file: SegmentFile, _ error: StorageError, _ now: MonotonicInstant) {
        entry.unsyncedSince = nil
        // A removed file says nothing about the disk.
        if !file.isGone { block(error, now) }
        if file.isEmpty {
            file.discard()
            (entry.state, entry.growth) = (.waiting, file.growth)
        } else {
            entry.ending = nil
            entry.state = .cut(file)
            report(.cut(entry.id, file.facts, error))
        }
    }

    private func complete(_ id: FileID, _ file: SegmentFile, _ ending: FileEnding, _ now: MonotonicInstant) {
        guard !file.isEmpty else {
            file.discard()
            return report(.discarded(id))
        }
        do throws(StorageError) {
            let (result, problem, sidecarProblem) = try file.complete(ending)
            finished.add(
                result, id, path: file.facts.path, pending: sidecarProblem == nil ? nil : ending.sidecar, in: root)
            var facts = file.facts
            facts.checksum = result.facts.checksum
            report(.finished(id, facts, problem: problem))
            if let sidecarProblem { blockSidecars(sidecarProblem, of: id, now) }
        } catch {
            guard file.isGone else {
                hasLeftBehind = true
                return report(.abandoned(id, file.facts, lost: 0, error))
            }
            report(.abandoned(id, FileFacts(path: file.facts.path), lost: file.facts.frames, error))
        }
    }

    private func block(_ error: StorageError, _ now: MonotonicInstant) {
        let isNewFailure = blockage?.error.code != error.code
        blockage = Blockage(error: error, retryAt: now + limits.retry)
        if isNewFailure { report(.failing(error)) }
    }

    private func unblock() {
        guard blockage != nil else { return }
        blockage = nil
        report(.resumed)
    }

    // MARK: Sidecars

    // A sidecar is secondary: if it cannot be written, the audio continues, and the newest sidecar is retried.

    private func writeSidecar(of entry: WriterEntry, _ file: SegmentFile, _ now: MonotonicInstant) {
        guard let bytes = entry.sidecar else { return }
        do throws(StorageError) {
            try file.writeSidecar(bytes)
            entry.sidecar = nil
        } catch {
            // Do not retry: a taken name stays with its present owner.
            if error.code == .nameTaken { entry.sidecar = nil }
            blockSidecars(error, of: entry.id, now)
        }
    }

    private func writeSidecar(ofFinished id: FileID, _ now: MonotonicInstant) {
        do throws(StorageError) {
            if let path = try finished.writeSidecar(of: id, in: root) { report(.sidecarRewritten(path: path)) }
        } catch {
            blockSidecars(error, of: id, now)
        }
    }

    private func retrySidecars(_ now: MonotonicInstant) {
        for entry in entries {
            if let file = entry.file { writeSidecar(of: entry, file, now) }
        }
        for id in finished.waiting { writeSidecar(ofFinished: id, now) }
        let isWaiting = entries.contains { $0.file != nil && $0.sidecar != nil }
        if !isWaiting, finished.waiting.isEmpty { sidecarBlockage = nil }
    }

    private func blockSidecars(_ error: StorageError, of id: FileID, _ now: MonotonicInstant) {
        let isNewFailure = sidecarBlockage?.error.code != error.code
        sidecarBlockage = Blockage(error: error, retryAt: now + limits.retry)
        if isNewFailure { report(.sidecarFailed(id, error)) }
    }

    // MARK: Syncs

    /// When the oldest data must be synced.
    var syncAt: MonotonicInstant? {
        entries.lazy.compactMap(\.unsyncedSince).min().map { $0 + limits.sync }
    }

    /// Whether to sync data now because the thread is awake anyway: if the thread wakes for each write, it need not
    /// wake again for syncs.
    func wantsSync(_ now: MonotonicInstant) -> Bool {
        syncAt.map { $0 - limits.syncSlack <= now } ?? false
    }

    var unsyncedFiles: [SegmentFile] {
        entries.compactMap { $0.unsyncedSince == nil ? nil : $0.file }
    }

    /// Syncs the files that are due.
    func syncDue(_ now: MonotonicInstant) {
        for entry in entries {
            guard let since = entry.unsyncedSince, since + limits.sync - limits.syncSlack <= now else { continue }
            sync(entry, now)
        }
    }

    /// Syncs all files with unsynced data, except those on devices that have been synced as a whole.
    func syncAll(exceptOn synced: Set<UInt64>, _ now: MonotonicInstant) {
        for entry in entries where entry.unsyncedSince != nil {
            guard let file = entry.file else { continue }
            sync(entry, now, isDone: synced.contains(file.device))
        }
    }

    private func sync(_ entry: WriterEntry, _ now: MonotonicInstant, isDone: Bool = false) {
        guard let file = entry.file else { return }
        do throws(StorageError) {
            if isDone { try file.checkName() } else { try file.sync() }
            entry.unsyncedSince = nil
        } catch {
            cut(entry, file, error, now)
        }
    }

    // MARK: Accounts

    /// Tells the queue what is left of this client's data and files.
    func reportBacklog() {
        let oldest = entries.lazy.compactMap { $0.pending.first?.arrival }.min()
        let isDrained = queue.setBacklog(oldest: oldest, endings: entries.count { $0.ending != nil }, of: number)
        if isDrained { report(.drained) }
    }

    private func settle(_ items: ArraySlice<WriterItem>) {
        guard !items.isEmpty else { return }
        let bytes = items.reduce(0) { $0 + $1.count }
        let totals = items.reduce(into: FrameTotals()) { $0 += $1.totals }
        queue.settle(bytes, totals, of: number)
    }

    private func entry(_ id: FileID) -> WriterEntry? {
        entries.last { $0.id == id }
    }

    private static let sidecarAllowance = 64 << 10
}
