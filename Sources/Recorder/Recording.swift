// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Storage

/// A recording in progress. Carries out the decisions of ``SegmentPlanner``, and handles the writer's reports. Its
/// files are a ``SegmentChain``, and the ledger of their contents is in ``RecordingSidecars``.
///
/// Stages of a file: planned, open (from its first frame on), ending (closed, but incomplete), finished. A file that
/// fails ends at the failure, and the next file gets the queued frames.
final class Recording {
    var onNotice: ((RecorderNotice) -> Void)?

    private let settings: RecorderSettings
    private let writer: SegmentWriter
    private let reactor: any Reactor
    private let chain: SegmentChain
    var ledger: RecordingLedger { chain.sidecars.ledger }
    var archive: RecordingArchive { chain.archive }
    /// See ``SegmentChain/growingFiles``.
    var growingFiles: [RecordedSegment] { chain.growingFiles }
    private var report = RecordingReport()
    /// A segment that has begun, but has no file yet.
    private var plan: SegmentPlan?
    private var kind: SourceKind?
    private var airTime: AirTime?
    private var disk = DiskWatch()
    /// Whether the recorder is giving up, so that no new work is begun.
    private(set) var isGivingUp = false
    /// Whether no frame will follow.
    private var hasEnded = false
    /// Whether another recording follows this one at once. What is missing between both is in the other one.
    private var isFollowed = false

    init(
        settings: RecorderSettings, folder: String, writer: SegmentWriter, healing: HealingThread,
        reactor: any Reactor
    ) {
        self.settings = settings
        self.writer = writer
        self.reactor = reactor
        chain = SegmentChain(settings, folder: folder, writer: writer, healing: healing, reactor: reactor)
        chain.sidecars.onLost = { [weak self] in self?.onNotice?(.lost($0)) }
        chain.onFinished = { [weak self] segment, bundle in
            self?.report.add(segment)
            self?.onNotice?(.finished(segment, bundle))
        }
        chain.healing.onHealed = { [weak self] in self?.onNotice?(.healed($0)) }
        chain.onRevised = { [weak self] segment, bundle in
            self?.report.replace(segment)
            self?.onNotice?(.revised(segment, bundle))
        }
        chain.healing.onProblem = { [weak self] in self?.onNotice?(.notHealed($0)) }
        writer.recover(writesSidecars: settings.writesSidecars, depth: settings.template.depth)
    }

    /// Whether every file has been completed, or cannot be.
    var isSettled: Bool { chain.isSettled }

    /// Takes the station's kind and air times from an event.
    func learn(_ event: StreamEvent) {
        switch event {
        case .station(let info): kind = info.kind
        case .format: airTime = nil
        case .airTime(let map): airTime = map
        case .discontinuity, .hole, .splice, .stretch, .found, .title, .chunk, .ended: break
        }
    }

    /// Takes audio that belongs to past frames.
    func add(_ found: FoundAudio) { chain.healing.add(found) }

    // MARK: What the planner decides

    /// Carries out an action. What the writer's queue refuses becomes a dated gap.
    func run(_ action: SegmentAction) -> Appended {
        switch action {
        case .open(var plan):
            plan.nameTime = settings.nameTime(of: plan)
            self.plan = plan
        case .entry(let entry):
            plan?.move(over: entry)
            chain.sidecars.add(entry)
        case .append(let chunk): return append(chunk)
        case .close(let cause, let isComplete):
            plan = nil
            hasEnded = cause == .end
            return chain.close(isComplete: isComplete)
        case .notice(.noTitles): onNotice?(.noTitles)
        }
        return .queued
    }

    private func append(_ chunk: Chunk) -> Appended {
        lookForStall()
        guard chain.isOpen || open(for: chunk), let result = chain.append(chunk, airTime) else { return lose(chunk) }
        return result
    }

    /// Opens the file of the planned segment, to begin with this chunk. Returns false if the queue is full.
    private func open(for chunk: Chunk) -> Bool {
        guard var plan, writer.hasRoom(for: chunk.bytes.count) else { return false }
        // Frames may have been lost since the segment was planned.
        plan.move(to: chunk.position)
        self.plan = nil
        chain.open(plan, with: chunk, from: kind)
        return true
    }

    /// Reports a disk that hangs: no system call fails then, so the writer reports nothing.
    func lookForStall() {
        switch disk.look(reactor.now, { writer.waited }) {
        case .stalled:
            let path = chain.path ?? settings.station ?? plan?.station ?? "the recording"
            onNotice?(.failing(StorageError(code: .notAnswering, action: .write, path: path)))
        case .over: onNotice?(.resumed)
        case nil: break
        }
    }

    private func lose(_ chunk: Chunk) -> Appended {
        chain.sidecars.lose(
            Gap(
                at: airTime?.instant(ofSample: chunk.position.samples) ?? reactor.wallNow, length: chunk.duration,
                cause: disk.refusal?.message ?? "the disk did not keep up", failure: disk.refusal?.failure))
        return .refused
    }

    // MARK: What becomes known of the recordings before and after

    /// See ``RecordingSidecars/note(missingBefore:)``.
    func note(missingBefore gap: Gap) {
        if let gap = chain.sidecars.note(missingBefore: gap) { onNotice?(.missingBefore(gap)) }
    }

    /// Enters which recording this one continues, as becomes known if that one has got its first file only now.
    func note(continues recording: String?) { chain.sidecars.note(continues: recording) }

    func noteFollowed() { isFollowed = true }

    // MARK: What the writer reports

    func hear(_ event: WriterReport) {
        switch event {
        case .opened(let id, let path):
            if let start = chain.begin(id, path: path) { onNotice?(.began(path: path, at: start)) }
        // If the recorder is giving up, the writer will report the file once more when it abandons it.
        case .cut(let id, let facts, let error):
            if !isGivingUp, chain.cut(id, facts) { onNotice?(.cut(path: facts.path, error)) }
        case .finished(let id, let facts, let problem):
            if let problem { onNotice?(.flawed(problem)) }
            chain.finish(id, facts, isLast: hasEnded && !isFollowed)
        case .lent(let id, let isReady): chain.healing.lent(id, isReady: isReady)
        case .copied(let id, let range): chain.healing.copied(range, of: id)
        case .discarded(let id): chain.remove(id)
        case .abandoned(let id, let facts, _, let error): leave(id, facts, error)
        case .failing(let error):
            disk.refused(error)
            onNotice?(.failing(error))
        case .resumed:
            disk.resumed()
            onNotice?(.resumed)
            chain.healing.healComplete()
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

    /// Leaves a file that could not be completed, with the frames written so far.
    private func leave(_ id: FileID, _ facts: FileFacts, _ error: StorageError) {
        guard let segment = chain.leave(id, facts, error) else { return }
        report.add(segment)
        onNotice?(.leftBehind(path: facts.path, error))
    }

    // MARK: The end

    /// Detaches the writer. Call it when everything that can be completed is complete.
    func detach() {
        endLedger()
        writer.detach()
    }

    private func endLedger() {
        let open = chain.sidecars.end(isFollowed: isFollowed)
        if isFollowed { report.leftGaps += open } else { report.openGaps += open }
    }

    /// Gives up on a disk that accepts no data: queued data is lost, and written data stays as `.part`.
    func giveUp() {
        isGivingUp = true
        writer.giveUp()
        chain.healing.giveUp()
    }

    /// Returns the report. Files on a hanging disk are abandoned: data still in the queue is lost, and missing from the
    /// newest files.
    func end() -> RecordingReport {
        chain.healing.abandon()
        let before = report.segments.count
        for (file, facts) in chain.written {
            leave(file, facts, disk.refusal ?? StorageError(code: .notAnswering, action: .complete, path: facts.path))
        }
        report.segments[before...].reverse()
        endLedger()
        if !settings.writesSidecars { report.hasSidecars = false }
        report.failure = chain.unfinished ?? disk.refusal?.failure
        report.take(ledger)
        return report
    }
}
