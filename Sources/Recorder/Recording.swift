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
    private let files: RecordingFiles
    var ledger: RecordingLedger { files.ledger }
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
    /// Whether another recording follows this one at once. What is missing between both is in the other one.
    var isFollowed = false

    init(settings: RecorderSettings, writer: SegmentWriter, reactor: any Reactor) {
        self.settings = settings
        self.writer = writer
        self.reactor = reactor
        archive = RecordingArchive(reactor: reactor)
        files = RecordingFiles(settings, writer: writer, reactor: reactor)
        writer.recover(writesSidecars: settings.writesSidecars, depth: settings.template.depth)
    }

    /// Whether every file has been completed, or cannot be.
    var isSettled: Bool { files.list.incomplete.isEmpty }

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
        guard let file = files.list.current ?? open(for: chunk) else { return lose(chunk) }
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
            number: files.list.nextNumber(), format: plan.format, began: plan.cause,
            station: settings.stationName(of: plan), start: plan.airTime,
            title: plan.title.flatMap { $0.isEmpty ? nil : $0 }, first: files.ledger.frames,
            // A song counts as whole only once its end has been recorded.
            hasWholeSong: settings.policy == .title ? false : nil)
        var draft = FileDraft(
            plan, chunk: chunk, from: kind, number: segment.number, station: segment.station, settings)
        let previous = files.list.all.last?.name
        let first = files.first(of: segment, in: draft.spec.folders, previous: previous)
        draft.begin(with: first)
        let file = RecorderFile(id: writer.open(draft.spec), draft, segment: segment, previous: previous)
        file.hasLostAudio = hasGap
        files.list.open(file)
        files.began(file, with: first)
        return file
    }

    private func close(isComplete: Bool) -> Appended {
        plan = nil
        files.pause()
        guard let file = files.list.close() else { return .queued }
        var result = Appended.queued
        if let (pages, units) = file.pages?.finish() { result = append(pages, units, to: file) }
        if settings.policy == .title {
            // The planner knows the station's gaps, but not the audio that the disk refused.
            file.segment.hasWholeSong = isComplete && !file.hasLostAudio && files.ledger.losses.isEmpty
        }
        writer.close(file.id, fileEnding(of: file))
        return result
    }

    private func fileEnding(of file: RecorderFile) -> FileEnding {
        var head = file.head
        head.setLength(milliseconds: Int64(clampingRounded: file.segment.seconds * 1_000))
        return FileEnding(
            header: file.pages == nil ? head.bytes : nil, sidecar: files.last(of: file),
            isWhole: file.segment.hasWholeSong == true)
    }

    /// Reports a disk that hangs: no system call fails then, so the writer reports nothing.
    private func lookForStall() {
        switch disk.look(reactor.now, { writer.waited }) {
        case .stalled:
            let path = files.list.current?.path ?? settings.station ?? plan?.station ?? "the recording"
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
        files.ledger.count(
            first: chunk.position.frames, frames: Int64(chunk.frames.count), bytes: Int64(chunk.bytes.count),
            seconds: chunk.duration.inSeconds)
        // If the process is killed now, the sidecar must already contain the gap.
        if hasGap, file === files.list.current { files.hurry() }
    }

    /// Enters the lost audio and the waiting entries into the ledger, before the next frame or at the end. Returns
    /// whether there is a gap among them.
    private func enterWhatWaits() -> Bool {
        let hasGap = !files.ledger.losses.isEmpty || entries.contains(where: \.losesAudio)
        endLosses()
        let outdated = entries.flatMap { files.ledger.enter($0) }
        entries.removeAll()
        files.rewrite(outdated)
        return hasGap
    }

    private func endLosses() {
        for gap in files.ledger.endLosses() { onNotice?(.lost(gap)) }
    }

    private func lose(_ chunk: Chunk) -> Appended {
        files.ledger.lose(
            Gap(
                at: airTime?.instant(ofSample: chunk.position.samples) ?? reactor.wallNow, length: chunk.duration,
                cause: disk.refusal?.message ?? "the disk did not keep up", failure: disk.refusal?.failure))
        return .refused
    }

    /// Enters the frames of `rest` as lost: a file contained them, or was to contain them.
    private func lose(_ rest: SegmentAccount, _ error: StorageError) {
        let gaps = files.ledger.spans(of: rest).map { stretch in
            Gap(
                at: stretch.lowerBound, length: stretch.length, cause: error.message,
                failure: error.failure)
        }
        forget(rest)
        let next = files.list.incomplete.first { $0.segment.first == rest.first && $0.segment.frames > 0 }
        // If no recorded frame follows, the gaps are at the present end of the recording, and will be merged with
        // further losses.
        guard let next else { return gaps.reversed().forEach { files.ledger.lose($0, isEarlier: true) } }
        for gap in gaps { onNotice?(.lost(files.ledger.insert(gap, at: rest.first))) }
        files.rewrite(next)
    }

    /// Enters a gap before the first frame: audio that the earlier recording, which this one continues, does not have
    /// either.
    func note(missingBefore gap: Gap) {
        var gap = gap
        // If the recording began in an outage of the station, the end of that time is in the station's own gap.
        if let known = files.ledger.gaps.first(where: { $0.position == 0 }), let length = gap.length {
            gap.length = min(length, known.at.instant - gap.at)
        }
        guard gap.length.map({ $0 >= Self.leastGap }) ?? true else { return }
        onNotice?(.missingBefore(files.ledger.insert(gap, at: 0)))
        files.rewriteFirst()
    }

    /// Enters which recording this one continues, as becomes known if that one has got its first file only now.
    func note(continues recording: String?) { files.note(continues: recording) }

    /// Air times are accurate to a few milliseconds, and few frames last longer than this.
    private static let leastGap = Duration.milliseconds(100)

    /// Removes frames that were never written from the ledger and the files.
    private func forget(_ rest: SegmentAccount) {
        files.ledger.forget(rest.range, bytes: rest.bytes, seconds: rest.seconds)
        for file in files.list.incomplete { file.segment.move(without: rest.range) }
    }

    /// Enters the audio lost after the last frame, and all pending entries, into the last complete file.
    private func endAccounts() {
        guard !files.ledger.losses.isEmpty || !entries.isEmpty else { return }
        let open = entries.compactMap { files.ledger.gap(of: $0)?.gap }
        if isFollowed {
            report.leftGaps += open
            entries.removeAll(where: \.losesAudio)
        } else {
            report.openGaps += open
        }
        _ = enterWhatWaits()
        if let last = files.list.finished.last { files.rewrite(last) }
    }

    // MARK: What the writer reports

    func hear(_ event: WriterReport) {
        switch event {
        case .opened(let id, let path): opened(id, path)
        case .cut(let id, let facts, let error): cut(id, facts, error)
        case .finished(let id, let facts, let problem): finished(id, facts, problem)
        case .discarded(let id): files.list.remove(id)
        case .abandoned(let id, let facts, _, let error):
            if let file = files.list.remove(id) { leave(file, facts, error) }
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
        guard let file = files.list[id] else { return }
        file.path = path
        archive.setPath(path, of: id)
        onNotice?(.began(path: path, at: file.segment.start))
        files.linkBegun(file)
    }

    private func finished(_ id: FileID, _ facts: FileFacts, _ problem: StorageError?) {
        if let problem { onNotice?(.flawed(problem)) }
        guard let file = files.list.remove(id) else { return }
        let (formerPath, formerName) = (file.path, file.name)
        file.path = facts.path
        archive.setPath(facts.path, of: id)
        files.correctLinks(to: file, from: formerName)
        unfinished = nil
        var segment = recordedSegment(file, facts, isComplete: true)
        if formerPath != facts.path { segment.formerPath = formerPath }
        report.add(segment)
        files.finish(file)
        let bundle = FinishedBundle(path: segment.path, sidecar: files.complete(of: file))
        onNotice?(.finished(segment, bundle))
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
        guard !isGivingUp, let file = files.list[id] else { return }
        onNotice?(.cut(path: facts.path, error))
        let rest = cut(file, after: facts, nextNumber: files.list.nextNumber())
        let plan = SegmentPlan(
            sequence: rest.number, position: Position(), airTime: rest.start,
            title: files.ledger.titles(of: file.segment).last?.text, cause: .storage, format: rest.format)
        var draft = FileDraft(plan, rest: rest, of: file, station: rest.station, settings)
        file.head = file.head.ofPart(frames: facts.frames, bytes: facts.bytes)
        file.next = nil
        draft.begin(with: files.first(of: rest, in: draft.spec.folders, previous: nil))
        let nextID = writer.resume(id, fileEnding(of: file), in: draft.spec)
        let next = RecorderFile(id: nextID, draft, segment: rest, previous: file.name)
        archive.cut(id, after: facts, rest: nextID)
        files.list.replace(file, by: next)
        if next !== files.list.current { writer.close(next.id, fileEnding(of: next)) }
    }

    private func cut(_ file: RecorderFile, after facts: FileFacts, nextNumber: Int) -> SegmentAccount {
        let missing = files.ledger.missing(in: file.segment, before: facts.frames)
        return file.segment.cut(facts, missing: missing, nextNumber: nextNumber)
    }

    /// The file that grows, as far as the queue has accepted its frames; nil if there is none.
    var growingFile: RecordedSegment? {
        guard let file = files.list.current, let path = file.path else { return nil }
        var facts = FileFacts(path: path)
        (facts.frames, facts.bytes, facts.samples) = (file.segment.frames, file.segment.bytes, file.segment.samples)
        return recordedSegment(file, facts, isComplete: false)
    }

    private func recordedSegment(_ file: RecorderFile, _ facts: FileFacts, isComplete: Bool) -> RecordedSegment {
        let step = files.ledger.clockStep(in: file.segment)
        return RecordedSegment(
            path: facts.path, at: CivilTime(file.segment.start, in: settings.zone), frames: facts.frames,
            bytes: facts.bytes, seconds: file.segment.format.seconds(of: facts.samples),
            missing: files.ledger.missing(in: file.segment), isComplete: isComplete, station: file.segment.station,
            clockStep: .milliseconds(step?.milliseconds ?? 0),
            leftOut: step.flatMap { _ in files.ledger.sidecar(of: file.segment, state: .growing).leftOut },
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
        for file in files.list.removeIncomplete().reversed() {
            let path = (file.path ?? "\(file.spec.name).\(file.spec.fileExtension)") + ".part"
            let facts = file.segment.facts(without: &waiting, path: path)
            leave(file, facts, disk.refusal ?? StorageError(code: .notAnswering, action: .complete, path: path))
        }
        report.segments[before...].reverse()
        endAccounts()
        if !settings.writesSidecars { report.hasSidecars = false }
        report.failure = unfinished ?? disk.refusal?.failure
        report.take(files.ledger)
        return report
    }
}
