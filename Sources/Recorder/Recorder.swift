// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
package import RadioCore
package import Stations
package import Storage

/// Makes a companion of recorded files with ``Recorder/append(_:to:of:)``.
package protocol GrowingCompanion: AnyObject {
    /// Calls `body` once everything about the recorded frames has been written, or soon.
    func end(_ body: @escaping () -> Void)
}

/// Records a station: a sink that writes its stream to segment files.
///
/// ``SegmentPlanner`` decides, ``SegmentWriter`` writes, and between them a ``Recording`` names files, keeps the ledger
/// and handles the writer's reports. Audio is passed on by reference, without ever blocking: what the writer's queue
/// refuses becomes a dated gap.
///
/// The owner attaches the recorder to a station, and ends it with ``stop(patience:completion:)``.
package final class Recorder: StreamSink {
    /// Called on the loop with each event worth a log line.
    package var onNotice: ((RecorderNotice) -> Void)? {
        get { recording.onNotice }
        set { recording.onNotice = newValue }
    }
    /// Pauses a source that can wait while the disk is slower; a live source ignores it.
    package var flow: (any FlowControl)? {
        get { brake.flow }
        set { brake.flow = newValue }
    }
    /// Files may lag behind the live edge, as long as a crash loses less than a second of audio.
    package var tolerance: Duration? { .seconds(5) / 6 }
    package var isPatient: Bool { true }

    /// What grows with the files, and has not ended.
    package var companions: [any GrowingCompanion] = []

    private let reactor: any Reactor
    private let writer: SegmentWriter
    private let recording: Recording
    private let brake = SourceBrake()
    private var planner: SegmentPlanner
    private var stopping: Stop?
    private lazy var stallTimer = reactor.makeTimer { [weak self] in self?.lookForStall() }
    private lazy var waitTimer = reactor.makeTimer { [weak self] in self?.endWait() }

    /// The state of a stop.
    private struct Stop {
        var completion: (RecordingReport) -> Void
        var timer: any ReactorTimer
        /// Whether everything that can be completed is complete, and the writer is detaching.
        var isDetaching = false
    }

    /// Creates a recorder that writes its files to `folder`. It first completes files that an earlier run left there.
    package init(
        settings: RecorderSettings, folder: String, queue: WriterQueue, healing: HealingThread, reactor: any Reactor
    ) {
        self.reactor = reactor
        let own = LoopBound<Recorder>(reactor)
        writer = SegmentWriter(queue: queue, root: folder, floor: settings.floor) { report in
            own.tell { $0.hear(report) }
        }
        recording = Recording(
            settings: settings, folder: folder, writer: writer, healing: healing, reactor: reactor)
        planner = SegmentPlanner(policy: settings.policy, zone: settings.zone, titleOffset: settings.titleOffset)
        own.bind(self)
    }

    /// The audio accepted by the queue: frames, their bytes, without tags, and seconds of audio.
    package var progress: (frames: Int64, bytes: Int64, seconds: Double) {
        (recording.ledger.frames, recording.ledger.bytes, recording.ledger.seconds)
    }

    /// The files on disk that are not complete, oldest first.
    package var growingFiles: [RecordedSegment] { recording.growingFiles }

    /// The recorded frames, for readers of audio that the ring has dropped.
    package var archive: any FrameArchive { recording.archive }

    package func receive(_ event: StreamEvent) {
        guard stopping == nil else { return }
        // It is about past frames, and decides nothing about the next ones.
        if case .found(let found) = event { return recording.add(found) }
        recording.learn(event)
        run(planner.receive(event, now: reactor.wallNow))
    }

    /// The recorded frames from a frame of the programme on, or from the first later one that is recorded; nil if none
    /// is, so far.
    package func recorded(from frame: Int64) -> ArchiveIndex.Run? { recording.archive.index.run(from: frame) }

    /// Appends to a companion of a file: see ``SegmentWriter/append(_:to:of:)``.
    package func append(_ bytes: [UInt8], to companion: Companion, of file: FileID) {
        writer.append(bytes, to: companion, of: file)
    }

    /// Enters a gap before the first frame of the recording, as becomes known once it is known where the recording that
    /// this one continues has ended. Ignored once the recording is complete.
    package func note(missingBefore gap: Gap) {
        if stopping?.isDetaching != true { recording.note(missingBefore: gap) }
    }

    /// Enters which recording this one continues, if any, instead of the one that the settings name. Ignored once the
    /// recording has ended.
    package func note(continues id: String?) { recording.note(continues: id) }

    /// Leaves the gap behind this recording to another one, which follows it and will enter the gap. Call this before
    /// the end.
    package func noteFollowed() { recording.noteFollowed() }

    private func run(_ actions: [SegmentAction]) {
        for action in actions { brake.heed(recording.run(action), for: self) }
        if brake.isOn, !stallTimer.isArmed { stallTimer.arm(at: reactor.now + DiskWatch.interval) }
        guard planner.isWaiting else { return waitTimer.cancel() }
        if !waitTimer.isArmed { waitTimer.arm(at: reactor.now + SegmentPlanner.longestWait) }
    }

    /// Looks whether the disk hangs, also while the source is paused, and so nothing is appended.
    private func lookForStall() {
        recording.lookForStall()
        if brake.isOn { stallTimer.arm(at: reactor.now + DiskWatch.interval) }
    }

    private func endWait() {
        run(planner.settleTimeout(now: reactor.wallNow))
    }

    /// Handles a report of the writer. Called on the loop, in order.
    private func hear(_ report: WriterReport) {
        recording.hear(report)
        if case .drained = report { brake.release(for: self) }
        if case .detached = report { endStop() }
        detachWhenDone()
    }

    // MARK: The end

    /// Completes all files and then reports, at the latest half a second after `patience`, even if the disk hangs. Only
    /// the first call counts.
    package func stop(patience: Duration = .seconds(7), completion: @escaping (RecordingReport) -> Void) {
        guard stopping == nil else { return }
        run(planner.finish(now: reactor.wallNow))
        brake.release(for: self)
        let timer = reactor.makeTimer { [weak self] in self?.giveUp() }
        stopping = Stop(completion: completion, timer: timer)
        timer.arm(at: reactor.now + patience)
        for companion in companions {
            companion.end { [weak self] in
                self?.companions.removeAll { $0 === companion }
                self?.detachWhenDone()
            }
        }
        detachWhenDone()
    }

    /// Limits a stop in progress to `patience`.
    package func hurry(_ patience: Duration) {
        guard let stop = stopping, !recording.isGivingUp else { return }
        stop.timer.arm(at: reactor.now + patience)
    }

    private func detachWhenDone() {
        guard let stop = stopping, !stop.isDetaching, recording.isSettled, companions.isEmpty else { return }
        stopping?.isDetaching = true
        recording.detach()
    }

    private func giveUp() {
        guard let stop = stopping else { return }
        recording.giveUp()
        let timer = reactor.makeTimer { [weak self] in self?.endStop() }
        stopping?.timer = timer
        stop.timer.cancel()
        timer.arm(at: reactor.now + Self.lastPatience)
    }

    private func endStop() {
        guard let stop = stopping else { return }
        stop.timer.cancel()
        let report = recording.end()
        stopping?.completion = { _ in }
        stop.completion(report)
    }

    /// A daemon ends within eight seconds, and hooks and the catalog need some of this time.
    private static let lastPatience = Duration.milliseconds(500)
}
