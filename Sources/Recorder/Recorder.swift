// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
package import RadioCore
package import Stations
package import Storage

/// Records one station: a sink that turns its stream into segment files.
///
/// Confined to the loop's thread. ``SegmentPlanner`` decides, ``SegmentWriter`` writes, and between them a
/// ``Recording`` names files, keeps the ledger of what is in them and answers what the writer reports. Audio goes on by
/// reference and is never waited for: what the writer's queue refuses becomes a dated gap.
///
/// The owner attaches it to a station, and ends it with ``stop(patience:completion:)``.
package final class Recorder: StreamSink {
    /// Called for everything worth a log line. On the loop.
    package var onNotice: ((RecorderNotice) -> Void)? {
        get { recording.onNotice }
        set { recording.onNotice = newValue }
    }
    /// Holds back a source that can wait while the disk is slower; a live one ignores it.
    package var flow: (any FlowControl)? {
        get { brake.flow }
        set { brake.flow = newValue }
    }
    /// A file need not have the newest frame, as long as less than a second is lost with the process.
    package var tolerance: Duration? { .seconds(5) / 6 }

    private let reactor: any Reactor
    private let recording: Recording
    private let brake = SourceBrake()
    private var planner: SegmentPlanner
    private var stopping: Stop?
    private lazy var waitTimer = reactor.makeTimer { [weak self] in self?.endWait() }

    /// How a stop stands.
    private struct Stop {
        var completion: (RecordingReport) -> Void
        var timer: any ReactorTimer
        /// Everything that can be completed is complete, and the writer was asked to detach.
        var isDetaching = false
        /// Nothing is begun any more.
        var isGivingUp = false
    }

    /// A recorder whose files go to a folder. It first completes what an earlier run left there.
    package init(settings: RecorderSettings, folder: String, queue: WriterQueue, reactor: any Reactor) {
        self.reactor = reactor
        let own = LoopBound<Recorder>(reactor)
        let writer = SegmentWriter(queue: queue, root: folder) { report in own.tell { $0.hear(report) } }
        recording = Recording(settings: settings, writer: writer, reactor: reactor)
        planner = SegmentPlanner(policy: settings.policy, zone: settings.zone, titleOffset: settings.titleOffset)
        own.bind(self)
    }

    /// What was recorded, as far as the queue has taken it: bytes of frames, without tags, and seconds of audio.
    package var progress: (bytes: Int64, seconds: Double) { (recording.ledger.bytes, recording.ledger.seconds) }

    /// Its files, for whoever wants audio that the ring has dropped.
    package var archive: any FrameArchive { recording.archive }

    package func receive(_ event: StreamEvent) {
        guard stopping == nil else { return }
        recording.learn(event)
        run(planner.receive(event, now: reactor.wallNow))
    }

    private func run(_ actions: [SegmentAction]) {
        for action in actions { brake.heed(recording.run(action), for: self) }
        guard planner.isWaiting else { return waitTimer.cancel() }
        if !waitTimer.isArmed { waitTimer.arm(at: reactor.now + SegmentPlanner.longestWait) }
    }

    private func endWait() {
        run(planner.settleTimeout(now: reactor.wallNow))
    }

    /// Takes a report of the writer; on the loop, in order.
    private func hear(_ report: WriterReport) {
        recording.hear(report)
        if case .drained = report { brake.release(for: self) }
        if case .detached = report { endStop() }
        detachWhenDone()
    }

    // MARK: The end

    /// Closes everything properly and then reports; at the latest a second after `patience`, also with a disk that
    /// hangs. Only the first call counts.
    package func stop(patience: Duration = .seconds(7), completion: @escaping (RecordingReport) -> Void) {
        guard stopping == nil else { return }
        brake.release(for: self)
        run(planner.finish(now: reactor.wallNow))
        let timer = reactor.makeTimer { [weak self] in self?.giveUp() }
        stopping = Stop(completion: completion, timer: timer)
        timer.arm(at: reactor.now + patience)
        detachWhenDone()
    }

    /// Ends a stop that is under way within `patience`.
    package func hurry(_ patience: Duration) {
        guard let stop = stopping, !stop.isGivingUp else { return }
        stop.timer.arm(at: reactor.now + patience)
    }

    private func detachWhenDone() {
        guard let stop = stopping, !stop.isDetaching, recording.isSettled else { return }
        stopping?.isDetaching = true
        recording.detach()
    }

    private func giveUp() {
        guard let stop = stopping else { return }
        recording.giveUp()
        stopping?.isGivingUp = true
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

    private static let lastPatience = Duration.seconds(1)
}
