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
    private let context: UseContext
    private var phase = Phase.waiting
    private var disk: RecordingDisk
    private lazy var endTimer = context.reactor.makeTimer { [weak self] in self?.timeIsOver() }
    /// Nil before the first audio.
    private var firstAudioAt: MonotonicInstant?
    /// When the audio ended after which this recording begins; nil if it begins anywhere else.
    private var followsAt: MonotonicInstant?
    /// The start from which the duration counts.
    private let start: TimeStart
    /// Whether the duration is over.
    private var isTimeOver = false
    /// Whether somebody requested the end and waits for it.
    private var isHurried = false
    /// Runs programs for finished files; nil if there are none.
    private let programs: FilePrograms?

    private enum Phase {
        /// The programme has not begun.
        case waiting
        /// The programme runs, but the first frame to be recorded has not aired.
        case awaiting(WindowWatch, Intake)
        case recording(Intake)
        /// The keeper is finishing; only its report is missing in the outcome.
        case ending(Intake?, RecordingOutcome)
    }

    /// The programme that this use has joined, and what takes its audio.
    private struct Intake {
        let programme: Programme
        /// The programme's snapshot when this use joined it.
        let before: StationSnapshot
        let gate: EndGate
        let keeper: any AudioKeeper
    }

    /// How long to wait for audio that aired before the end and is still missing.
    private static let longestWaitForAudio = Duration.seconds(10)
    /// How much later than on air the audio of a window may come.
    private static let farthestBehind = Duration.seconds(120)
    /// A connection that has delivered no frame for this long may be about to stall.
    private static let usualSilence = Duration.milliseconds(500)

    init(_ spec: RecordingSpec, _ context: UseContext) {
        self.spec = spec
        self.context = context
        disk = RecordingDisk(isEndless: spec.waitsForDisk)
        start = spec.sharesTime ? context.sharedStart() : TimeStart()
        programs = spec.exec.map(context.programs)
    }

    private var host: ProgrammeHost { context.host }

    private var isEnding: Bool { if case .ending = phase { true } else { false } }

    /// Nil before the programme has begun.
    private var intake: Intake? {
        switch phase {
        case .waiting: nil
        case .awaiting(_, let intake), .recording(let intake): intake
        case .ending(let intake, _): intake
        }
    }

    /// How long to wait at the end for the disk.
    private var patience: Duration { disk.patience(isHurried: isHurried) }

    /// Ends the recording, and the programme as well if nothing else needs it.
    private func finishSoon() {
        // Deferred: the current call may come from an object that is about to end.
        context.reactor.defer { [self] in
            guard case .recording(let intake) = phase else { return programmeEnded(nil) }
            host.end(for: self, intake.gate)
        }
    }
}

extension RecordingUse: Use {
    func begin() {
        if spec.follows {
            followsAt = context.reactor.now
        } else if let end = spec.resumesAt ?? spec.start.airTime {
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
        let intake = intake
        let kept = intake?.keeper.progress ?? (frames: 0, bytes: 0, seconds: 0)
        return RecordingSnapshot(
            elapsed: firstAudioAt.map { context.reactor.now - $0 } ?? .zero, bytes: kept.bytes,
            files: intake?.keeper.recorder?.growingFiles ?? [],
            bitsPerSecond: kept.seconds >= 1 ? Double(kept.bytes * 8) / kept.seconds : nil,
            phase: isEnding ? .finishing : (intake?.gate.isClosing == true ? .awaitingEnd : .running),
            failure: disk.shownFailure)
    }

    func perform(_ request: any UseRequest) {
        switch request as? RecordingRequest {
        case .missing(let gap)?: intake?.keeper.recorder?.note(missingBefore: gap)
        case .continues(let recording)?: intake?.keeper.recorder?.note(continues: recording)
        case .isFollowed(let atOnce)?:
            if atOnce { intake?.gate.shut() }
            intake?.keeper.recorder?.noteFollowed()
        case .follows(let end)?: followsAt = end.map(context.reactor.readClocks().instant)
        case nil: break
        }
    }
}

// MARK: - The programme

extension RecordingUse: ProgrammeUser {
    func programmeBegan(_ programme: Programme) {
        guard case .waiting = phase else { return }
        do throws(StorageError) {
            let keeper = try makeKeeper(programme)
            let gate = EndGate(before: keeper, from: beginning)
            gate.isUnsure = { [weak hub = programme.hub, reactor = context.reactor] end in
                hub?.isJudging == true && reactor.wallNow > end
            }
            gate.onAudio = { [weak self] in self?.audioBegan() }
            gate.onEnd = { [weak self] failure in self?.streamEnded(failure) }
            gate.onClosed = { [weak self] in self?.finishInTime() }
            if let wanted = firstInstant(), wanted < context.reactor.wallNow {
                programme.earliestWanted = min(programme.earliestWanted ?? wanted, wanted)
            }
            join(Intake(programme: programme, before: programme.snapshot, gate: gate, keeper: keeper))
        } catch {
            disk.refuse(error.failure)
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

    private func join(_ intake: Intake) {
        let (hub, reactor) = (intake.programme.hub, context.reactor)
        if let span = spec.span { intake.gate.close { span.window(reactor.readClocks()).upperBound } }
        guard spec.span != nil || spec.follows, let start = firstInstant() else {
            return begin(intake, at: spec.start)
        }
        // If the programme stays the same, the other recording has every frame so far.
        if spec.follows, hub.hasAudio, start <= reactor.wallNow { return begin(intake, at: .live) }
        let first = { [weak self] in self?.firstInstant() ?? WallInstant(nanoseconds: 0) }
        let watch = WindowWatch(of: hub, from: first, reactor: reactor) { [weak self] in
            self?.begin(intake, at: .airTime(first()))
        }
        phase = .awaiting(watch, intake)
        // If nothing of the past is recorded, companions miss nothing by sharing what others hear from now on.
        if !hub.hasAudio || start > reactor.wallNow { beginCompanions(of: intake, at: .live) }
    }

    /// Lets in the audio from a place on.
    private func begin(_ intake: Intake, at place: JoinPlace) {
        phase = .recording(intake)
        intake.programme.hub.attach(intake.gate, at: place)
        beginCompanions(of: intake, at: place)
    }

    private func beginCompanions(of intake: Intake, at place: JoinPlace) {
        guard let recorder = intake.keeper.recorder, recorder.companions.isEmpty else { return }
        recorder.companions = CompanionRecipes.all.filter { spec.companions.contains($0.companion) }
            .compactMap { $0.begin(beside: recorder, of: intake.programme, at: place, context) }
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
        if case .recording = phase { return }
        streamEnded(failure)
    }

    private func makeKeeper(_ programme: Programme) throws(StorageError) -> any AudioKeeper {
        switch spec.output {
        case .folder(let path):
            let queue = try context.engine.writerQueue()
            let recorder = Recorder(
                settings: spec.settings, folder: path, queue: queue, healing: context.engine.healing,
                reactor: context.reactor)
            recorder.flow = programme
            recorder.onNotice = { [weak self] in self?.heard($0) }
            programme.hub.add(recorder.archive)
            return recorder
        case .standardOutput:
            let output = try FrameOutput(descriptor: 1, zone: spec.settings.zone, reactor: context.reactor)
            output.flow = programme
            output.onEnd = { [weak self] error in
                if let error { self?.disk.refuse(error.failure) }
                // Whoever closes the pipe ends the recording.
                self?.end()
            }
            return output
        }
    }

    private func streamEnded(_ failure: Failure?) {
        guard !isEnding else { return }
        let intake = intake
        let after = intake?.programme.snapshot
        var outcome = RecordingOutcome()
        // A recording that the disk has ended did not end early.
        if disk.failure == nil {
            outcome.failure =
                failure.map(Self.final)
                ?? (hasWaitedInVain ? after?.lastFailure ?? Self.nothing : earlyEnd(after?.info))
        }
        if let after, let before = intake?.before {
            outcome.reconnects = after.reconnects - before.reconnects
            outcome.hedges = after.hedges - before.hedges
            outcome.wrongChecksums = after.wrongChecksums - before.wrongChecksums
            outcome.damage = after.damage - before.damage
            outcome.skipped = after.skipped.since(before.skipped)
            outcome.drift = after.drift
            outcome.station = after.info
        }
        phase = .ending(intake, outcome)
        endTimer.cancel()
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
            let seconds = intake?.keeper.progress.seconds, seconds < duration.inSeconds
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
        guard case .ending(_, var outcome) = phase else { return }
        outcome.report = report
        outcome.failure = report.failure ?? disk.failure ?? outcome.failure
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
        arm(clock.instant(of: span.window(clock).upperBound) + Self.longestWaitForAudio)
    }

    private func arm(_ end: MonotonicInstant) {
        if !isEnding { endTimer.arm(at: end) }
    }

    /// How long to wait after the window for audio that was on air in it. A station in HLS is behind the air, and sends
    /// whole segments.
    private var waitForWindow: Duration {
        guard let snapshot = intake?.programme.snapshot else { return Self.longestWaitForAudio }
        let behind = (snapshot.behind ?? .zero) + (snapshot.segments?.targetDuration ?? .zero)
        return min(behind, Self.farthestBehind) + Self.longestWaitForAudio
    }

    /// Ends the recording. During a reconnect, it first waits, because audio that aired before the end may still arrive
    /// with the burst.
    private func timeIsOver() {
        if let span = spec.span, case let clock = context.reactor.readClocks(),
            case let end = clock.instant(of: span.window(clock).upperBound) + waitForWindow, end > clock.now
        {
            return arm(end)
        }
        isTimeOver = true
        guard firstAudioAt != nil, let intake, !intake.gate.isClosing,
            case let snapshot = intake.programme.snapshot,
            snapshot.info?.kind == .live, !snapshot.isDelivering || snapshot.silence > Self.usualSilence
        else { return finishInTime() }
        let end = context.reactor.now
        intake.gate.close { [reactor = context.reactor] in reactor.readClocks().wall(at: end) }
        endTimer.arm(at: end + Self.longestWaitForAudio)
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
        disk.note(notice)
        switch notice {
        case .failing(let error) where error.code != .notAnswering:
            diskFailed()
            // If there is no file yet, the recording gives up at once, and must not report that it continues. The
            // outcome reports the failure.
            guard disk.isAwaited else { return }
        case .lost where !disk.isAwaited: return
        default: break
        }
        context.tell(.recorder(notice))
        if let bundle = notice.bundle { context.finished(bundle, programs) }
    }

    /// Gives up at once if not even the first file can be created. A disk that fails later never ends the recording: it
    /// may be well again, however long that takes.
    private func diskFailed() {
        guard !disk.isAwaited else { return }
        // If the recording is ending already, it stops waiting for the disk.
        if isEnding { intake?.keeper.hurry(.zero) } else { finishSoon() }
    }
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
