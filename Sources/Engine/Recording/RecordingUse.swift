// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Recorder
import Stations
import Storage

/// One recording of a programme: what keeps its audio, and the clock that ends it. Confined to the loop's thread.
final class RecordingUse {
    private let spec: RecordingSpec
    private let host: ProgrammeHost
    private let context: UseContext
    private var programme: (any Programme)?
    /// What the programme had to say of itself at this use's end.
    private var after: StationSnapshot?
    /// What the programme had to say of itself when this use joined it.
    private var before: StationSnapshot?
    private var keeper: (any AudioKeeper)?
    private var gate: EndGate?
    private var durationTimer: (any ReactorTimer)?
    private var patienceTimer: (any ReactorTimer)?
    private var firstAudioAt: MonotonicInstant?
    /// From when on its time counts.
    private let start: TimeStart
    /// Whether its time ran out before it had any audio, though others that share the time had some.
    private var waitedInVain = false
    private var failure: Failure?
    /// Whether a file could be made: before that there is nothing to wait for.
    private var hasFile = false
    private var isEnding = false
    /// Whether somebody outside has asked for the end, and waits for it.
    private var isHurried = false
    private var hasEnded = false

    /// For what aired before the end, and is missing still.
    private static let longestWaitForAudio = Duration.seconds(10)
    /// For a disk that hangs at the end, or a reader that is slow, while somebody waits for the end.
    private static let patience = Duration.seconds(7)
    /// The same where the end came by itself.
    private static let longPatience = Duration.seconds(60)
    /// After so long without a frame a connection may be about to be found stalled.
    private static let usualSilence = Duration.milliseconds(500)

    init(_ spec: RecordingSpec, _ context: UseContext) {
        self.spec = spec
        self.context = context
        host = context.host
        start = spec.sharesTime ? context.sharedStart() : TimeStart()
    }

    /// Ends the recording, and the programme with it where nobody else needs that.
    private func finishSoon() {
        guard !isEnding else { return }
        // The call under way may come from what is to be ended.
        context.reactor.defer { [self] in
            guard !isEnding else { return }
            if let gate { host.end(for: self, gate) } else { programmeEnded(nil) }
        }
    }
}

extension RecordingUse: Use {
    func begin() {
        if let duration = spec.duration {
            start.whenBegun { [weak self] instant in self?.arm(instant + duration) }
        }
        host.join(self)
        host.claim(self)
    }

    func end() {
        isHurried = true
        if isEnding { keeper?.hurry(Self.patience) } else { finishSoon() }
    }

    var snapshot: (any UseSnapshot)? {
        let kept = keeper?.kept ?? (bytes: 0, seconds: 0)
        return RecordingSnapshot(
            elapsed: firstAudioAt.map { context.reactor.now - $0 } ?? .zero, bytes: kept.bytes,
            bitsPerSecond: kept.seconds >= 1 ? Double(kept.bytes * 8) / kept.seconds : nil,
            phase: isEnding ? .finishing : (gate?.isClosing == true ? .awaitingEnd : .running), failure: failure)
    }
}

// MARK: - The programme

extension RecordingUse: ProgrammeUser {
    func programmeBegan(_ programme: any Programme) {
        guard gate == nil, !isEnding else { return }
        self.programme = programme
        before = programme.snapshot
        do throws(Failure) {
            let keeper = try makeKeeper(flow: programme)
            self.keeper = keeper
            let gate = EndGate(before: keeper)
            self.gate = gate
            gate.onAudio = { [weak self] in self?.audioBegan() }
            gate.onEnd = { [weak self] failure in self?.streamEnded(failure) }
            gate.onClosed = { [weak self] in self?.finishInTime() }
            if let archive = keeper.archived { programme.hub.add(archive) }
            programme.hub.attach(gate, at: spec.start)
        } catch {
            failure = error
            finishSoon()
        }
    }

    /// The gate hears of the end, where there is one.
    func programmeEnded(_ failure: Failure?) {
        if gate == nil { streamEnded(failure) }
    }

    private func makeKeeper(flow: any FlowControl) throws(Failure) -> any AudioKeeper {
        do throws(StorageError) {
            switch spec.output {
            case .folder(let path):
                let queue = try context.engine.writerQueue()
                let recorder = Recorder(settings: spec.settings, folder: path, queue: queue, reactor: context.reactor)
                recorder.flow = flow
                recorder.onNotice = { [weak self] in self?.heard($0) }
                return recorder
            case .standardOutput:
                let output = try FrameOutput(descriptor: 1, zone: spec.settings.zone, reactor: context.reactor)
                output.flow = flow
                output.onEnd = { [weak self] error in
                    self?.failure = error?.failure
                    self?.finishSoon()
                }
                return PipeKeeper(output: output, reactor: context.reactor)
            }
        } catch {
            throw error.failure
        }
    }

    private func streamEnded(_ cause: Failure?) {
        guard !isEnding else { return }
        isEnding = true
        after = programme?.snapshot
        failure = failure ?? cause.map(Self.final) ?? (waitedInVain ? after?.lastFailure ?? Self.nothing : nil)
        durationTimer?.cancel()
        patienceTimer?.cancel()
        if spec.endsProgramme, let duration = spec.duration {
            // The programme may go on without its recording, but not for longer than was asked for.
            host.end(after: duration, since: start.instant)
        }
        // The programme speaks from inside its own end.
        context.reactor.defer { [self] in
            host.leave(self)
            guard let keeper else { return finish(RecordingReport()) }
            let isShort = isHurried || failure?.failureClass == .storage
            let patience = isShort ? Self.patience : Self.longPatience
            keeper.stop(patience: isFutile ? .zero : patience) { [self] report in finish(report) }
            // It is not to wait for progress either.
            if isHurried { keeper.hurry(isFutile ? .zero : patience) }
        }
    }

    /// Nothing reconnects any more.
    private static func final(_ cause: Failure) -> Failure {
        guard cause.failureClass == .dropped else { return cause }
        return Failure(.dropped, cause.message, remedy: "the station may be off the air; try again later")
    }

    private static let nothing = Failure(
        .noAudio, "no audio came before the time was over", remedy: "check the address in a browser or another player")

    private func finish(_ report: RecordingReport) {
        guard !hasEnded else { return }
        hasEnded = true
        var outcome = RecordingOutcome(report: report, failure: report.failure ?? failure)
        if let now = after {
            outcome.reconnects = now.reconnects - (before?.reconnects ?? 0)
            outcome.hedges = now.hedges - (before?.hedges ?? 0)
            outcome.wrongChecksums = now.wrongChecksums - (before?.wrongChecksums ?? 0)
            outcome.skipped = now.skipped.since(before?.skipped ?? [])
            outcome.drift = now.drift
        }
        context.onEnd(outcome)
    }
}

// MARK: - Its own time

extension RecordingUse {
    private func audioBegan() {
        let now = context.reactor.now
        firstAudioAt = now
        start.begin(at: now)
    }

    private func arm(_ end: MonotonicInstant) {
        guard !isEnding else { return }
        let timer = context.reactor.makeTimer { [weak self] in self?.timeIsOver() }
        timer.arm(at: end)
        durationTimer = timer
    }

    /// The end, unless a reconnect is under way: what aired before the end may still come, with the burst.
    private func timeIsOver() {
        guard firstAudioAt != nil else {
            waitedInVain = true
            return finishInTime()
        }
        guard let gate, !gate.isClosing, let snapshot = programme?.snapshot, snapshot.info?.kind == .live,
            !snapshot.isDelivering || snapshot.silence > Self.usualSilence
        else { return finishInTime() }
        gate.close(at: context.reactor.wallNow)
        durationTimer?.arm(at: context.reactor.now + Self.longestWaitForAudio)
    }

    private func finishInTime() {
        guard spec.endsProgramme, gate != nil else { return finishSoon() }
        // The call under way may come from what is to be ended.
        context.reactor.defer { [host] in host.end() }
    }
}

// MARK: - The disk

extension RecordingUse {
    private func heard(_ notice: RecorderNotice) {
        switch notice {
        case .began: hasFile = true
        case .failing(let error):
            diskFailed(error.failure)
            // Who gives up at once does not say that it goes on: the outcome says what is wrong.
            guard hasFile else { return }
        case .resumed:
            patienceTimer?.cancel()
            failure = nil
        case .lost where !hasFile: return
        default: break
        }
        context.tell(.recorder(notice))
    }

    /// Where not even a first file can be made there is nothing to wait for; a disk that fills up on the way may get
    /// room again.
    private func diskFailed(_ cause: Failure) {
        failure = cause
        guard hasFile else { return finishSoon() }
        let timer = context.reactor.makeTimer { [weak self] in self?.finishSoon() }
        timer.arm(at: context.reactor.now + context.engine.diskPatience)
        patienceTimer = timer
    }

    /// Whether it is the disk's fault that nothing could even begin.
    private var isFutile: Bool { !hasFile && failure?.failureClass == .storage }
}

extension [StationSnapshot.SkippedBytes] {
    /// What has been skipped since an earlier look.
    fileprivate func since(_ earlier: [StationSnapshot.SkippedBytes]) -> [StationSnapshot.SkippedBytes] {
        compactMap { entry in
            var entry = entry
            entry.bytes -= earlier.first { $0.reason == entry.reason }?.bytes ?? 0
            return entry.bytes > 0 ? entry : nil
        }
    }
}
