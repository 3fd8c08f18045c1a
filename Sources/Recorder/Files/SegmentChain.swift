// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats
import Storage

/// The files of a recording, of which each continues the one before, and the ledger of their contents. Has the writer
/// open, fill, cut and end them. Derives their sidecars, and hands these to the writer when they change.
///
/// A report about a file that is complete already is ignored.
final class SegmentChain {
    /// Called with each gap where audio could not be written.
    var onLost: ((Sidecar.Gap) -> Void)?
    /// Called with each complete file, in order, once everything that was found for it is in it.
    var onFinished: ((RecordedSegment, FinishedBundle) -> Void)?
    /// Called with found audio that was put into a file.
    var onHealed: ((HealedAudio) -> Void)?
    /// Called with a finished file that has changed since ``onFinished`` was called with it.
    var onRevised: ((RecordedSegment, FinishedBundle) -> Void)?

    private(set) var ledger: RecordingLedger
    /// Finds frames in the files, for readers that need them again.
    let archive: RecordingArchive
    /// Why the most recently ended file could not be completed; nil if it was completed.
    private(set) var unfinished: Failure?
    private var files = PendingFiles()
    /// The complete files of which the owner has not been told yet, in order.
    private var untold: [PendingFile] = []
    let healing: FileHealing
    /// Whether the gaps after the last frame are in the ledger already.
    private var hasEnteredEnd = false
    /// Entries that belong to the next frame.
    private var entries: [SegmentEntry] = []
    private let settings: RecorderSettings
    /// The ID of the recording that this one continues.
    private var continues: String?
    private let writer: SegmentWriter
    private let reactor: any Reactor
    /// Decides when the sidecar of the open file is due; nil if no sidecars are written.
    private let pace: SidecarPace?
    /// Whether the writer will be woken at the end of this turn.
    private var isFlushing = false

    init(
        _ settings: RecorderSettings, folder: String, writer: SegmentWriter, healing thread: HealingThread,
        reactor: any Reactor
    ) {
        self.settings = settings
        ledger = RecordingLedger(zone: settings.zone)
        archive = RecordingArchive(reactor: reactor)
        healing = FileHealing(
            root: folder, floor: settings.floor, thread: thread, writer: writer, archive: archive, reactor: reactor)
        continues = settings.continues
        self.writer = writer
        self.reactor = reactor
        pace = settings.writesSidecars ? SidecarPace(reactor) : nil
        pace?.onDue = { [weak self] in self?.refresh() }
        healing.place = { [weak self] found, file in self?.place(of: found, in: file) }
        healing.save = { [weak self] in self?.save($0) ?? false }
        healing.segment = { [weak self] in self?.librarySegment(of: $0) }
        healing.onHealed = { [weak self] in self?.put($0, into: $1, $2) }
        healing.onNothingMissing = { [weak self] found, file in
            self?.ledger.removeGap(of: found)
            file.isSidecarOutdated = true
        }
        healing.onEnd = { [weak self] in self?.takeBack($0, checksum: $1) }
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
            return recorded(file, facts, isComplete: false)
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
        enterWhatWaits()
        let segment = SegmentAccount(
            number: files.nextNumber(), format: plan.format, began: plan.cause,
            station: settings.stationName(of: plan), start: plan.airTime,
            title: plan.title.flatMap { $0.isEmpty ? nil : $0 }, first: ledger.frames,
            // A song counts as whole only once its end has been recorded.
            hasWholeSong: settings.policy == .title ? false : nil)
        var draft = FileDraft(
            plan, chunk: chunk, from: kind, number: segment.number, station: segment.station, settings)
        let previous = files.all.last?.name
        let first = sidecar(of: segment, .growing, in: draft.spec.folders, previous: previous)
        draft.begin(with: first)
        let file = PendingFile(id: writer.open(draft.spec), draft, segment: segment, previous: previous)
        files.open(file)
        file.handedOver(first, reactor.now)
        pace?.begin()
    }

    /// Appends a chunk to the open file, and enters it in the ledger. Returns nil if no file is open, or the writer's
    /// queue refuses the chunk.
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
        pace?.stop()
        guard let file = files.close() else { return .queued }
        let result = append(file.pages?.finish(), to: file)
        if settings.policy == .title {
            file.segment.hasWholeSong = isComplete && ledger.losses.isEmpty
        }
        writer.close(file.id, ending(of: file))
        return result
    }

    private func ending(of file: PendingFile) -> FileEnding {
        var head = file.head
        head.setLength(milliseconds: Int64(clampingRounded: file.segment.seconds * 1_000))
        return FileEnding(
            header: file.pages == nil ? head.bytes : nil,
            sidecar: settings.writesSidecars ? sidecar(of: file, .complete).encoded : nil,
            isWhole: file.segment.hasWholeSong == true && !ledger.lacksAudio(file.segment))
    }

    /// Takes the path of a file that the writer has created. Returns when the file's first frame was on air.
    func begin(_ id: FileID, path: String) -> WallInstant? {
        guard let file = files[id] else { return nil }
        archive.setPath(path, of: id)
        file.path = path
        // A file may begin before its predecessor has a name.
        if file.previous == nil, let before = files.file(before: file) {
            file.previous = before.name
            rewrite(file)
        }
        if let before = files.finished.last, before.next == nil {
            before.next = file.name
            rewrite(before)
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
        if isLast, files.incomplete.isEmpty, healing.hasWaiting {
            hasEnteredEnd = true
            file.isSidecarOutdated = enterWhatWaits() || file.isSidecarOutdated
        }
        if file.next != nil || file.isSidecarOutdated { rewrite(file) }
        untold.append(file)
        // There may be room now for what others wait for, unless the disk has just refused the rest of this file.
        if files.incomplete.first?.segment.began == .storage { _ = healing.begin(file) } else { healComplete() }
        removeFound(of: file)
        tellFinished()
    }

    /// Tells of the complete files that have everything. Their order is kept.
    private func tellFinished() {
        while let file = untold.first, !healing.isLent(file), let facts = file.facts {
            untold.removeFirst()
            file.isTold = true
            var segment = recorded(file, facts, isComplete: true)
            segment.formerPath = file.formerPath
            onFinished?(segment, bundle(of: file, facts))
        }
    }

    private func bundle(of file: PendingFile, _ facts: FileFacts, isRevised: Bool = false) -> FinishedBundle {
        var sidecar = sidecar(of: file, .complete)
        sidecar.checksum = facts.checksum
        return FinishedBundle(path: facts.path, sidecar: sidecar, isRevised: isRevised)
    }

    /// Corrects the neighbours' links to a file whose name has changed.
    private func correctLinks(to file: PendingFile, from formerName: String?) {
        if let before = files.finished.last, before.next == formerName {
            before.next = file.name
            rewrite(before)
        }
        if let next = files.incomplete.first, next.previous == formerName {
            next.previous = file.name
            rewrite(next)
        }
    }

    /// Ends a file that failed in the middle. The next file begins with the queued frames. Returns whether there is
    /// such a file.
    func cut(_ id: FileID, _ facts: FileFacts) -> Bool {
        guard let file = files[id] else { return false }
        let rest = cut(file, after: facts, nextNumber: files.nextNumber())
        let plan = SegmentPlan(
            sequence: rest.number, position: Position(), airTime: rest.start,
            title: ledger.titles(of: file.segment).last?.text, cause: .storage, format: rest.format)
        var draft = FileDraft(plan, rest: rest, of: file, station: rest.station, settings)
        file.head = file.head.ofPart(frames: facts.frames, bytes: facts.bytes)
        file.next = nil
        draft.begin(with: sidecar(of: rest, .growing, in: draft.spec.folders))
        let next = PendingFile(
            id: writer.resume(file.id, ending(of: file), in: draft.spec), draft, segment: rest, previous: file.name)
        files.replace(file, by: next)
        if next !== files.current { writer.close(next.id, ending(of: next)) }
        archive.cut(id, after: facts, rest: next.id)
        healing.unsave(next)
        healing.saveWaiting()
        return true
    }

    private func cut(_ file: PendingFile, after facts: FileFacts, nextNumber: Int) -> SegmentAccount {
        let missing = ledger.missing(in: file.segment, before: facts.frames)
        return file.segment.cut(facts, missing: missing, nextNumber: nextNumber)
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
        let rest = cut(file, after: facts, nextNumber: 0)
        if rest.frames > 0 { lose(rest, error) }
        // Without frames there is no file. The gap goes to the end of the previous file or the start of the next.
        guard facts.frames > 0 else { return nil }
        if rest.frames > 0 { endLosses() }
        return recorded(file, facts, isComplete: false)
    }

    /// A file as the recorder reports it.
    private func recorded(_ file: PendingFile, _ facts: FileFacts, isComplete: Bool) -> RecordedSegment {
        let step = ledger.clockStep(in: file.segment)
        return RecordedSegment(
            path: facts.path, at: CivilTime(file.segment.start, in: settings.zone), frames: facts.frames,
            bytes: facts.bytes, seconds: file.segment.format.seconds(of: facts.samples),
            missing: ledger.missing(in: file.segment), isComplete: isComplete, station: file.segment.station,
            clockStep: .milliseconds(step?.milliseconds ?? 0),
            leftOut: step.flatMap { _ in ledger.sidecar(of: file.segment, state: .growing).leftOut },
            number: file.segment.number)
    }

    // MARK: The ledger

    /// Adds an entry that belongs to the next frame.
    func add(_ entry: SegmentEntry) { entries.appendBounded(entry) }

    /// Enters a chunk of a file, and the entries of its first frame.
    private func enter(_ chunk: Chunk, into file: PendingFile, _ airTime: AirTime?) {
        archive.append(chunk, to: file.id, behind: file.segment.frames, samples: file.segment.samples)
        let hasGap = enterWhatWaits()
        file.segment.count(chunk, airTime, at: reactor.readClocks())
        file.head.count(chunk)
        ledger.count(
            first: chunk.position.frames, frames: Int64(chunk.frames.count), bytes: Int64(chunk.bytes.count),
            seconds: chunk.duration.inSeconds)
        // If the process is killed now, the sidecar must already contain the gap.
        if hasGap, file === files.current { pace?.soon() }
    }

    /// Enters the lost audio and the waiting entries into the ledger, before the next frame or at the end. Returns
    /// whether there is a gap among them.
    @discardableResult
    private func enterWhatWaits() -> Bool {
        let hasGap = !ledger.losses.isEmpty || entries.contains(where: \.losesAudio)
        endLosses()
        let changes = entries.map { ledger.enter($0) }
        entries.removeAll()
        if hasGap, healing.hasWaiting { reactor.defer { [weak self] in self?.healComplete() } }
        let outdated = changes.flatMap(\.frames)
        for file in outdated.isEmpty ? [] : files.all {
            for case let delay? in changes.map(\.delay) { file.segment.delay(from: delay.from, by: delay.by) }
            if outdated.contains(where: ledger.range(of: file.segment).overlaps) { rewrite(file) }
        }
        return hasGap
    }

    private func endLosses() {
        for gap in ledger.endLosses() { onLost?(gap) }
    }

    /// Adds audio that the writer's queue has refused: see ``RecordingLedger/lose(_:isEarlier:)``.
    func lose(_ gap: Gap) { ledger.lose(gap) }

    /// Enters the frames of `rest` as lost: a file contained them, or was to contain them.
    private func lose(_ rest: SegmentAccount, _ error: StorageError) {
        let gaps = ledger.spans(of: rest).map { span in
            Gap(at: span.lowerBound, length: span.length, cause: error.message, failure: error.failure)
        }
        ledger.forget(rest.range, bytes: rest.bytes, seconds: rest.seconds)
        for file in files.incomplete { file.segment.move(without: rest.range) }
        let next = files.incomplete.first { $0.segment.first == rest.first && $0.segment.frames > 0 }
        // If no recorded frame follows, the gaps are at the present end of the recording, and will be merged with
        // further losses.
        guard let next else { return gaps.reversed().forEach { ledger.lose($0, isEarlier: true) } }
        for gap in gaps { onLost?(ledger.insert(gap, at: rest.first)) }
        rewrite(next)
    }

    /// Enters a gap before the first frame: audio that the earlier recording, which this one continues, does not have
    /// either. Returns nil if the gap is none.
    func note(missingBefore gap: Gap) -> Sidecar.Gap? {
        var gap = gap
        // If the recording began in an outage of the station, the end of that time is in the station's own gap.
        if let known = ledger.gaps.first(where: { $0.position == 0 }), let length = gap.length {
            gap.length = min(length, known.at.instant - gap.at)
        }
        guard gap.length.map({ $0 >= Self.leastGap }) ?? true else { return nil }
        defer { rewriteFirst() }
        return ledger.insert(gap, at: 0)
    }

    /// Air times are accurate to a few milliseconds, and few frames last longer than this.
    private static let leastGap = Duration.milliseconds(100)

    /// Enters which recording this one continues, if `settings` named another one.
    func note(continues recording: String?) {
        continues = recording
        rewriteFirst()
    }

    /// Enters the audio lost after the last frame, and all pending entries, into the last complete file. Returns the
    /// gaps of the station among them. `isFollowed`: these gaps are left to another recording.
    func end(isFollowed: Bool) -> [Sidecar.Gap] {
        guard hasEnteredEnd || !ledger.losses.isEmpty || !entries.isEmpty else { return [] }
        var open = entries.compactMap { ledger.gap(of: $0)?.gap }
        if isFollowed { entries.removeAll(where: \.losesAudio) }
        enterWhatWaits()
        if hasEnteredEnd { open = ledger.openGaps }
        hasEnteredEnd = false
        if let last = files.finished.last { rewrite(last) }
        return open
    }

    // MARK: Found audio

    /// Keeps found audio until it can be put into its file.
    func add(_ found: FoundAudio) {
        healing.add(found)
        healComplete()
    }

    /// Puts audio into the files that are complete already, as far as these are known.
    func healComplete() {
        healing.saveWaiting()
        for file in files.finished where healing.hasWaiting { _ = healing.begin(file) }
    }

    /// Puts found audio beside the growing file that lacks it, whose sidecar must say so. Returns whether there is one.
    private func save(_ found: FoundAudio) -> Bool {
        for file in files.incomplete {
            guard let place = place(of: found, in: file) else { continue }
            rewrite(file)
            writer.append(SavedAudio.record(found, before: place), to: .found, of: file.id)
            file.hasFound = true
            return true
        }
        return false
    }

    /// Removes the copy of found audio, once the complete file has all of it.
    private func removeFound(of file: PendingFile) {
        guard file.hasFound, healing.isDone(file) else { return }
        file.hasFound = false
        writer.append([], to: .found, of: file.id)
    }

    private func place(of found: FoundAudio, in file: PendingFile) -> Int64? {
        guard let place = ledger.place(of: found), ledger.range(of: file.segment).contains(place) else { return nil }
        return place - file.segment.first
    }

    private func librarySegment(of file: PendingFile) -> LibrarySegment? {
        guard let facts = file.facts, let name = facts.path.split(separator: "/").last else { return nil }
        let fileExtension = file.spec.fileExtension
        var sidecar = sidecar(of: file, .complete)
        sidecar.checksum = facts.checksum
        return LibrarySegment(
            folders: file.spec.folders, base: String(name.dropLast(fileExtension.count + 1)),
            audio: .init(fileExtension: fileExtension, bytes: facts.bytes, isPart: false),
            description: .sidecar(sidecar))
    }

    /// Enters found audio that was put into a file.
    private func put(_ found: FoundAudio, into file: PendingFile, _ segment: LibrarySegment) {
        guard let position = place(of: found, in: file), let sidecar = segment.sidecar,
            var new = sidecar.healed.first(where: { $0.position == position }), let path = file.path
        else { return }
        let added = file.put(new, sidecar)
        for later in files.all where later.segment.first > file.segment.first {
            later.segment.move(over: new.frames)
        }
        archive.put(new.frames, samples: added.samples, before: position, of: file.id)
        let rest = found.continuesBefore && found.isContinuedAfter ? 0 : found.rest?.wholeMilliseconds
        let healed = HealedAudio(path: path, audio: new, rest: rest)
        new.position += file.segment.first
        ledger.put(new, of: found, bytes: added.bytes, seconds: file.segment.format.seconds(of: added.samples))
        onHealed?(healed)
    }

    /// Takes a file back after its healing. `checksum`: of its frames, if these have changed.
    private func takeBack(_ file: PendingFile, checksum: UInt64?) {
        let isOutdated = checksum != nil || file.isSidecarOutdated
        file.isSidecarOutdated = false
        let sidecar = isOutdated && settings.writesSidecars ? sidecar(of: file, .complete).encoded : nil
        writer.takeBack(file.id, checksum: checksum, sidecar: sidecar)
        removeFound(of: file)
        if checksum != nil, file.isTold, let facts = file.facts {
            onRevised?(
                recorded(file, facts, isComplete: true), bundle(of: file, facts, isRevised: true))
        }
        tellFinished()
    }

    // MARK: Sidecars

    /// The sidecar of a file, without the facts that only the writer knows.
    private func sidecar(of file: PendingFile, _ state: Sidecar.State) -> Sidecar {
        sidecar(of: file.segment, state, in: file.spec.folders, previous: file.previous, next: file.next)
    }

    /// `folders`: the folders of the segment's file.
    private func sidecar(
        of segment: SegmentAccount, _ state: Sidecar.State, in folders: [String], previous: String? = nil,
        next: String? = nil
    ) -> Sidecar {
        var sidecar = ledger.sidecar(of: segment, state: state)
        sidecar.recording = settings.recording
        if segment.first == 0 { sidecar.continues = continues }
        sidecar.isKept = settings.writesSidecars
        sidecar.stationID = settings.stationID
        sidecar.show = settings.show
        sidecar.isProtected = settings.isProtected
        sidecar.previous = relativeName(of: previous, from: folders)
        sidecar.next = relativeName(of: next, from: folders)
        return sidecar
    }

    private func rewrite(_ file: PendingFile) {
        guard settings.writesSidecars else { return }
        guard !healing.isLent(file) else { return file.isSidecarOutdated = true }
        switch file.stage {
        case .growing:
            let sidecar = sidecar(of: file, .growing)
            file.handedOver(sidecar, reactor.now)
            writer.setSidecar(sidecar.encoded, of: file.id)
        // The writer already has the final sidecar, and may be writing it right now.
        case .ending: file.isSidecarOutdated = true
        case .finished:
            file.isSidecarOutdated = false
            writer.setSidecar(sidecar(of: file, .complete).encoded, of: file.id)
        }
    }

    private func rewriteFirst() {
        if let first = files.all.first(where: { $0.segment.first == 0 }) { rewrite(first) }
    }

    /// Rewrites the open file's sidecar, if it has changed enough or the last one written is too old.
    private func refresh() {
        // If no file is open, the last file has failed, and the next file has not begun.
        guard let file = files.current else {
            pace?.stop()
            return
        }
        if file.isWorthWriting(sidecar(of: file, .growing), reactor.now) { rewrite(file) }
    }
}
