// SPDX-License-Identifier: MIT

import Decoding
package import EventLoop
import Instants
package import RadioCore
import SoundOutput
package import Stations

/// Plays a programme: a deck with a cursor in the ring, a state machine that decides when there is sound, and a voice
/// that makes it.
///
/// The player's state is independent of the station's: the station knows the player only as a sink of its hub.
package final class Player {
    /// Called with each event, in order.
    package var onEvent: ((PlayerEvent) -> Void)?
    /// Called once, when the player has stopped for good.
    package var onFinish: (() -> Void)?
    /// Called with each event of a queue's sources.
    package var onSource: ((SourceEvent) -> Void)?

    /// Whether audio is received but not played, because it is not yet known whether the user wants to hear it.
    package var isHeldBack: Bool {
        get { book.isHeld }
        set {
            guard newValue != isHeldBack else { return }
            guard !newValue else { return book.hold() }
            for cue in book.release() { passed(cue) }
            checkFill()
        }
    }

    private let settings: PlayerSettings
    private let reactor: any Reactor
    private let voice: any VoiceControl
    private let book = CueBook()
    private let deck: Deck
    private let waitWatch: WaitWatch
    private let output: OutputWatch
    private let scheduledStart: ScheduledStart
    private var machine = PlaybackMachine()
    private var status = PlaybackStatus()
    private var view = PlayerSnapshot()
    private var closeTimer: (any ReactorTimer)?
    private var isFinished = false

    /// How long a stopped player may take to fade; then it ends anyway.
    private static let longestFade = Duration.seconds(1)

    /// `makeVoice` gets the object to which the voice sends its events, from any thread. Throws what `makeVoice`
    /// throws.
    package init(
        _ settings: PlayerSettings, reactor: any Reactor,
        makeVoice: (LoopBound<Player>) throws(Failure) -> any VoiceControl
    ) throws(Failure) {
        self.settings = settings
        self.reactor = reactor
        let bound = LoopBound<Player>(reactor)
        voice = try makeVoice(bound)
        deck = Deck(voice.pipe, book, tolerance: settings.tolerance, reactor: reactor)
        waitWatch = WaitWatch(reactor)
        output = OutputWatch(patience: settings.giveUp, reactor: reactor)
        scheduledStart = ScheduledStart(at: settings.start, reactor: reactor)
        view.isMuted = settings.isMuted
        bound.bind(self)
        waitWatch.onLongWait = { [weak self] in self?.tellWait() }
        output.onGiveUp = { [weak self] in self?.giveUp() }
        // A station starts with what is on air at the scheduled instant.
        scheduledStart.onApproach = { [weak self] in self?.jumpToLiveEdge() }
        deck.onEvent = { [weak self] in self?.received($1, from: $0) }
        deck.onArchived = { [weak self] in self?.handOver() }
    }

    deinit { voice.shutDown() }

    /// Starts the player: errors of the sound output are reported from now on.
    package func begin() {
        if settings.isMuted { voice.send(.mute(true)) }
        handle(.begin)
        scheduledStart.begin()
    }

    /// Gives up waiting for an output. The output opens with the first decoded audio, so if it has reported no error,
    /// no frame could be decoded.
    private func giveUp() {
        let isServers = output.loss != nil
        handle(.gaveUp(isServers ? Failure(SoundError.hangs) : Failure(DecodingError.failed("no frame is decodable"))))
    }

    /// Plays `programme`; ignored if there is a programme already.
    package func tune(to programme: Programme) {
        guard deck.current == nil else { return }
        deck.tune(to: programme)
    }

    /// Fails, because the programme has ended before it was tuned to.
    package func programmeFailed(_ failure: Failure?) { handle(.programmeEnded(failure)) }

    /// Stops with a fade; ``onFinish`` is called when that is over.
    package func stop(_ reason: PlaybackStopReason) { handle(.stop(reason)) }

    package var snapshot: PlayerSnapshot {
        var now = view
        now.status = status
        now.heard = deck.heardTotal
        now.behind = deck.ahead ?? .zero
        if let source = deck.heardSource, source.isFinite {
            (now.position, now.length) = (deck.position, source.length)
        }
        (now.correction, now.skipped) = (deck.correction, deck.skipped)
        if status.state == .playing { now.beginsIn = scheduledStart.remaining }
        return now
    }

    package func perform(_ request: PlayRequest) {
        switch request {
        case .pause: handle(.pause)
        case .resume: resume()
        case .togglePause: if status.state == .paused { resume() } else { handle(.pause) }
        case .liveEdge:
            guard deck.current?.isFinite == false else { return }
            jumpToLiveEdge()
            // The request for the live edge also ends a pause, because the user wants to hear what is on air.
            if status.state == .paused { resume() }
        case .seek(let distance): if let behind = deck.distance(seekingBy: distance) { jump(behind: behind) }
        case .position(let position): seek(to: position)
        case .volume(let volume): setVolume(volume)
        case .changeVolume(let change): if let volume = view.volume { setVolume(volume + change) }
        case .toggleMute:
            view.isMuted.toggle()
            voice.send(.mute(view.isMuted))
        case .next, .previous, .setRepeat, .changeRepeat, .setShuffle, .toggleShuffle: break
        }
    }

    private func jumpToLiveEdge() {
        // Does nothing while the end of the previous item is still being heard.
        if deck.current?.isFinite == false, deck.isAtHeardSource { jump(behind: deck.liveCushion) }
    }

    private func resume() {
        deck.resettle()
        handle(.resume)
        checkFill()
    }

    private func setVolume(_ volume: Double) {
        let volume = max(0, min(1.5, volume))
        view.volume = volume
        voice.send(.volume(volume))
    }

    private func jump(behind distance: Duration, to position: Duration? = nil) {
        guard deck.current != nil else { return }
        deck.jump(behind: distance, to: position)
        handle(.jump)
        handOver()
    }
}

// MARK: - Sources, one after the other

extension Player {
    /// Plays a programme immediately, discarding all queued audio; other programmes may follow. Returns the id of its
    /// source.
    package func play(_ programme: Programme, _ passage: Passage) -> Int {
        let isJump = deck.current != nil
        output.stop()
        let source = deck.replace(by: programme, passage)
        view.title = nil
        if isJump { handle(.dropped) }
        handle(.programmeFollows)
        source.attach(at: .oldest)
        return source.id
    }

    /// Discards all queued audio: nothing is heard until another programme is played.
    package func drop() {
        output.stop()
        deck.drop()
        handle(.dropped)
    }

    /// Plays a programme after the current one, without a gap if their formats allow. Returns the id of its source.
    package func follow(with programme: Programme, _ passage: Passage) -> Int {
        let source = deck.follow(by: programme, passage)
        handle(.programmeFollows)
        source.attach(at: .oldest)
        handOver()
        return source.id
    }

    /// Cancels the programme that follows. Returns false if there is none, or if its frames are being handed over
    /// already.
    @discardableResult
    package func cancelFollower() -> Bool { deck.cancelFollower() }

    /// Ends the queue once the audio received so far has been heard; `failure` is why, if nothing could be played.
    package func nothingFollows(_ failure: Failure?) {
        deck.close(failure)
        // If the last item fails after the pipe was ended, only the failure remains to be reported.
        guard let source = deck.current, deck.hasStarted, source.end?.tail != .pipeEnded else {
            return handle(.programmeEnded(failure))
        }
        handOver()
    }

    /// Reverts ``nothingFollows(_:)`` if it was called. If the pipe has been ended already, drops all audio not yet
    /// heard and hands it over again. Returns false if that is impossible because the previous item is still being
    /// heard, and its audio is no longer at hand.
    package func mayProceed() -> Bool {
        guard deck.current?.end?.tail == .pipeEnded else {
            if deck.reopen() { handle(.programmeFollows) }
            return true
        }
        let position = deck.position
        guard deck.isAtHeardSource, let distance = deck.ahead ?? position.flatMap({ deck.distance(to: $0) }),
            deck.reopen()
        else { return false }
        handle(.programmeFollows)
        jump(behind: distance, to: position)
        return true
    }

    /// Seeks to a position in the item being heard. Returns false if the position is not in the ring.
    @discardableResult
    package func seek(to position: Duration) -> Bool {
        guard let distance = deck.distance(to: position) else { return false }
        jump(behind: distance, to: position)
        return true
    }

    /// The position in its item up to which a source has been received.
    package func received(_ id: Int) -> Duration? { deck[id]?.received }

    /// Sets the length of a source's item.
    package func note(length: Duration?, of id: Int) { deck[id]?.passage.length = length }
}

// MARK: - The programme

extension Player {
    private func received(_ event: StreamEvent, from source: PlaySource) {
        guard !isFinished, source === deck.current else { return }
        switch event {
        case .chunk: handOver()
        case .ended(let failure):
            handOver()
            if deck.isOpen {
                if source === deck.current { onSource?(.received(source.id, failure)) }
                return
            }
            // Audio already received is played first.
            if !source.hasAudio { handle(.programmeEnded(failure)) }
            endUnheard()
            tellRest()
        case .station: if source === deck.heardSource { announce() }
        case .format, .discontinuity, .hole, .splice, .stretch, .found, .title, .airTime: break
        }
    }

    /// Stops the player if the programme has ended while the player is paused or has no output: otherwise it would wait
    /// only to play the rest. Does this only for a player that may wait for ever (beside a recording).
    private func endUnheard() {
        guard settings.giveUp == nil, deck.current?.hasEnded ?? false else { return }
        if status.state == .paused { return handle(.stop(.endOfStream)) }
        if output.loss != nil { handle(.gaveUp(Failure(SoundError.hangs))) }
    }

    /// Reports how much audio is left at the end of the programme, unless that is only a few seconds.
    private func tellRest() {
        guard status.state == .playing, let ahead = deck.ahead, ahead > .seconds(3) else { return }
        onEvent?(.remaining(ahead))
    }

    private func handOver() {
        guard !isFinished else { return }
        noteFirstAudio()
        switch deck.handOver() {
        case .same: break
        case .next(let next):
            if let end = next.end { onSource?(.received(next.id, end.failure)) }
            noteFirstAudio()
        case .over: handle(.programmeEnded(deck.failure))
        }
        voice.wake()
        checkFill()
    }

    private func noteFirstAudio() {
        guard deck.noteFirstAudio() else { return }
        output.audioWaits()
        handle(.audioCame)
    }

    /// Tells the state machine whether enough audio is buffered, or why not.
    private func checkFill() {
        guard deck.hasStarted, deck.current != nil else { return }
        switch status.state {
        case .prebuffering, .rebuffering:
            if deck.isEnough() { handle(.filled) } else { handle(.waiting(deck.cause)) }
        case .idle, .opening, .playing, .paused, .draining, .stopping, .stopped: break
        }
    }

    private func tellWait() {
        let isFirst = status.state == .prebuffering
        onEvent?(.buffering(deck.cause, isFirst: isFirst))
    }
}

// MARK: - The machine

extension Player {
    private func handle(_ event: PlaybackMachine.Event) {
        let orders = machine.handle(event)
        let now = machine.status
        if now != status {
            status = now
            waitWatch.note(now.state)
            onEvent?(.status(now))
        }
        for order in orders { perform(order) }
    }

    private func perform(_ order: PlaybackMachine.Order) {
        switch order {
        case .sound:
            voice.send(.sound(at: scheduledStart.instant))
            if let notice = scheduledStart.takeNotice() { onEvent?(notice) }
        case .hush: voice.send(.hush)
        case .close:
            voice.send(.close)
            // The fade has a time limit, because the sound thread may hang.
            let timer = reactor.makeTimer { [weak self] in self?.handle(.silent) }
            timer.arm(at: reactor.now + Self.longestFade)
            closeTimer = timer
        case .finish: finish()
        }
    }

    private func finish() {
        guard !isFinished else { return }
        isFinished = true
        closeTimer?.cancel()
        output.stop()
        scheduledStart.stop()
        voice.shutDown()
        deck.leaveAll()
        onFinish?()
    }
}

// MARK: - The voice

extension Player {
    /// Takes an event of the sound thread, on the loop. Ignores events about frames that a jump has dropped.
    package func heard(_ notice: VoiceNotice) {
        guard !isFinished, !notice.isOfFrames || notice.generation == voice.pipe.generation else { return }
        switch notice.event {
        case .report(let report): note(report)
        case .passed(let cue): if let cue = book.take(cue) { passed(cue) }
        case .hungry: handOver()
        case .starved: starved()
        case .silent: handle(.silent)
        case .failed(let error, let source): failed(Failure(error), of: source)
        case .output(let event): heard(event)
        }
    }

    private func passed(_ cue: CueBook.Cue) {
        switch cue {
        case .title(let title):
            guard title != view.title ?? "" else { return }
            view.title = title.isEmpty ? nil : title
            announce()
            onEvent?(.title(title))
        case .begin(let source, let place):
            source.beginning = .heard
            if deck.hear(source, at: place) { view.title = nil }
            announce()
            onSource?(.heard(source.id))
        }
    }

    /// Makes the sound server show the title of the audio being heard, or the name of its station if there is no title.
    private func announce() {
        voice.send(.title(view.title ?? deck.heardSource?.programme.hub.info?.name ?? ""))
    }

    private func failed(_ failure: Failure, of source: Int) {
        guard let onSource else { return handle(.decodingFailed(failure)) }
        onSource(.undecodable(source, failure))
    }

    private func note(_ report: VoiceReport) {
        deck.advance(to: report.heard)
        (view.format, view.loudness, view.damagedFrames) = (report.format, report.loudness, report.damagedFrames)
        handOver()
        guard status.state == .playing, let correction = deck.played(to: report.heard) else { return }
        voice.send(.rate(correction))
    }

    private func outputOpened() {
        let loss = output.opened()
        handle(.outputOpened)
        // A paused player resumes where it was.
        if let loss, loss.leadsToLiveEdge(reactor.now), status.state != .paused, deck.current?.isLive == true {
            jumpToLiveEdge()
        }
        checkFill()
    }

    private func starved() {
        guard status.state == .playing else { return }
        if deck.ranOut() { view.underruns += 1 }
        handle(.starved(deck.cause))
        checkFill()
    }

    private func heard(_ event: SoundEvent) {
        switch event {
        case .opened: outputOpened()
        case .lost(let error):
            output.lost(behind: deck.ahead ?? .zero)
            deck.resettle()
            if deck.hasStarted { output.audioWaits() }
            handle(.outputLost(Failure(error)))
            endUnheard()
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
