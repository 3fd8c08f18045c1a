// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Recorder
import Stations
import Storage

/// One recording of a programme: the keeper of its audio, and the timer that ends it.
final class RecordingUse {
    private let spec: RecordingSpec
    private let host: ProgrammeHost
    private let context: UseContext
    private var phase = Phase.recording
    /// The programme that this use has joined, and its snapshot at that time.
    private var joined: (programme: Programme, before: StationSnapshot)?
    /// What takes the audio of the programme.
    private var intake: (gate: EndGate, keeper: any AudioKeeper)?
    private var durationTimer: (any ReactorTimer)?
    private var patienceTimer: (any ReactorTimer)?
    private var windowWatch: WindowWatch?
    private var firstAudioAt: MonotonicInstant?
    /// When the audio ended after which this recording begins; nil if it begins anywhere else.
    private var followsAt: MonotonicInstant?
    /// The start from which the duration counts.
    private let start: TimeStart
    /// Whether the duration is over.
    private var isTimeOver = false
    private var failure: Failure?
    /// Why no data reaches the disk although no write has failed.
    private var stall: Failure?
    /// Whether a file has been created. Until a file exists, the recording does not wait for a disk that fails.
    private var hasFile = false
    /// Whether somebody requested the end and waits for it.
    private var isHurried = false
    /// Runs programs for finished files; nil if there are none.
    private let programs: FilePrograms?

    private enum Phase {
        case recording
        /// The keeper is finishing. `after`: the programme's snapshot at the end of this use.
        case ending(after: StationSnapshot?)
        case over
    }

    /// How long to wait for audio that aired before the end and is still missing.
    private static let longestWaitForAudio = Duration.seconds(10)
    /// How long to wait for a hanging disk or a slow reader while somebody waits for the end.
    private static let patience = Duration.seconds(6)
    /// How long to wait, while somebody waits for the end, for a disk that answers but accepts no data: long enough for
    /// another attempt.
    private static let refusedPatience = Duration.seconds(3)
    /// How long to wait for a hanging disk or a slow reader if the recording ended by itself. The result of a show is
    /// due within a minute of its end, and that minute includes ``longestWaitForAudio`` and the catalog's answer.
    private static let longPatience = Duration.seconds(40)
    /// A connection that has delivered no frame for this long may be about to stall.
    private static let usualSilence = Duration.milliseconds(500)

    init(_ spec: RecordingSpec, _ context: UseContext) {
        self.spec = spec
        self.context = context
        host = context.host
        start = spec.sharesTime ? context.sharedStart() : TimeStart()
        programs = spec.exec.map { program in
            FilePrograms(program, context.fileRunner(), context.reactor) { context.tell(.exec($0)) }
        }
    }

    private var isEnding: Bool { if case .recording = phase { false } else { true } }

    /// Ends the recording, and the programme as well if nothing else needs it.
    private func finishSoon() {
        guard !isEnding else { return }
        // Deferred: the current call may come from an object that is about to end.
        context.reactor.defer { [self] in
            guard !isEnding else { return }
            guard let intake, windowWatch == nil else { return programmeEnded(nil) }
            host.end(for: self, intake.gate)
        }
    }
}

extension RecordingUse: Use {
    func begin() {
        if spec.follows {
            followsAt = context.reactor.now
        } else if case .airTime(let end) = spec.start {
            followsAt = context.reactor.readClocks().instant(of: end)
        }
        if let duration = spec.duration {
            start.whenBegun { [weak self] instant in self?.arm(instant + duration) }
        }
        armWindowEnd()
        host.join(self)
        host.claim(self)
    }

    func clockStepped() { armWindowEnd() }

    func end() {
        isHurried = true
        guard isEnding else { return finishSoon() }
        intake?.keeper.hurry(patience)
        programs?.hurry(patience)
    }

    var snapshot: (any UseSnapshot)? {
        let keeper = intake?.keeper
        let kept = keeper?.kept ?? (frames: 0, bytes: 0, seconds: 0)
        var snapshot = RecordingSnapshot(
            elapsed: firstAudioAt.map { context.reactor.now - $0 } ?? .zero, bytes: kept.bytes,
            bitsPerSecond: kept.seconds >= 1 ? Double(kept.bytes * 8) / kept.seconds : nil,
            phase: isEnding ? .finishing : (intake?.gate.isClosing == true ? .awaitingEnd : .running),
            failure: failure ?? stall)
        snapshot.frames = kept.frames
        snapshot.length = keeper?.length ?? .zero
        snapshot.file = keeper?.file
        return snapshot
    }

    func perform(_ request: any UseRequest) {
        if case .over = phase { return }
        switch request as? RecordingRequest {
        case .missing(let gap)?: intake?.keeper.note(missingBefore: gap)
        case .continues(let recording)?: intake?.keeper.note(continues: recording)
        case .isFollowed(let atOnce)?:
            if atOnce { intake?.gate.shut() }
            intake?.keeper.noteFollowed()
        case .follows(let end)?: followsAt = end.map(context.reactor.readClocks().instant)
        case nil: break
        }
    }
}

// MARK: - The programme

extension RecordingUse: ProgrammeUser {
    func programmeBegan(_ programme: Programme) {
        guard intake == nil, !isEnding else { return }
        joined = (programme, programme.snapshot)
        do throws(Failure) {
            let keeper = try makeKeeper(programme)
            let gate = EndGate(before: keeper, from: beginning)
            intake = (gate, keeper)
            gate.onAudio = { [weak self] in self?.audioBegan() }
            gate.onEnd = { [weak self] failure in self?.streamEnded(failure) }
            gate.onClosed = { [weak self] in self?.finishInTime() }
            if let archive = keeper.archived { programme.hub.add(archive) }
            attach(gate, to: programme.hub)
        } catch {
            failure = error
            finishSoon()
        }
    }

    /// Before this instant, nothing was to be recorded; nil if the recording begins with the oldest audio, or where the
    /// one ended that it continues.
    private var beginning: (() -> WallInstant)? {
        let reactor = context.reactor
        if let span = spec.span { return { span.window(reactor.readClocks()).lowerBound } }
        guard spec.start == .live, spec.settings.continues == nil else { return nil }
        return { [now = reactor.now] in reactor.readClocks().wall(at: now) }
    }

    private func attach(_ gate: EndGate, to hub: StreamHub) {
        let reactor = context.reactor
        if let span = spec.span { gate.close { span.window(reactor.readClocks()).upperBound } }
        guard spec.span != nil || spec.follows, let start = firstInstant() else {
            return hub.attach(gate, at: spec.start)
        }
        // If the programme stays the same, the other recording has every frame so far.
        if spec.follows, hub.hasAudio, start <= reactor.wallNow { return hub.attach(gate) }
        let first = { [weak self] in self?.firstInstant() ?? WallInstant(nanoseconds: 0) }
        windowWatch = WindowWatch(of: hub, from: first, reactor: reactor) { [weak self] in
            self?.windowWatch = nil
            hub.attach(gate, at: .airTime(first()))
        }
    }

    /// When the first frame to record airs: in the span, and after the recording before this one; nil if nothing says
    /// when.
    private func firstInstant() -> WallInstant? {
        let clock = context.reactor.readClocks()
        let (window, end) = (spec.span?.window(clock), followsAt.map(clock.wall))
        return window.map { max($0.lowerBound, end ?? $0.lowerBound) } ?? end
    }

    /// Ends the recording if no gate is attached: an attached gate reports the end itself.
    func programmeEnded(_ failure: Failure?) {
        if intake == nil || windowWatch != nil { streamEnded(failure) }
    }

    private func makeKeeper(_ programme: Programme) throws(Failure) -> any AudioKeeper {
        do throws(StorageError) {
            switch spec.output {
            case .folder(let path):
                let queue = try context.engine.writerQueue()
                let recorder = Recorder(settings: spec.settings, folder: path, queue: queue, reactor: context.reactor)
                recorder.flow = programme
                recorder.onNotice = { [weak self] in self?.heard($0) }
                recorder.companions = CompanionRecipes.all.filter { spec.companions.contains($0.companion) }
                    .compactMap { $0.begin(beside: recorder, of: programme, context) }
                return recorder
            case .standardOutput:
                let output = try FrameOutput(descriptor: 1, zone: spec.settings.zone, reactor: context.reactor)
                output.flow = programme
                output.onEnd = { [weak self] error in
                    self?.failure = error?.failure
                    self?.finishSoon()
                }
                return output
            }
        } catch {
            throw error.failure
        }
    }

    private func streamEnded(_ cause: Failure?) {
        guard !isEnding else { return }
        let after = joined?.programme.snapshot
        failure =
            failure ?? cause.map(Self.final)
            ?? (hasWaitedInVain ? after?.lastFailure ?? Self.nothing : earlyEnd(after?.info))
        phase = .ending(after: after)
        windowWatch = nil
        durationTimer?.cancel()
        patienceTimer?.cancel()
        if spec.endsProgramme, let duration = spec.duration {
            // The programme may continue after this recording, but not beyond the requested duration.
            host.end(after: duration, since: start.instant)
        }
        // Deferred: the programme is calling from inside its own end.
        context.reactor.defer { [self] in
            host.leave(self)
            guard let keeper = intake?.keeper else { return finish(RecordingReport()) }
            let patience = self.patience
            keeper.stop(patience: patience) { [self] report in finish(report) }
            // While somebody waits for the end, the wait is limited even if the disk or the reader makes progress.
            if isHurried { keeper.hurry(patience) }
        }
    }

    /// Whether the duration ran out before this recording had any audio of a station. Other recordings that share the
    /// duration may have had some.
    private var hasWaitedInVain: Bool {
        isTimeOver && (firstAudioAt == nil || intake?.gate.hasOnlyForeignAudio == true)
    }

    /// The failure of a recording whose file was over before the duration was; nil if it was not.
    private func earlyEnd(_ info: StationInfo?) -> Failure? {
        guard let duration = spec.duration, !isTimeOver, !isHurried, let info, info.kind == .finite,
            let seconds = intake?.keeper.kept.seconds, seconds < duration.inSeconds
        else { return nil }
        let length = HumanDuration.print(.seconds(seconds.rounded()))
        return Failure(
            .file, "\(info.name) is a file that is over after \(length), not a live station",
            remedy: "look for the address of the live stream; to record a file, give no duration")
    }

    /// Changes the remedy of a dropped connection, because nothing reconnects after the end of the recording.
    private static func final(_ cause: Failure) -> Failure {
        guard cause.failureClass == .dropped else { return cause }
        return Failure(.dropped, cause.message, remedy: "the station may be off the air; try again later")
    }

    private static let nothing = Failure(
        .noAudio, "no audio arrived in the given time", remedy: "check the address in a browser or another player")

    private func finish(_ report: RecordingReport) {
        guard case .ending(let after) = phase else { return }
        phase = .over
        let before = joined?.before
        var outcome = RecordingOutcome(report: report, failure: report.failure ?? failure)
        if let now = after {
            outcome.reconnects = now.reconnects - (before?.reconnects ?? 0)
            outcome.hedges = now.hedges - (before?.hedges ?? 0)
            outcome.wrongChecksums = now.wrongChecksums - (before?.wrongChecksums ?? 0)
            outcome.damage = now.damage - (before?.damage ?? StreamDamage())
            outcome.skipped = now.skipped.since(before?.skipped ?? [])
            outcome.drift = now.drift
            outcome.station = now.info
        }
        guard let programs else { return context.onEnd(outcome) }
        programs.finish(within: isHurried ? patience : nil) { [onEnd = context.onEnd] tally in
            outcome.exec = tally
            onEnd(outcome)
        }
    }
}

// MARK: - Duration

extension RecordingUse {
    private func audioBegan() {
        let now = context.reactor.now
        firstAudioAt = now
        start.begin(at: now)
    }

    /// Sets the timer for the end of the window. After it, the recording still waits for audio that aired in the
    /// window, as it does at the end of a duration.
    private func armWindowEnd() {
        guard let span = spec.span else { return }
        let clock = context.reactor.readClocks()
        durationTimer?.cancel()
        arm(clock.instant(of: span.window(clock).upperBound) + Self.longestWaitForAudio)
    }

    private func arm(_ end: MonotonicInstant) {
        guard !isEnding else { return }
        let timer = context.reactor.makeTimer { [weak self] in self?.timeIsOver() }
        timer.arm(at: end)
        durationTimer = timer
    }

    /// Ends the recording. During a reconnect, it first waits, because audio that aired before the end may still arrive
    /// with the burst.
    private func timeIsOver() {
        isTimeOver = true
        guard firstAudioAt != nil, let gate = intake?.gate, !gate.isClosing, let snapshot = joined?.programme.snapshot,
            snapshot.info?.kind == .live, !snapshot.isDelivering || snapshot.silence > Self.usualSilence
        else { return finishInTime() }
        gate.close { [reactor = context.reactor, end = context.reactor.now] in reactor.readClocks().wall(at: end) }
        durationTimer?.arm(at: context.reactor.now + Self.longestWaitForAudio)
    }

    private func finishInTime() {
        guard spec.endsProgramme, intake != nil else { return finishSoon() }
        // Deferred: the current call may come from an object that is about to end.
        context.reactor.defer { [host] in host.end() }
    }
}

// MARK: - The disk

extension RecordingUse {
    private func heard(_ notice: RecorderNotice) {
        switch notice {
        case .began: hasFile = true
        // A disk that does not answer may still accept all data, so this does not yet count as a failure.
        case .failing(let error) where error.code == .notAnswering: stall = error.failure
        case .failing(let error):
            stall = nil
            diskFailed(error.failure)
            // If there is no file yet, the recording gives up at once, and must not report that it continues. The
            // outcome reports the failure.
            guard hasFile || spec.waitsForDisk else { return }
        case .resumed:
            patienceTimer?.cancel()
            (failure, stall) = (nil, nil)
        case .lost where !hasFile && !spec.waitsForDisk: return
        default: break
        }
        context.tell(.recorder(notice))
        if let bundle = notice.bundle { programs?.finished(bundle) }
    }

    /// Gives up at once if not even the first file can be created. A disk that fills up later may get space again.
    private func diskFailed(_ cause: Failure) {
        failure = cause
        guard !spec.waitsForDisk else { return }
        guard hasFile else {
            // If the recording is ending already, it stops waiting for the disk.
            if isEnding { intake?.keeper.hurry(.zero) } else { finishSoon() }
            return
        }
        let timer = context.reactor.makeTimer { [weak self] in self?.finishSoon() }
        timer.arm(at: context.reactor.now + context.engine.diskPatience)
        patienceTimer = timer
    }

    /// How long to wait at the end for the disk.
    private var patience: Duration {
        if isFutile { return .zero }
        if isHurried { return isRefused ? Self.refusedPatience : Self.patience }
        return isRefused && !spec.waitsForDisk ? Self.patience : Self.longPatience
    }

    /// Whether the last attempt to write has failed.
    private var isRefused: Bool { failure?.failureClass == .storage }

    /// Whether no file could be created because of the disk, and the recording should not wait for the disk.
    private var isFutile: Bool { !hasFile && isRefused && !spec.waitsForDisk }
}

extension [StationSnapshot.SkippedBytes] {
    /// The bytes skipped since an earlier snapshot.
    fileprivate func since(_ earlier: [StationSnapshot.SkippedBytes]) -> [StationSnapshot.SkippedBytes] {
        compactMap { entry in
            var entry = entry
            entry.bytes -= earlier.first { $0.reason == entry.reason }?.bytes ?? 0
            return entry.bytes > 0 ? entry : nil
        }
    }
}
