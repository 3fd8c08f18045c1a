// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import Recorder
import Stations
import Storage

/// One `record`: a station, what keeps its audio, and the clock that ends it. Confined to the loop's thread.
final class RecordSession {
    private let job: RecordJob
    private let context: SessionContext
    private let tell: @Sendable (RecordEvent) -> Void
    private let wantsProgress: Bool
    private var demo: DemoStation?
    private var station: Station?
    private var keeper: (any AudioKeeper)?
    private var gate: EndGate?
    private var progressTimer: (any ReactorTimer)?
    private var durationTimer: (any ReactorTimer)?
    private var patienceTimer: (any ReactorTimer)?
    private var firstByteAt: MonotonicInstant?
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
    /// No station pauses for so long on purpose.
    private static let unusualSilence = Duration.seconds(5)
    private static let progressInterval = Duration.milliseconds(500)

    init(
        job: RecordJob, wantsProgress: Bool, context: SessionContext, tell: @escaping @Sendable (RecordEvent) -> Void
    ) {
        self.job = job
        self.wantsProgress = wantsProgress
        self.context = context
        self.tell = tell
    }

    func start() {
        do throws(Failure) {
            let settings = try stationSettings()
            let station = Station(
                settings: settings, client: context.client, reactor: context.reactor, group: context.group)
            self.station = station
            let keeper = try makeKeeper(flow: station)
            self.keeper = keeper
            let gate = EndGate(before: keeper)
            self.gate = gate
            gate.onEnd = { [weak self] failure in self?.stationEnded(failure) }
            gate.onClosed = { [weak self] in self?.stopSoon() }
            station.onNotice = { [weak self] in self?.heard($0) }
            station.hub.attach(gate)
            station.start()
        } catch {
            failure = error
            return finish(RecordingReport())
        }
        startProgress()
    }

    /// Asks for the end, soon; the files are finished and the outcome is told.
    func stop() {
        isHurried = true
        if isEnding { keeper?.hurry(Self.patience) } else { end() }
    }

    private func end() {
        guard !isEnding else { return }
        station?.stop()
    }

    func networkChanged() { station?.networkChanged() }

    func clockStepped() { station?.clockStepped() }

    private func stationSettings() throws(Failure) -> StationSettings {
        switch job.source {
        case .station(let settings): return settings
        case .demo(let userAgent):
            let demo = try DemoStation(context.reactor)
            self.demo = demo
            return StationSettings(urls: [demo.url], userAgent: userAgent, giveUp: .seconds(10))
        }
    }

    private func makeKeeper(flow: any FlowControl) throws(Failure) -> any AudioKeeper {
        let reactor = context.reactor
        switch job.output {
        case .folder(let path):
            let recorder = Recorder(
                settings: job.recording, folder: path, queue: context.writer.queue, reactor: reactor)
            recorder.flow = flow
            recorder.onNotice = { [weak self] in self?.heard($0) }
            return recorder
        case .standardOutput:
            let output = try makeOutput()
            output.flow = flow
            output.onEnd = { [weak self] error in
                self?.failure = error?.failure
                self?.stopSoon()
            }
            return PipeKeeper(output: output, reactor: reactor)
        }
    }

    private func makeOutput() throws(Failure) -> FrameOutput {
        do throws(StorageError) {
            return try FrameOutput(descriptor: 1, zone: job.recording.zone, reactor: context.reactor)
        } catch {
            throw error.failure
        }
    }

    /// Stops in a later call: the one under way may come from what is to be stopped.
    private func stopSoon() {
        context.reactor.defer { [weak self] in self?.end() }
    }
}

// MARK: - What is heard

extension RecordSession {
    private func heard(_ notice: StationNotice) {
        if case .live = notice, firstByteAt == nil { begin() }
        tell(.station(notice))
    }

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
        tell(.recorder(notice))
    }

    /// The clock of `--duration` starts with the first bytes of audio.
    private func begin() {
        let now = context.reactor.now
        firstByteAt = now
        guard let duration = job.duration else { return }
        let timer = context.reactor.makeTimer { [weak self] in self?.timeIsOver() }
        timer.arm(at: now + duration)
        durationTimer = timer
    }

    /// The end, unless a reconnect is under way: what aired before the end may still come, with the burst.
    private func timeIsOver() {
        guard let gate, !gate.isClosing, let snapshot = station?.snapshot, snapshot.info?.kind == .live,
            !snapshot.isDelivering || snapshot.silence > Self.usualSilence
        else { return end() }
        gate.close(at: context.reactor.wallNow)
        durationTimer?.arm(at: context.reactor.now + Self.longestWaitForAudio)
    }

    /// Where not even a first file can be made there is nothing to wait for; a disk that fills up on the way may get
    /// room again.
    private func diskFailed(_ cause: Failure) {
        failure = cause
        guard hasFile else { return stopSoon() }
        let timer = context.reactor.makeTimer { [weak self] in self?.end() }
        timer.arm(at: context.reactor.now + context.diskPatience)
        patienceTimer = timer
    }

    private func stationEnded(_ cause: Failure?) {
        guard !isEnding else { return }
        isEnding = true
        failure = failure ?? cause.map(Self.final)
        durationTimer?.cancel()
        patienceTimer?.cancel()
        // The station speaks from inside its own end.
        context.reactor.defer { [self] in
            guard let keeper else { return finish(RecordingReport()) }
            let isShort = isHurried || failure?.failureClass == .storage
            let patience = isShort ? Self.patience : Self.longPatience
            keeper.stop(patience: isFutile ? .zero : patience) { [self] report in finish(report) }
            // It is not to wait for progress either.
            if isHurried { keeper.hurry(isFutile ? .zero : patience) }
        }
    }

    /// Whether it is the disk's fault that nothing could even begin.
    private var isFutile: Bool { !hasFile && failure?.failureClass == .storage }

    /// Nothing reconnects any more.
    private static func final(_ cause: Failure) -> Failure {
        guard cause.failureClass == .dropped else { return cause }
        return Failure(.dropped, cause.message, remedy: "the station may be off the air; try again later")
    }

    private func finish(_ report: RecordingReport) {
        guard !hasEnded else { return }
        hasEnded = true
        progressTimer?.cancel()
        demo?.close()
        var snapshot = station?.snapshot
        snapshot?.lastFailure = nil
        tell(
            .ended(
                RecordOutcome(
                    report: report, reconnects: snapshot?.reconnects ?? 0, hedges: snapshot?.hedges ?? 0,
                    skipped: snapshot?.skipped ?? [], wrongChecksums: snapshot?.wrongChecksums ?? 0,
                    drift: snapshot?.drift, failure: report.failure ?? failure)))
    }
}

// MARK: - Progress

extension RecordSession {
    private func startProgress() {
        guard wantsProgress else { return }
        let timer = context.reactor.makeTimer { [weak self] in self?.showProgress() }
        progressTimer = timer
        showProgress()
    }

    private func showProgress() {
        guard let station, !hasEnded else { return }
        let now = context.reactor.now
        let kept = keeper?.kept ?? (bytes: 0, seconds: 0)
        let snapshot = station.snapshot
        tell(
            .progress(
                RecordProgress(
                    elapsed: firstByteAt.map { now - $0 } ?? .zero, bytes: kept.bytes,
                    bitsPerSecond: kept.seconds >= 1 ? Double(kept.bytes * 8) / kept.seconds : nil,
                    station: snapshot.info?.name ?? "", title: snapshot.title.flatMap { $0.isEmpty ? nil : $0 },
                    reconnects: snapshot.reconnects, waiting: waiting(snapshot, now))))
        progressTimer?.arm(at: now + Self.progressInterval)
    }

    private func waiting(_ snapshot: StationSnapshot, _ now: MonotonicInstant) -> String? {
        if let failure { return failure.message }
        if isEnding { return "finishing the files" }
        if gate?.isClosing == true { return "time is over: waiting for what aired before" }
        return switch snapshot.state {
        case .idle: "looking for the station"
        case .open(let connection):
            switch connection.step {
            case .resolving: "looking for the station"
            case .connecting, .securing: "connecting"
            case .awaitingHead, .awaitingFirstByte, .probing: "waiting for audio"
            case .live: trouble(snapshot)
            }
        case .hedged(let first, _):
            (first.step == .live ? "the station has fallen silent" : "no audio yet") + ": trying a second connection"
        case .waiting(let until): "trying again" + reason(snapshot.lastFailure, in: until - now)
        case .stopped: nil
        }
    }

    /// What is wrong with a connection that has brought audio, if anything.
    private func trouble(_ snapshot: StationSnapshot) -> String? {
        if !snapshot.isDelivering { return "looking for the place where it stopped" }
        return snapshot.silence > Self.unusualSilence ? "the station has fallen silent" : nil
    }

    private func reason(_ failure: Failure?, in delay: Duration) -> String {
        let seconds = Int64(delay.inSeconds.rounded())
        return (seconds > 0 ? " in \(seconds) s" : "") + (failure.map { ": \($0.message)" } ?? "")
    }
}
