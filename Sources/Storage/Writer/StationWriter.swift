// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioFormats

/// The files of one ``SegmentWriter``: what waits for them, and what is done where the disk will not take it. Confined
/// to the writer's thread.
///
/// A file is `waiting` (to be created), `open`, or `cut`: it has failed and takes no more until the recorder says how
/// to go on. While anything failed a short time ago nothing is tried.
final class StationWriter {
    let number: Int
    let report: @Sendable (WriterReport) -> Void
    private let system: any FileSystemCalls
    private let queue: WriterQueue
    private let limits: WriterLimits
    private var root: RecordingsFolder
    private var entries: [Entry] = []
    private var finished: [FileID: FinishedFile] = [:]
    private var blockage: Blockage?
    private var recovery: Recovery?

    private final class Entry {
        let id: FileID
        let spec: SegmentFileSpec
        var state = State.waiting
        var pending: [WriterItem] = []
        var pendingBytes = 0
        var ending: FileEnding?
        /// Ogg: makes the pages fit behind those that went into other files; in this order.
        var continuations: [OggContinuation] = []
        /// The newest sidecar that is not written yet.
        var sidecar: [UInt8]?
        /// When the oldest data that is written and not synced was appended.
        var unsyncedSince: MonotonicInstant?

        init(id: FileID, spec: SegmentFileSpec) {
            self.id = id
            self.spec = spec
        }
    }

    private enum State {
        case waiting
        case open(SegmentFile)
        case cut(SegmentFile)
    }

    private struct Blockage {
        var error: StorageError
        var retryAt: MonotonicInstant
    }

    init(number: Int, root: String, engine: WriterEngine, report: @escaping @Sendable (WriterReport) -> Void) {
        self.number = number
        self.report = report
        system = engine.system
        queue = engine.queue
        limits = engine.limits
        self.root = RecordingsFolder(path: root, system: engine.system)
    }

    // MARK: Commands

    func open(_ id: FileID, _ spec: SegmentFileSpec) {
        entries.append(Entry(id: id, spec: spec))
    }

    func append(_ item: WriterItem, to id: FileID) {
        guard let entry = entry(id) else { return settle([item][...]) }
        var item = item
        for index in entry.continuations.indices { item.renumber(&entry.continuations[index]) }
        entry.pending.append(item)
        entry.pendingBytes += item.count
    }

    func setSidecar(_ bytes: [UInt8], of id: FileID, _ now: MonotonicInstant) {
        if let entry = entry(id) {
            entry.sidecar = bytes
            if case .open(let file) = entry.state { writeSidecar(of: entry, file) }
        } else if let file = finished[id], file.hasSidecar {
            rewriteSidecar(bytes, of: id, file)
        }
    }

    func close(_ id: FileID, _ ending: FileEnding, _ now: MonotonicInstant) {
        guard let entry = entry(id) else { return }
        // The recorder did not know yet that the file was cut; it does when it reads the report.
        if case .cut = entry.state { return }
        entry.ending = ending
    }

    func resume(_ id: FileID, _ ending: FileEnding, in next: FileID, _ spec: SegmentFileSpec) {
        guard let index = entries.firstIndex(where: { $0.id == id }), case .cut(let file) = entries[index].state else {
            return
        }
        let old = entries[index]
        let new = Entry(id: next, spec: spec)
        new.pending = old.pending
        new.pendingBytes = old.pendingBytes
        new.continuations = old.continuations
        if spec.isPaged {
            var continuation = OggContinuation(header: spec.header, samples: file.facts.samples)
            for index in new.pending.indices { new.pending[index].renumber(&continuation) }
            new.continuations.append(continuation)
        }
        entries[index] = new
        complete(old.id, file, ending)
    }

    func release(_ id: FileID) {
        finished[id] = nil
    }

    /// Also the time to notice that nothing can be written there, before there is anything to write. That the folder
    /// does not exist yet is no fault.
    func recover(writesSidecars: Bool, depth: Int, _ now: MonotonicInstant) {
        do throws(SystemError) {
            let folder = try root.openExisting([])
            defer { system.close(folder) }
            try system.checkWritable(folder)
        } catch {
            if error.number != ENOENT { block(StorageError(error, .openFolder, root.path), now) }
        }
        recovery = Recovery(root: root, system: system, writesSidecars: writesSidecars, depth: depth) {
            [report] files in
            report(.recovered(files))
        }
    }

    var isRecovering: Bool { recovery != nil }

    func stepRecovery() {
        if recovery?.step() == false { recovery = nil }
    }

    /// One more try for everything, then what could not be written is dropped and said to be lost.
    func giveUp(_ now: MonotonicInstant) {
        blockage?.retryAt = now
        _ = advance(all: true, now)
        leaveAll()
    }

    /// Closes all files as they are.
    func leaveAll() {
        recovery?.abandon()
        recovery = nil
        let error = blockage?.error ?? StorageError(code: .notAnswering, action: .write, path: root.path)
        for entry in entries {
            let lost = entry.pending.reduce(0) { $0 + Int64($1.frames) }
            switch entry.state {
            case .waiting:
                report(.abandoned(entry.id, FileFacts(path: root.path), lost: lost, error))
            case .open(let file), .cut(let file):
                file.leave()
                report(.abandoned(entry.id, file.facts, lost: lost, error))
            }
            settle(entry.pending[...])
        }
        entries = []
    }

    // MARK: Turns

    /// When something is to be tried again; nil where nothing waits for that.
    var retryAt: MonotonicInstant? {
        let waits = entries.contains { entry in
            switch entry.state {
            case .waiting: true
            case .open: !entry.pending.isEmpty || entry.ending != nil
            case .cut: false
            }
        }
        return waits ? blockage?.retryAt : nil
    }

    /// Writes what is due: everything, or only files with a batch of data, a beginning or an end. Returns whether
    /// anything was written.
    func advance(all: Bool, _ now: MonotonicInstant) -> Bool {
        var hasWritten = false
        // A list of its own: entries go away when they are complete.
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
            guard case .open(let file) = entry.state else { continue }
            let mustWrite = all || entry.pendingBytes >= limits.batch || entry.ending != nil || blockage != nil
            if mustWrite, !entry.pending.isEmpty {
                write(entry, file, now)
                hasWritten = true
            }
            if case .open = entry.state, entry.pending.isEmpty, let ending = entry.ending {
                entries.removeAll { $0 === entry }
                complete(entry.id, file, ending)
            }
        }
        return hasWritten
    }

    private func create(_ entry: Entry, _ now: MonotonicInstant) {
        do throws(StorageError) {
            if let blockage, blockage.error.code == .noSpace { try checkSpace(for: entry) }
            let file = try SegmentFile.create(entry.spec, in: &root, system)
            entry.state = .open(file)
            report(.opened(entry.id, expectedPath: file.expectedPath))
            if entry.pending.isEmpty { unblock() }
        } catch {
            block(error, now)
        }
    }

    /// A full disk is not tried with files that would be cut at once.
    private func checkSpace(for entry: Entry) throws(StorageError) {
        let folder = try root.open()
        defer { system.close(folder) }
        guard let free = try? system.freeBytes(of: folder) else { return }
        let wanted = Int64(min(entry.pendingBytes, limits.batch) + entry.spec.header.count + Self.sidecarAllowance)
        let path = ([root.path] + entry.spec.folders + [entry.spec.name]).joined(separator: "/")
        if free < wanted {
            throw StorageError(code: .noSpace, action: .create, path: "\(path).\(entry.spec.fileExtension).part")
        }
    }

    private func write(_ entry: Entry, _ file: SegmentFile, _ now: MonotonicInstant) {
        while !entry.pending.isEmpty {
            let batch = entry.pending.prefixOfBytes(limits.highWater)
            let (whole, error) = file.append(batch)
            let done = entry.pending.prefix(whole)
            if let oldest = done.first?.arrival { entry.unsyncedSince = entry.unsyncedSince ?? oldest }
            let bytes = done.reduce(0) { $0 + $1.count }
            entry.pendingBytes -= bytes
            settle(done)
            entry.pending.removeFirst(whole)
            if let error { return cut(entry, file, error, now) }
            unblock()
        }
    }

    /// The disk has refused data: the file ends here.
    private func cut(_ entry: Entry, _ file: SegmentFile, _ error: StorageError, _ now: MonotonicInstant) {
        entry.unsyncedSince = nil
        block(error, now)
        if file.isEmpty {
            file.discard()
            entry.state = .waiting
        } else {
            entry.ending = nil
            entry.state = .cut(file)
            report(.cut(entry.id, file.facts, error))
        }
    }

    private func complete(_ id: FileID, _ file: SegmentFile, _ ending: FileEnding) {
        guard !file.isEmpty else {
            file.discard()
            return report(.discarded(id))
        }
        do throws(StorageError) {
            let (result, problem) = try file.complete(ending)
            finished[id] = result
            report(.finished(id, file.facts, problem: problem))
        } catch {
            report(.abandoned(id, file.facts, lost: 0, error))
        }
    }

    private func block(_ error: StorageError, _ now: MonotonicInstant) {
        let isNews = blockage?.error.code != error.code
        blockage = Blockage(error: error, retryAt: now + limits.retry)
        if isNews { report(.failing(error)) }
    }

    private func unblock() {
        guard blockage != nil else { return }
        blockage = nil
        report(.resumed)
    }

    // MARK: Sidecars

    private func writeSidecar(of entry: Entry, _ file: SegmentFile) {
        guard let bytes = entry.sidecar else { return }
        do throws(StorageError) {
            try file.writeSidecar(bytes)
            entry.sidecar = nil
        } catch {
            report(.sidecarFailed(entry.id, error))
        }
    }

    private func rewriteSidecar(_ bytes: [UInt8], of id: FileID, _ file: FinishedFile) {
        do throws(StorageError) {
            let folder = try root.open(file.folders)
            defer { system.close(folder) }
            let path = ([root.path] + file.folders).joined(separator: "/")
            var sidecar = SidecarFile(base: file.base, folder: folder, folderPath: path, system: system, isOwned: true)
            _ = try sidecar.write(bytes)
        } catch {
            report(.sidecarFailed(id, error))
        }
    }

    // MARK: Syncs

    /// When the oldest data must be synced; a gathering's length early, as that is how long the next turn may be away.
    var syncAt: MonotonicInstant? {
        entries.compactMap { $0.unsyncedSince }.min().map { $0 + (limits.sync - limits.gather) }
    }

    var unsyncedFiles: [SegmentFile] {
        entries.compactMap { entry in
            if case .open(let file) = entry.state, entry.unsyncedSince != nil { file } else { nil }
        }
    }

    /// Syncs each file whose time has come.
    func syncDue(_ now: MonotonicInstant) {
        for entry in entries {
            guard let since = entry.unsyncedSince, since + (limits.sync - limits.gather) <= now else { continue }
            sync(entry, now)
        }
    }

    /// Syncs each file that has anything to sync, except on devices that have been synced whole.
    func syncAll(exceptOn synced: Set<UInt64>, _ now: MonotonicInstant) {
        for entry in entries where entry.unsyncedSince != nil {
            guard case .open(let file) = entry.state else { continue }
            sync(entry, now, isDone: synced.contains(file.device))
        }
    }

    private func sync(_ entry: Entry, _ now: MonotonicInstant, isDone: Bool = false) {
        guard case .open(let file) = entry.state else { return }
        do throws(StorageError) {
            if isDone { try file.checkName() } else { try file.sync() }
            entry.unsyncedSince = nil
        } catch {
            cut(entry, file, error, now)
        }
    }

    // MARK: Accounts

    /// Tells the queue how long the oldest data has waited.
    func reportOldest() {
        queue.setOldest(entries.compactMap { $0.pending.first?.arrival }.min(), of: number)
    }

    private func settle(_ items: ArraySlice<WriterItem>) {
        let bytes = items.reduce(0) { $0 + $1.count }
        if bytes > 0, queue.settle(bytes, of: number) { report(.drained) }
    }

    private func entry(_ id: FileID) -> Entry? {
        entries.last { $0.id == id }
    }

    private static let sidecarAllowance = 64 << 10
}

extension [WriterItem] {
    /// The first items, as many as hold `bytes` together; at least one.
    fileprivate func prefixOfBytes(_ bytes: Int) -> ArraySlice<WriterItem> {
        var sum = 0
        return prefix { item in
            defer { sum += item.count }
            return sum < bytes
        }
    }
}
