// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
package import RadioCore
import SoundOutput
package import Stations

/// Makes a programme heard: a sink with a cursor in the ring, a machine that says when there is sound, and a voice that
/// makes it. Confined to the loop's thread.
///
/// The player's state is its own: it hears of the station through the hub alone, and the station never of it.
package final class Player {
    /// Called with what happens, in order.
    package var onEvent: ((PlayerEvent) -> Void)?
    /// Called once, when everything is over.
    package var onFinish: (() -> Void)?

    private let settings: PlayerSettings
    private let reactor: any Reactor
    private let voice: any VoiceControl
    private var programme: (any Programme)?
    private var reader: RingReader?
    private var machine = PlaybackMachine()
    private var status = PlaybackStatus()
    private var marks = BufferMarks()
    private var drift = DriftControl()
    private var view = PlayerSnapshot()
    /// What was heard last, as a place in the programme.
    private var place: Duration?
    private var outputLostAt: MonotonicInstant?
    private var giveUpTimer: (any ReactorTimer)?
    private var hasStarted = false
    private var hasSounded = false
    private var isFinished = false

    /// After so long without a sound server a live programme goes on at its live edge.
    private static let longestReturn = Duration.seconds(10)
    /// So far behind the live edge it goes on there; stations deliver in lumps.
    private static let liveCushion = Duration.seconds(2)
    /// A connection that is silent for so long has stalled, for somebody who listens.
    private static let stall = Duration.seconds(1)

    /// `makeVoice` gets what the voice is to tell its events to, from any thread.
    package init(
        _ settings: PlayerSettings, reactor: any Reactor,
        makeVoice: (LoopBound<Player>) throws(Failure) -> any VoiceControl
    ) throws(Failure) {
        self.settings = settings
        self.reactor = reactor
        let bound = LoopBound<Player>(reactor)
        voice = try makeVoice(bound)
        view.isMuted = settings.isMuted
        bound.bind(self)
    }

    deinit { voice.shutDown() }

    /// Gets ready: what goes wrong with the sound from now on is told.
    package func begin() {
        if settings.isMuted { voice.send(.mute(true)) }
        if let patience = settings.giveUp {
            let timer = reactor.makeTimer { [weak self] in self?.handle(.gaveUp(Failure(SoundError.hangs))) }
            timer.arm(at: reactor.now + patience)
            giveUpTimer = timer
        }
        handle(.begin)
    }

    /// Listens to a programme from now on; to one only.
    package func tune(to programme: any Programme) {
        guard reader == nil else { return }
        self.programme = programme
        reader = RingReader(programme.hub, voice.pipe)
        programme.hub.attach(self, at: .behind(Self.liveCushion))
    }

    /// The programme has ended before it was tuned to.
    package func programmeFailed(_ failure: Failure?) { handle(.programmeEnded(failure)) }

    /// Ends with a fade, and says when it has.
    package func stop(_ reason: StopReason) { handle(.stop(reason)) }

    package var snapshot: PlayerSnapshot {
        var now = view
        now.status = status
        now.behind = place.flatMap { place in reader.map { $0.ahead(of: place) } } ?? .zero
        now.correction = drift.correction
        return now
    }

    package func perform(_ request: PlayRequest) {
        switch request {
        case .pause: handle(.pause)
        case .resume: resume()
        case .togglePause: if status.state == .paused { resume() } else { handle(.pause) }
        case .liveEdge: jump(behind: Self.liveCushion)
        case .seek(let distance): if let reader, let place { jump(behind: reader.ahead(of: place) - distance) }
        case .volume(let volume): setVolume(volume)
        case .changeVolume(let change): if let volume = view.volume { setVolume(volume + change) }
        case .toggleMute:
            view.isMuted.toggle()
            voice.send(.mute(view.isMuted))
        }
    }

    private func resume() {
        drift.resettle()
        handle(.resume)
        checkFill()
    }

    private func setVolume(_ volume: Double) {
        let volume = max(0, min(1.5, volume))
        view.volume = volume
        voice.send(.volume(volume))
    }

    private func jump(behind distance: Duration) {
        guard let reader else { return }
        reader.jump(behind: distance)
        place = nil
        marks.restart()
        marks.audioCame(at: reactor.now)
        drift.resettle()
        handle(.jump)
        handOver()
    }
}

// MARK: - The programme

extension Player: StreamSink {
    /// It has a cushion.
    package var tolerance: Duration? { .milliseconds(250) }

    package func receive(_ event: StreamEvent) {
        guard let reader, !isFinished else { return }
        reader.receive(event)
        switch event {
        case .chunk:
            if !hasStarted { begun() }
            handOver()
        case .ended(let failure):
            handOver()
            handle(.programmeEnded(failure))
            endWithoutOutput()
        case .station(let info): voice.send(.title(info.name))
        case .format, .discontinuity, .splice, .stretch, .title, .airTime: break
        }
    }

    /// Beside a recording nobody waits for a sound server only to hear the end of it.
    private func endWithoutOutput() {
        guard settings.giveUp == nil, programme?.hub.hasEnded ?? false, outputLostAt != nil else { return }
        handle(.gaveUp(Failure(SoundError.hangs)))
    }

    private func begun() {
        hasStarted = true
        marks.audioCame(at: reactor.now)
        handle(.audioCame)
    }

    private func handOver() {
        reader?.handOver()
        voice.wake()
        checkFill()
    }

    /// Whether enough is at hand to go on, or why not.
    private func checkFill() {
        guard let reader, hasStarted else { return }
        switch status.state {
        case .prebuffering, .rebuffering:
            // Before anything has been heard, everything that came is ahead.
            let ahead = reader.ahead(of: place ?? .zero)
            if reader.isAtEnd || marks.isEnough(ahead, at: reactor.now) {
                handle(.filled)
            } else {
                handle(.waiting(cause))
            }
        case .idle, .opening, .playing, .paused, .draining, .stopping, .stopped: break
        }
    }

    /// Why no audio is at hand.
    private var cause: RebufferCause {
        guard let snapshot = programme?.snapshot else { return .slow }
        switch snapshot.activity {
        case .delivering, .locating: return snapshot.silence > Self.stall ? .stalled : .slow
        case .silent, .hedging: return .stalled
        case .lookingUp, .connecting, .awaitingAudio, .waiting, .stopped: return .reconnecting
        }
    }
}

// MARK: - The machine

extension Player {
    private func handle(_ event: PlaybackMachine.Event) {
        let orders = machine.handle(event)
        let now = machine.status
        if now != status {
            status = now
            onEvent?(.status(now))
        }
        for order in orders { perform(order) }
    }

    private func perform(_ order: PlaybackMachine.Order) {
        switch order {
        case .sound:
            voice.send(.sound(at: startInstant))
            hasSounded = true
        case .hush: voice.send(.hush)
        case .close: voice.send(.close)
        case .finish: finish()
        }
    }

    /// The instant of the first sound on the clock of the loop; nil where it may begin at once.
    private var startInstant: MonotonicInstant? {
        guard !hasSounded, let start = settings.start else { return nil }
        let (now, wall) = reactor.readClocks()
        return start > wall ? now + (start - wall) : nil
    }

    private func finish() {
        guard !isFinished else { return }
        isFinished = true
        giveUpTimer?.cancel()
        voice.shutDown()
        programme?.hub.detach(self)
        (reader, programme) = (nil, nil)
        onFinish?()
    }
}

// MARK: - The voice

extension Player {
    /// On the loop; an event that comes late is of no use.
    package func heard(_ event: VoiceEvent) {
        guard !isFinished else { return }
        switch event {
        case .report(let report): note(report)
        case .passed(let mark):
            guard let title = reader?.title(at: mark) else { return }
            view.title = title
            voice.send(.title(title))
            onEvent?(.title(title))
        case .starved: starved()
        case .silent: handle(.silent)
        case .failed(let error): handle(.decodingFailed(Failure(error)))
        case .output(let event): heard(event)
        }
    }

    private func note(_ report: VoiceReport) {
        guard report.generation == voice.pipe.generation else { return }
        if let place, report.heard > place, status.state == .playing || status.state == .draining {
            view.heard += report.heard - place
        }
        place = report.heard
        (view.format, view.loudness, view.damagedFrames) = (report.format, report.loudness, report.damagedFrames)
        handOver()
        guard status.state == .playing, let reader else { return }
        marks.played(at: reactor.now)
        guard programme?.hub.info?.kind == .live else { return }
        if let correction = drift.observe(reader.ahead(of: report.heard), at: reactor.now) {
            voice.send(.rate(correction))
        }
    }

    private func starved() {
        guard status.state == .playing else { return }
        view.underruns += 1
        marks.ranOut(at: reactor.now)
        drift.resettle()
        handle(.starved(cause))
        checkFill()
    }

    private func heard(_ event: SoundEvent) {
        switch event {
        case .opened:
            giveUpTimer?.cancel()
            let lostFor = outputLostAt.take().map { reactor.now - $0 } ?? .zero
            handle(.outputOpened)
            if lostFor > Self.longestReturn, programme?.hub.info?.kind == .live {
                jump(behind: Self.liveCushion)
            }
            checkFill()
        case .lost(let error):
            outputLostAt = outputLostAt ?? reactor.now
            drift.resettle()
            handle(.outputLost(Failure(error)))
            endWithoutOutput()
        case .heldByServer(let isHeld):
            handle(.held(isHeld))
            checkFill()
        case .moved(let device):
            view.device = device
            onEvent?(.moved(device: device))
        case .volume(let volume, let isMuted): (view.volume, view.isMuted) = (volume, isMuted)
        case .drained: handle(.drained)
        case .underrun, .started: break
        }
    }
}
