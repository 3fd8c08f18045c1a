// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Storage

/// A recording in progress. Carries out the decisions of ``SegmentPlanner``, and handles the writer's reports. Its files,
/// with the ledger of their contents, are a ``SegmentChain``.
///
/// Stages of a file: planned, open (from its first frame on), ending (closed, but incomplete), finished. A file that
/// fails ends at the failure, and the next file gets the queued frames.
final class Recording {
    var onNotice: ((RecorderNotice) -> Void)?

    private let settings: RecorderSettings
    private let writer: SegmentWriter
    private let reactor: any Reactor
    private let chain: SegmentChain
    var ledger: RecordingLedger { chain.ledger }
    /// Finds frames in the files, for readers that need them again.
    let archive: RecordingArchive
    private var report = RecordingReport()
    /// A segment that has begun, but has no file yet.
    private var plan: SegmentPlan?
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
        chain = SegmentChain(settings, writer: writer, reactor: reactor)
        chain.onLost = { [weak self] in self?.onNotice?(.lost($0)) }
        writer.recover(writesSidecars: settings.writesSidecars, depth: settings.template.depth)
    }

    /// Whether every file has been completed, or cannot be.
    var isSettled: Bool { chain.incomplete.isEmpty }

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
            chain.add(entry)
        case .append(let chunk): return append(chunk)
        case .close(_, let isComplete): return close(isComplete: isComplete)
        case .notice(.noTitles): onNotice?(.noTitles)
        }
        return .queued
    }

    private func append(_ chunk: Chunk) -> Appended {
        lookForStall()
        guard let file = chain.current ?? open(for: chunk) else { return lose(chunk) }
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
    private func append(_ chunk: Chunk, inPagesOf file: PendingFile) -> Appended {
        guard writer.hasRoom(for: chunk.bytes.count) else { return lose(chunk) }
        enter(chunk, into: file)
        guard let (pages, units) = file.pages?.append(chunk) else { return .queued }
        return append(pages, units, to: file)
    }

    private func append(_ pages: [UInt8], _ units: PageMaker.Units, to file: PendingFile) -> Appended {
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
    private func open(for chunk: Chunk) -> PendingFile? {
        guard var plan, writer.hasRoom(for: chunk.bytes.count) else { return nil }
        // Frames may have been lost since the segment was planned.
        plan.move(to: chunk.position)
        self.plan = nil
        return chain.open(plan, with: chunk, from: kind)
    }

    private func close(isComplete: Bool) -> Appended {
        plan = nil
        var result = Appended.queued
        if let file = chain.current, let (pages, units) = file.pages?.finish() {
            result = append(pages, units, to: file)
        }
        chain.close(isComplete: isComplete)
        return result
    }

    /// Reports a disk that hangs: no system call fails then, so the writer reports nothing.
    private func lookForStall() {
        switch disk.look(reactor.now, { writer.waited }) {
        case .stalled:
            let path = chain.current?.path ?? settings.station ?? plan?.station ?? "the recording"
            onNotice?(.failing(StorageError(code: .notAnswering, action: .write, path: path)))
        case .over: onNotice?(.resumed)
        case nil: break
        }
    }

    private func enter(_ chunk: Chunk, into file: PendingFile) {
        archive.append(chunk, to: file.id, behind: file.segment.frames, samples: file.segment.samples)
        chain.enter(chunk, into: file, airTime)
    }

    private func lose(_ chunk: Chunk) -> Appended {
        chain.lose(
            Gap(
                at: airTime?.instant(ofSample: chunk.position.samples) ?? reactor.wallNow, length: chunk.duration,
                cause: disk.refusal?.message ?? "the disk did not keep up", failure: disk.refusal?.failure))
        return .refused
    }

    // MARK: What becomes known of the recording before

    /// See ``SegmentChain/note(missingBefore:)``.
    func note(missingBefore gap: Gap) {
        if let gap = chain.note(missingBefore: gap) { onNotice?(.missingBefore(gap)) }
    }

    /// Enters which recording this one continues, as becomes known if that one has got its first file only now.
    func note(continues recording: String?) { chain.note(continues: recording) }

    // MARK: What the writer reports

    func hear(_ event: WriterReport) {
        switch event {
        case .opened(let id, let path): if let file = chain[id] { opened(file, path) }
        // If the recorder is giving up, the writer will report the file once more when it abandons it.
        case .cut(let id, let facts, let error): if !isGivingUp, let file = chain[id] { cut(file, facts, error) }
        case .finished(let id, let facts, let problem):
            if let problem { onNotice?(.flawed(problem)) }
            if let file = chain[id] { finished(file, facts) }
        case .discarded(let id): if let file = chain[id] { chain.remove(file) }
        case .abandoned(let id, let facts, _, let error): if let file = chain[id] { leave(file, facts, error) }
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

    private func opened(_ file: PendingFile, _ path: String) {
        archive.setPath(path, of: file.id)
        chain.begin(file, path: path)
        onNotice?(.began(path: path, at: file.segment.start))
    }

    private func finished(_ file: PendingFile, _ facts: FileFacts) {
        archive.setPath(facts.path, of: file.id)
        unfinished = nil
        let (segment, bundle) = chain.finish(file, facts)
        report.add(segment)
        onNotice?(.finished(segment, bundle))
    }

    /// Leaves a file that could not be completed, with the frames written so far.
    private func leave(_ file: PendingFile, _ facts: FileFacts, _ error: StorageError) {
        archive.cut(file.id, after: facts)
        unfinished = error.failure
        guard let segment = chain.leave(file, facts, error) else { return }
        report.add(segment)
        onNotice?(.leftBehind(path: facts.path, error))
    }

    /// Ends a file that failed in the middle. The next file begins with the queued frames.
    private func cut(_ file: PendingFile, _ facts: FileFacts, _ error: StorageError) {
        onNotice?(.cut(path: facts.path, error))
        archive.cut(file.id, after: facts, rest: chain.cut(file, facts))
    }

    /// The file that grows, as far as the queue has accepted its frames; nil if there is none.
    var growingFile: RecordedSegment? {
        guard let file = chain.current, let path = file.path else { return nil }
        var facts = FileFacts(path: path)
        (facts.frames, facts.bytes, facts.samples) = (file.segment.frames, file.segment.bytes, file.segment.samples)
        return chain.recorded(file, facts, isComplete: false)
    }

    // MARK: The end

    /// Detaches the writer. Call it when everything that can be completed is complete.
    func detach() {
        endLedger()
        writer.detach()
    }

    private func endLedger() {
        let open = chain.end(isFollowed: isFollowed)
        if isFollowed { report.leftGaps += open } else { report.openGaps += open }
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
        for file in chain.incomplete.reversed() {
            let path = (file.path ?? "\(file.spec.name).\(file.spec.fileExtension)") + ".part"
            let facts = file.segment.facts(without: &waiting, path: path)
            leave(file, facts, disk.refusal ?? StorageError(code: .notAnswering, action: .complete, path: path))
        }
        report.segments[before...].reverse()
        endLedger()
        if !settings.writesSidecars { report.hasSidecars = false }
        report.failure = unfinished ?? disk.refusal?.failure
        report.take(ledger)
        return report
    }
}
