// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats
import Storage

/// The files of a recording, of which each continues the one before. Has the writer open, fill, cut and end them.
///
/// A report about a file that is complete already is ignored.
final class SegmentChain {
    /// Called with each complete file, in order, once what was found for it is in it, as far as the disk has room.
    var onFinished: ((RecordedSegment, FinishedBundle) -> Void)?
    /// Called with a finished file that has changed since ``onFinished`` was called with it.
    var onRevised: ((RecordedSegment, FinishedBundle) -> Void)?

    let sidecars: RecordingSidecars
    let healing: FileHealing
    /// Finds frames in the files, for readers that need them again.
    let archive: RecordingArchive
    /// Why the most recently ended file could not be completed; nil if it was completed.
    private(set) var unfinished: Failure?
    private let files = PendingFiles()
    /// The complete files of which the owner has not been told yet, in order.
    private var untold: [PendingFile] = []
    private let settings: RecorderSettings
    private let writer: SegmentWriter
    private let reactor: any Reactor
    /// Whether the writer will be woken at the end of this turn.
    private var isFlushing = false

    init(
        _ settings: RecorderSettings, folder: String, writer: SegmentWriter, healing thread: HealingThread,
        reactor: any Reactor
    ) {
        self.settings = settings
        archive = RecordingArchive(reactor: reactor)
        sidecars = RecordingSidecars(of: files, settings, writer: writer, reactor: reactor)
        healing = FileHealing(
            of: files, sidecars, root: folder, floor: settings.floor, thread: thread, writer: writer,
            archive: archive, reactor: reactor, keepsCopies: settings.writesSidecars)
        self.writer = writer
        self.reactor = reactor
        // The gap may be one for which something was found already.
        sidecars.onGap = { [weak healing] in reactor.defer { healing?.healComplete() } }
        healing.onEnd = { [weak self] in self?.end(healing: $0, hasChanged: $1) }
    }

    // MARK: Files

    /// Whether a file is open.
    var isOpen: Bool { files.current != nil }
    /// The path of the open file; nil if there is none.
    var path: String? { files.current?.path }
    /// Whether every file has been completed, or cannot be.
    var isSettled: Bool { files.incomplete.isEmpty && !healing.isBusy }

    /// The files on disk that are not complete, as far as the queue has accepted their frames, oldest first.
    var growingFiles: [RecordedSegment] {
        files.incomplete.compactMap { file in
            guard let path = file.path else { return nil }
            var facts = FileFacts(path: path)
            (facts.frames, facts.bytes, facts.samples) = (file.segment.frames, file.segment.bytes, file.segment.samples)
            return sidecars.recorded(file, facts, isComplete: false)
        }
    }

    /// What has been written of the files that are not complete, the newest first.
    var written: [(file: FileID, facts: FileFacts)] {
        var waiting = writer.waiting
        return files.incomplete.reversed().map { file in
            let path = (file.path ?? "\(file.spec.name).\(file.spec.fileExtension)") + ".part"
            return (file.id, file.segment.facts(without: &waiting, path: path))
        }
    }

    /// Opens the file of a segment that begins with `chunk`.
    func open(_ plan: SegmentPlan, with chunk: Chunk, from kind: SourceKind?) {
        // The process may be killed at any time, so the first sidecar must contain the gap before the file.
        sidecars.enterWhatWaits()
        let segment = SegmentAccount(
            number: files.nextNumber(), format: plan.format, began: plan.cause,
            station: settings.stationName(of: plan), start: plan.airTime,
            title: plan.title.flatMap { $0.isEmpty ? nil : $0 }, first: sidecars.ledger.frames,
            // A song counts as whole only once its end has been recorded.
            hasWholeSong: settings.policy == .title ? false : nil)
        var draft = FileDraft(
            plan, chunk: chunk, from: kind, number: segment.number, station: segment.station, settings)
        let previous = files.all.last?.name
        let first = sidecars.sidecar(of: segment, .growing, in: draft.spec.folders, previous: previous)
        draft.begin(with: first)
        let file = PendingFile(id: writer.open(draft.spec), draft, segment: segment, previous: previous)
        files.open(file)
        sidecars.begin(with: first, of: file)
    }

    /// Appends a chunk to the open file. Returns nil if no file is open, or the writer's queue refuses the chunk.
    func append(_ chunk: Chunk, _ airTime: AirTime?) -> Appended? {
        guard let file = files.current else { return nil }
        guard file.pages != nil else {
            let at = airTime?.instant(ofSample: chunk.position.samples)
            let result = writer.append(
                chunk.slice, to: file.id, frames: chunk.frames.count, samples: chunk.samples, at: at)
            guard result != .refused else { return nil }
            enter(chunk, into: file, airTime)
            flush()
            return result
        }
        // Packets count as soon as they are accepted. Pages go to the writer when they are full.
        guard writer.hasRoom(for: chunk.bytes.count) else { return nil }
        enter(chunk, into: file, airTime)
        return append(file.pages?.append(chunk), to: file)
    }

    private func enter(_ chunk: Chunk, into file: PendingFile, _ airTime: AirTime?) {
        archive.append(chunk, to: file.id, behind: file.segment.frames, samples: file.segment.samples)
        sidecars.enter(chunk, into: file, airTime)
    }

    private func append(_ full: (pages: [UInt8], units: PageMaker.Units)?, to file: PendingFile) -> Appended {
        guard let (pages, units) = full, !pages.isEmpty else { return .queued }
        flush()
        return writer.append(
            pages, to: file.id, frames: units.frames, frameBytes: units.bytes, samples: units.samples)
    }

    /// Wakes the writer once the whole delivery has been appended.
    private func flush() {
        guard !isFlushing else { return }
        isFlushing = true
        reactor.defer { [self] in
            isFlushing = false
            writer.flush()
        }
    }

    /// Ends the open file, if there is one, with its last page.
    func close(isComplete: Bool) -> Appended {
        sidecars.pause()
        guard let file = files.close() else { return .queued }
        let result = append(file.pages?.finish(), to: file)
        if settings.policy == .title {
            file.segment.hasWholeSong = isComplete && sidecars.ledger.losses.isEmpty
        }
        writer.close(file.id, ending(of: file))
        return result
    }

    private func ending(of file: PendingFile) -> FileEnding {
        var head = file.head
        head.setLength(milliseconds: Int64(clampingRounded: file.segment.seconds * 1_000))
        return FileEnding(
            header: file.pages == nil ? head.bytes : nil,
            sidecar: settings.writesSidecars ? sidecars.sidecar(of: file, .complete).encoded : nil,
            isWhole: file.segment.hasWholeSong == true && !sidecars.ledger.lacksAudio(file.segment))
    }

    /// Takes the path of a file that the writer has created. Returns when the file's first frame was on air.
    func begin(_ id: FileID, path: String) -> WallInstant? {
        guard let file = files[id] else { return nil }
        archive.setPath(path, of: id)
        file.path = path
        // A file may begin before its predecessor has a name.
        if file.previous == nil, let before = files.file(before: file) {
            file.previous = before.name
            sidecars.rewrite(file)
        }
        if let before = files.finished.last, before.next == nil {
            before.next = file.name
            sidecars.rewrite(before)
        }
        return file.segment.start
    }

    /// Takes a file that the writer has completed. The owner is told of it once everything that was found for it is in
    /// it. `isLast`: whether the recording has ended with it, and no other recording gets what is missing behind it.
    func finish(_ id: FileID, _ facts: FileFacts, isLast: Bool) {
        guard let file = files[id] else { return }
        archive.setPath(facts.path, of: id)
        unfinished = nil
        files.remove(file)
        let formerName = file.name
        file.complete(facts)
        if file.name != formerName { correctLinks(to: file, from: formerName) }
        for file in files.finish(file, now: reactor.now, isDone: healing.isDone) { writer.release(file.id) }
        // The next file may already exist, so that its name is known.
        file.next = files.incomplete.first?.name
        if isLast, files.incomplete.isEmpty, healing.hasWaiting, sidecars.enterEnd() { file.isSidecarOutdated = true }
        if file.next != nil || file.isSidecarOutdated { sidecars.rewrite(file) }
        untold.append(file)
        // There may be room now for what others wait for, unless the disk has just refused the rest of this file.
        if files.incomplete.first?.segment.began == .storage { healing.begin(file) } else { healing.healComplete() }
        healing.removeCopies(of: file)
        tellFinished()
    }

    /// Tells of the complete files that have everything. Their order is kept.
    private func tellFinished() {
        while let file = untold.first, !file.isLent, let facts = file.facts {
            untold.removeFirst()
            file.isTold = true
            var segment = sidecars.recorded(file, facts, isComplete: true)
            segment.formerPath = file.formerPath
            onFinished?(segment, FinishedBundle(path: facts.path, sidecar: sidecars.sidecar(of: file, facts)))
        }
    }

    private func end(healing file: PendingFile, hasChanged: Bool) {
        if hasChanged, file.isTold, let facts = file.facts {
            let sidecar = sidecars.sidecar(of: file, facts)
            onRevised?(
                sidecars.recorded(file, facts, isComplete: true),
                FinishedBundle(path: facts.path, sidecar: sidecar, isRevised: true))
        }
        tellFinished()
    }

    /// Corrects the neighbours' links to a file whose name has changed.
    private func correctLinks(to file: PendingFile, from formerName: String?) {
        if let before = files.finished.last, before.next == formerName {
            before.next = file.name
            sidecars.rewrite(before)
        }
        if let next = files.incomplete.first, next.previous == formerName {
            next.previous = file.name
            sidecars.rewrite(next)
        }
    }

    /// Ends a file that failed in the middle. The next file begins with the queued frames. Returns whether there is
    /// such a file.
    func cut(_ id: FileID, _ facts: FileFacts) -> Bool {
        guard let file = files[id] else { return false }
        let rest = sidecars.cut(file, after: facts, nextNumber: files.nextNumber())
        let plan = SegmentPlan(
            sequence: rest.number, position: Position(), airTime: rest.start,
            title: sidecars.ledger.titles(of: file.segment).last?.text, cause: .storage, format: rest.format)
        var draft = FileDraft(plan, rest: rest, of: file, station: rest.station, settings)
        file.head = file.head.ofPart(frames: facts.frames, bytes: facts.bytes)
        file.next = nil
        draft.begin(with: sidecars.sidecar(of: rest, .growing, in: draft.spec.folders))
        let next = PendingFile(
            id: writer.resume(file.id, ending(of: file), in: draft.spec), draft, segment: rest, previous: file.name)
        files.replace(file, by: next)
        if next !== files.current { writer.close(next.id, ending(of: next)) }
        archive.cut(id, after: facts, rest: next.id)
        healing.unsave(next)
        healing.saveWaiting()
        return true
    }

    /// Removes a file that the writer has discarded.
    func remove(_ id: FileID) {
        if let file = files[id] { files.remove(file) }
    }

    /// Leaves a file that could not be completed, with the frames written so far; nil if there are none.
    func leave(_ id: FileID, _ facts: FileFacts, _ error: StorageError) -> RecordedSegment? {
        guard let file = files[id] else { return nil }
        archive.cut(id, after: facts)
        unfinished = error.failure
        files.remove(file)
        let rest = sidecars.cut(file, after: facts, nextNumber: 0)
        if rest.frames > 0 { sidecars.lose(rest, error) }
        // Without frames there is no file. The gap goes to the end of the previous file or the start of the next.
        guard facts.frames > 0 else { return nil }
        if rest.frames > 0 { sidecars.endLosses() }
        return sidecars.recorded(file, facts, isComplete: false)
    }
}
