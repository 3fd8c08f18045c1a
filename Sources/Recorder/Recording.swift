// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats
import Storage

/// A recording in progress: its files, and the ledger of their contents. Carries out the decisions of
/// ``SegmentPlanner``, and handles the writer's reports.
///
/// Stages of a file: planned, open (from its first frame on), ending (closed, but incomplete), finished. A file that
/// fails ends at the failure, and the next file gets the queued frames.
final class Recording {
    var onNotice: ((RecorderNotice) -> Void)?

    private let settings: RecorderSettings
    private let writer: SegmentWriter
    private let reactor: any Reactor
    private var files = RecorderFiles()
    private(set) var ledger: RecordingLedger
    /// Finds frames in the files, for readers that need them again.
    let archive: RecordingArchive
    private var report = RecordingReport()
    /// A segment that has begun, but has no file yet.
    private var plan: SegmentPlan?
    /// Entries that belong to the next frame.
    private var entries: [SegmentEntry] = []
    private var kind: SourceKind?
    private var airTime: AirTime?
    private var disk = DiskWatch()
    /// Why the most recently ended file could not be completed; nil if it was completed.
    private var unfinished: Failure?
    /// Whether the recorder is giving up, so that no new work is begun.
    private var isGivingUp = false
    /// Whether the writer will be woken at the end of this turn.
    private var isFlushing = false
    private let sidecars: RecordingSidecars
    /// Whether another recording follows this one at once. What is missing between both is in the other one.
    var isFollowed = false

    init(settings: RecorderSettings, writer: SegmentWriter, reactor: any Reactor) {
        self.settings = settings
        self.writer = writer
        self.reactor = reactor
        ledger = RecordingLedger(zone: settings.zone)
        archive = RecordingArchive(reactor: reactor)
        sidecars = RecordingSidecars(settings, writer: writer, reactor: reactor)
        sidecars.onDue = { [weak self] in self?.refreshSidecar() }
        writer.recover(writesSidecars: settings.writesSidecars, depth: settings.template.depth)
    }

    /// Whether every file has been completed, or cannot be.
    var isSettled: Bool { files.incomplete.isEmpty }

    /// Takes the station's kind and air times from an event.
    func learn(_ event: StreamEvent) {
        switch event {
        case .station(let info): kind = info.kind
        case .format: airTime = nil
        case .airTime(let map): airTime = map
        case .discontinuity, .splice, .stretch, .title, .chunk, .ended: break
        }
    }

    // MARK: What the planner decides

    /// Carries out an action. What the writer's queue refuses becomes a dated gap.
    func run(_ action: SegmentAction) -> Appended {
        switch action {
        case .open(var plan):
            plan.nameTime = settings.nameTime(of: plan)
            self.plan = plan
        case .entry(let entry):
            plan?.move(over: entry)
            entries.appendBounded(entry)
        case .append(let chunk): return append(chunk)
        case .close(_, let isComplete): return close(isComplete: isComplete)
        case .notice(.noTitles): onNotice?(.noTitles)
        }
        return .queued
    }

    private func append(_ chunk: Chunk) -> Appended {
        lookForStall()
        guard let file = files.current ?? open(for: chunk) else { return lose(chunk) }
        guard file.pages == nil else { return append(chunk, inPagesOf: file) }
        let at = airTime?.instant(ofSample: chunk.position.samples)
        let result = writer.append(
            chunk.slice, to: file.id, frames: chunk.frames.count, samples: chunk.samples, at: at)
        guard result != .refused else { return lose(chunk) }
        enter(chunk, into: file)
        file.head.count(chunk)
        flush()
        return result
    }

    /// Appends a chunk to an Ogg file. Its packets count as soon as they are accepted. Pages go to the writer when they
    /// are full.
    private func append(_ chunk: Chunk, inPagesOf file: RecorderFile) -> Appended {
        guard writer.hasRoom(for: chunk.bytes.count) else { return lose(chunk) }
        enter(chunk, into: file)
        guard let (pages, units) = file.pages?.append(chunk) else { return .queued }
        return append(pages, units, to: file)
    }

    private func append(_ pages: [UInt8], _ units: PageMaker.Units, to file: RecorderFile) -> Appended {
        guard !pages.isEmpty else { return .queued }
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

    /// Opens the file of the planned segment, to begin with this chunk. Returns nil if the queue is full.
    private func open(for chunk: Chunk) -> RecorderFile? {
        guard var plan, writer.hasRoom(for: chunk.bytes.count) else { return nil }
        // Frames may have been lost since the segment was planned.
        plan.move(to: chunk.position)
        self.plan = nil
        // The process may be killed at any time, so the first sidecar must contain the gap before the file.
        let hasGap = enterWhatWaits()
        let segment = SegmentAccount(
            number: files.nextNumber(), format: plan.format, began: plan.cause, station: settings.stationName(of: plan),
            start: plan.airTime,
            title: plan.title.flatMap { $0.isEmpty ? nil : $0 }, first: ledger.frames,
            // A song counts as whole only once its end has been recorded.
            hasWholeSong: settings.policy == .title ? false : nil)
        var draft = FileDraft(
            plan, chunk: chunk, from: kind, number: segment.number, station: segment.station, settings)
        let previous = files.all.last?.name
        let first = sidecars.first(of: segment, in: draft.spec.folders, previous: previous, from: ledger)
        draft.begin(with: first)
        let file = RecorderFile(id: writer.open(draft.spec), draft, segment: segment, previous: previous)
        file.hasLostAudio = hasGap
        files.open(file)
        sidecars.began(file, with: first)
        return file
    }

    private func close(isComplete: Bool) -> Appended {
        plan = nil
        sidecars.pause()
        guard let file = files.close() else { return .queued }
        var result = Appended.queued
        if let (pages, units) = file.pages?.finish() { result = append(pages, units, to: file) }
        if settings.policy == .title {
            // The planner knows the station's gaps, but not the audio that the disk refused.
            file.segment.hasWholeSong = isComplete && !file.hasLostAudio && ledger.losses.isEmpty
        }
        writer.close(file.id, fileEnding(of: file))
        return result
    }

    private func fileEnding(of file: RecorderFile) -> FileEnding {
        var head = file.head
        head.setLength(milliseconds: Int64(clampingRounded: file.segment.seconds * 1_000))
        return FileEnding(
            header: file.pages == nil ? head.bytes : nil, sidecar: sidecars.last(of: file, from: ledger),
            isWhole: file.segment.hasWholeSong == true)
    }

    /// Reports a disk that hangs: no system call fails then, so the writer reports nothing.
    private func lookForStall() {
        switch disk.look(reactor.now, { writer.waited }) {
        case .stalled:
            let path = files.current?.path ?? settings.station ?? plan?.station ?? "the recording"
            onNotice?(.failing(StorageError(code: .notAnswering, action: .write, path: path)))
        case .over: onNotice?(.resumed)
        case nil: break
        }
    }

    // MARK: The ledger

    /// Enters a chunk and the entries of its first frame.
    private func enter(_ chunk: Chunk, into file: RecorderFile) {
        let hasGap = enterWhatWaits()
        if hasGap { file.hasLostAudio = true }
        archive.append(chunk, to: file.id, behind: file.segment.frames, samples: file.segment.samples)
        file.segment.count(chunk, airTime, at: reactor.readClocks())
        ledger.count(
            first: chunk.position.frames, frames: Int64(chunk.frames.count), bytes: Int64(chunk.bytes.count),
            seconds: chunk.duration.inSeconds)
        // If the process is killed now, the sidecar must already contain the gap.
        if hasGap, file === files.current { sidecars.hurry() }
    }

    /// Enters the lost audio and the waiting entries into the ledger, before the next frame or at the end. Returns
    /// whether there is a gap among them.
    private func enterWhatWaits() -> Bool {
        let hasGap = !ledger.losses.isEmpty || entries.contains(where: \.losesAudio)
        endLosses()
        let outdated = entries.flatMap { ledger.enter($0) }
        entries.removeAll()
        rewriteSidecars(of: outdated)
        return hasGap
    }

    private func endLosses() {
        for gap in ledger.endLosses() { onNotice?(.lost(gap)) }
    }

    private func lose(_ chunk: Chunk) -> Appended {
        ledger.lose(
            Gap(
                at: airTime?.instant(ofSample: chunk.position.samples) ?? reactor.wallNow, length: chunk.duration,
                cause: disk.refusal?.message ?? "the disk did not keep up", failure: disk.refusal?.failure))
        return .refused
    }

    /// Enters the frames of `rest` as lost: a file contained them, or was to contain them.
    private func lose(_ rest: SegmentAccount, _ error: StorageError) {
        let gaps = ledger.spans(of: rest).map { stretch in
            Gap(
                at: stretch.lowerBound, length: stretch.length, cause: error.message,
                failure: error.failure)
        }
        forget(rest)
        let next = files.incomplete.first { $0.segment.first == rest.first && $0.segment.frames > 0 }
        // If no recorded frame follows, the gaps are at the present end of the recording, and will be merged with
        // further losses.
        guard let next else { return gaps.reversed().forEach { ledger.lose($0, isEarlier: true) } }
        for gap in gaps { onNotice?(.lost(ledger.insert(gap, at: rest.first))) }
        rewriteSidecar(of: next)
    }

    /// Enters a gap before the first frame: audio that the earlier recording, which this one continues, does not have
    /// either.
    func note(missingBefore gap: Gap) {
        var gap = gap
        // If the recording began in an outage of the station, the end of that time is in the station's own gap.
        if let known = ledger.gaps.first(where: { $0.position == 0 }), let length = gap.length {
            gap.length = min(length, known.at.instant - gap.at)
        }
        guard gap.length.map({ $0 >= Self.leastGap }) ?? true else { return }
        onNotice?(.missingBefore(ledger.insert(gap, at: 0)))
        if let first = files.all.first(where: { $0.segment.first == 0 }) { rewriteSidecar(of: first) }
    }

    /// Enters which recording this one continues, as becomes known if that one has got its first file only now.
    func note(continues recording: String?) {
        sidecars.note(continues: recording)
        if let first = files.all.first(where: { $0.segment.first == 0 }) { rewriteSidecar(of: first) }
    }

    /// Air times are accurate to a few milliseconds, and few frames last longer than this.
    private static let leastGap = Duration.milliseconds(100)

    /// Removes frames that were never written from the ledger and the files.
    private func forget(_ rest: SegmentAccount) {
        ledger.forget(rest.range, bytes: rest.bytes, seconds: rest.seconds)
        for file in files.incomplete { file.segment.move(without: rest.range) }
    }

    /// Enters the audio lost after the last frame, and all pending entries, into the last complete file.
    private func endAccounts() {
        guard !ledger.losses.isEmpty || !entries.isEmpty else { return }
        let open = entries.compactMap { ledger.gap(of: $0)?.gap }
        if isFollowed {
            report.leftGaps += open
            entries.removeAll(where: \.losesAudio)
        } else {
            report.openGaps += open
        }
        _ = enterWhatWaits()
        if let last = files.finished.last { rewriteSidecar(of: last) }
    }

    // MARK: Sidecars

    private func rewriteSidecar(of file: RecorderFile) { sidecars.rewrite(file, from: ledger) }

    /// Rewrites the sidecars of all files that contain some of these frames.
    private func rewriteSidecars(of frames: [Range<Int64>]) {
        guard !frames.isEmpty else { return }
        for file in files.all where frames.contains(where: ledger.range(of: file.segment).overlaps) {
            rewriteSidecar(of: file)
        }
    }

    private func refreshSidecar() {
        // If no file is growing, the last file has failed, and the next file has not begun.
        guard let current = files.current else { return sidecars.pause() }
        sidecars.refresh(current, from: ledger)
    }

    // MARK: What the writer reports

    func hear(_ event: WriterReport) {
        switch event {
        case .opened(let id, let path): opened(id, path)
        case .cut(let id, let facts, let error): cut(id, facts, error)
        case .finished(let id, let facts, let problem): finished(id, facts, problem)
        case .discarded(let id): files.remove(id)
        case .abandoned(let id, let facts, _, let error):
            if let file = files.remove(id) { leave(file, facts, error) }
        case .failing(let error):
            disk.refused(error)
            onNotice?(.failing(error))
        case .resumed:
            disk.resumed()
            onNotice?(.resumed)
        case .sidecarRewritten(let path): onNotice?(.rewritten(path: path))
        case .sidecarFailed(_, let error):
            report.hasSidecars = false
            onNotice?(.flawed(error))
        case .recovered(let files):
            for file in files {
                report.note(file)
                onNotice?(.recovered(file))
            }
        case .recoveryEnded, .drained, .detached: break
        }
    }

    private func opened(_ id: FileID, _ path: String) {
        guard let file = files[id] else { return }
        file.path = path
        archive.setPath(path, of: id)
        onNotice?(.began(path: path, at: file.segment.start))
        // A file may begin before its predecessor has a name; the file's sidecar gets that name now.
        if file.previous == nil, let before = files.file(before: file) {
            file.previous = before.name
            rewriteSidecar(of: file)
        }
        guard let before = files.finished.last, before.next == nil else { return }
        before.next = file.name
        rewriteSidecar(of: before)
    }

    private func finished(_ id: FileID, _ facts: FileFacts, _ problem: StorageError?) {
        if let problem { onNotice?(.flawed(problem)) }
        guard let file = files.remove(id) else { return }
        let (formerPath, formerName) = (file.path, file.name)
        file.path = facts.path
        archive.setPath(facts.path, of: id)
        if file.name != formerName { correctLinks(to: file, from: formerName) }
        unfinished = nil
        var segment = recordedSegment(file, facts, isComplete: true)
        if formerPath != facts.path { segment.formerPath = formerPath }
        report.add(segment)
        files.finish(file, now: reactor.now)
        // The next file may already exist, so that its name is known.
        file.next = files.incomplete.first?.name
        if file.next != nil || file.isSidecarOutdated { rewriteSidecar(of: file) }
        for file in files.release(now: reactor.now) { writer.release(file.id) }
        let bundle = FinishedBundle(path: segment.path, sidecar: sidecars.complete(of: file, from: ledger))
        onNotice?(.finished(segment, bundle))
    }

    /// Corrects the neighbours' links to a file whose name has changed.
    private func correctLinks(to file: RecorderFile, from formerName: String?) {
        if let before = files.finished.last, before.next == formerName {
            before.next = file.name
            rewriteSidecar(of: before)
        }
        if let next = files.incomplete.first, next.previous == formerName {
            next.previous = file.name
            rewriteSidecar(of: next)
        }
    }

    /// Leaves a file that could not be completed, with the frames written so far.
    private func leave(_ file: RecorderFile, _ facts: FileFacts, _ error: StorageError) {
        let rest = cut(file, after: facts, nextNumber: 0)
        archive.cut(file.id, after: facts)
        if rest.frames > 0 { lose(rest, error) }
        unfinished = error.failure
        // Without frames there is no file. The gap goes to the end of the previous file or the start of the next.
        guard facts.frames > 0 else { return }
        if rest.frames > 0 { endLosses() }
        report.add(recordedSegment(file, facts, isComplete: false))
        onNotice?(.leftBehind(path: facts.path, error))
    }

    /// Ends a file that failed in the middle. The next file begins with the queued frames.
    private func cut(_ id: FileID, _ facts: FileFacts, _ error: StorageError) {
        // If the recorder is giving up, the writer will report the file once more when it abandons it.
        guard !isGivingUp, let file = files[id] else { return }
        onNotice?(.cut(path: facts.path, error))
        let rest = cut(file, after: facts, nextNumber: files.nextNumber())
        let plan = SegmentPlan(
            sequence: rest.number, position: Position(), airTime: rest.start,
            title: ledger.titles(of: file.segment).last?.text, cause: .storage, format: rest.format)
        var draft = FileDraft(plan, rest: rest, of: file, station: rest.station, settings)
        file.head = file.head.ofPart(frames: facts.frames, bytes: facts.bytes)
        file.next = nil
        draft.begin(with: sidecars.first(of: rest, in: draft.spec.folders, previous: nil, from: ledger))
        let nextID = writer.resume(id, fileEnding(of: file), in: draft.spec)
        let next = RecorderFile(id: nextID, draft, segment: rest, previous: file.name)
        archive.cut(id, after: facts, rest: nextID)
        files.replace(file, by: next)
        if next !== files.current { writer.close(next.id, fileEnding(of: next)) }
    }

    private func cut(_ file: RecorderFile, after facts: FileFacts, nextNumber: Int) -> SegmentAccount {
        let missing = ledger.missing(in: file.segment, before: facts.frames)
        return file.segment.cut(facts, missing: missing, nextNumber: nextNumber)
    }

    /// The file that grows, as far as the queue has accepted its frames; nil if there is none.
    var growingFile: RecordedSegment? {
        guard let file = files.current, let path = file.path else { return nil }
        var facts = FileFacts(path: path)
        (facts.frames, facts.bytes, facts.samples) = (file.segment.frames, file.segment.bytes, file.segment.samples)
        return recordedSegment(file, facts, isComplete: false)
    }

    private func recordedSegment(_ file: RecorderFile, _ facts: FileFacts, isComplete: Bool) -> RecordedSegment {
        let step = ledger.clockStep(in: file.segment)
        return RecordedSegment(
            path: facts.path, at: CivilTime(file.segment.start, in: settings.zone), frames: facts.frames,
            bytes: facts.bytes, seconds: file.segment.format.seconds(of: facts.samples),
            missing: ledger.missing(in: file.segment), isComplete: isComplete, station: file.segment.station,
            clockStep: .milliseconds(step?.milliseconds ?? 0),
            leftOut: step.flatMap { _ in ledger.sidecar(of: file.segment, state: .growing).leftOut },
            number: file.segment.number)
    }

    // MARK: The end

    /// Detaches the writer. Call it when everything that can be completed is complete.
    func detach() {
        endAccounts()
        writer.detach()
    }

    /// Gives up on a disk that accepts no data: queued data is lost, and written data stays as `.part`.
    func giveUp() {
        isGivingUp = true
        writer.giveUp()
    }

    /// Returns the report. Files on a hanging disk are abandoned: data still in the queue is lost, and missing from the
    /// newest files.
    func end() -> RecordingReport {
        var waiting = writer.waiting
        let before = report.segments.count
        for file in files.removeIncomplete().reversed() {
            let path = (file.path ?? "\(file.spec.name).\(file.spec.fileExtension)") + ".part"
            let facts = file.segment.facts(without: &waiting, path: path)
            leave(file, facts, disk.refusal ?? StorageError(code: .notAnswering, action: .complete, path: path))
        }
        report.segments[before...].reverse()
        endAccounts()
        if !settings.writesSidecars { report.hasSidecars = false }
        report.failure = unfinished ?? disk.refusal?.failure
        report.take(ledger)
        return report
    }
}
