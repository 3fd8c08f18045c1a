// SPDX-License-Identifier: MIT

import Decoding
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
    /// Called with what happens to the sources of a queue.
    package var onSource: ((SourceEvent) -> Void)?

    /// While it is not known yet whether this is what is to be heard, it is received and stays silent.
    package var isHeldBack = false {
        didSet {
            guard isHeldBack != oldValue, !isHeldBack else { return }
            let marks = heldMarks
            heldMarks = []
            for mark in marks { passed(mark) }
            checkFill()
        }
    }
    /// What begins with the first sample that is held back.
    private var heldMarks: [MarkBook.Mark] = []

    private let settings: PlayerSettings
    private let reactor: any Reactor
    private let voice: any VoiceControl
    private let book = MarkBook()
    private let lineup: Lineup
    private let waitWatch: WaitWatch
    private var machine = PlaybackMachine()
    private var status = PlaybackStatus()
    private var cushion = Cushion()
    private var view = PlayerSnapshot()
    private var heard = HeardPlace()
    /// Since when there is no output, and how far behind the live edge playing was then.
    private var outputLoss: (at: MonotonicInstant, behind: Duration)?
    private var giveUpTimer: (any ReactorTimer)?
    private var startTimer: (any ReactorTimer)?
    private var closeTimer: (any ReactorTimer)?
    private var hasStarted = false
    private var isFinished = false
    private var hasToldStart = false

    /// After so long without a sound server a live programme goes on at its live edge.
    private static let longestReturn = Duration.seconds(10)
    /// So long before the first sound of a station its place is chosen anew.
    private static let startLead = Duration.seconds(1)
    /// A player that is no further behind the live edge follows what is on air.
    private static let nearEdge = Duration.seconds(60)
    /// So far behind the live edge it goes on there; stations deliver in lumps.
    private static let liveCushion = Duration.seconds(2)
    /// After so long a player that was stopped is over, whether it could fade or not.
    private static let longestFade = Duration.seconds(1)
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
        lineup = Lineup(pipe: voice.pipe, book: book, reactor: reactor)
        waitWatch = WaitWatch(reactor)
        view.isMuted = settings.isMuted
        bound.bind(self)
        waitWatch.onLongWait = { [weak self] in self?.tellWait() }
        lineup.onEvent = { [weak self] in self?.received($1, from: $0) }
        lineup.onArchived = { [weak self] source in
            if let self, source === lineup.current { handOver() }
        }
    }

    deinit { voice.shutDown() }

    /// Gets ready: what goes wrong with the sound from now on is told.
    package func begin() {
        if settings.isMuted { voice.send(.mute(true)) }
        handle(.begin)
        awaitStart()
    }

    /// A station that is to be heard from an instant on is heard from what is on air then.
    private func awaitStart() {
        guard let instant = startInstant else { return }
        let timer = reactor.makeTimer { [weak self] in
            if self?.lineup.current?.isFinite == false { self?.jump(behind: Self.liveCushion) }
        }
        timer.arm(at: instant - Self.startLead)
        startTimer = timer
    }

    /// Whoever has audio and nothing to play it on does not wait for ever. How long audio is waited for is its source's
    /// affair.
    private func awaitOutput() {
        guard let patience = settings.giveUp, giveUpTimer == nil else { return }
        let timer = reactor.makeTimer { [weak self] in self?.giveUp() }
        timer.arm(at: reactor.now + patience)
        giveUpTimer = timer
    }

    /// An output is opened with the first decoded audio: where nothing is wrong with it, there was none.
    private func giveUp() {
        let isServers = outputLoss != nil
        handle(.gaveUp(isServers ? Failure(SoundError.hangs) : Failure(DecodingError.failed("no frame of it is good"))))
    }

    /// Listens to a programme from now on; to one only.
    package func tune(to programme: any Programme) {
        guard lineup.current == nil else { return }
        lineup.begin(programme).attach(at: .behind(Self.liveCushion))
    }

    /// The programme has ended before it was tuned to.
    package func programmeFailed(_ failure: Failure?) { handle(.programmeEnded(failure)) }

    /// Ends with a fade, and says when it has.
    package func stop(_ reason: StopReason) { handle(.stop(reason)) }

    package var snapshot: PlayerSnapshot {
        var now = view
        now.status = status
        now.heard = heard.total
        now.behind = ahead ?? .zero
        if let source = lineup.heard, source.isFinite { (now.position, now.length) = (position, source.length) }
        now.correction = cushion.correction
        if status.state == .playing { now.beginsIn = startInstant.map { $0 - reactor.now } }
        return now
    }

    /// How much audio is at hand behind what is heard; nil where nothing is.
    private var ahead: Duration? {
        heard.place.flatMap { place in lineup.current.map { $0.reader.ahead(of: place) } }
    }

    package func perform(_ request: PlayRequest) {
        switch request {
        case .pause: handle(.pause)
        case .resume: resume()
        case .togglePause: if status.state == .paused { resume() } else { handle(.pause) }
        case .liveEdge: if lineup.current?.isFinite == false { jump(behind: Self.liveCushion) }
        case .seek(let distance): seek(by: distance)
        case .position(let position): seek(to: position)
        case .volume(let volume): setVolume(volume)
        case .changeVolume(let change): if let volume = view.volume { setVolume(volume + change) }
        case .toggleMute:
            view.isMuted.toggle()
            voice.send(.mute(view.isMuted))
        case .next, .previous, .setRepeat, .changeRepeat, .setShuffle, .toggleShuffle: break
        }
    }

    /// Of a station not to its very edge, where the next audio would have to be waited for.
    private func seek(by distance: Duration) {
        guard let ahead, let source = lineup.current else { return }
        guard !source.isFinite, ahead - distance < Self.liveCushion else { return jump(behind: ahead - distance) }
        if ahead > Self.liveCushion * 2 { jump(behind: Self.liveCushion) }
    }

    private func resume() {
        cushion.resettle()
        handle(.resume)
        checkFill()
    }

    private func setVolume(_ volume: Double) {
        let volume = max(0, min(1.5, volume))
        view.volume = volume
        voice.send(.volume(volume))
    }

    private func jump(behind distance: Duration, position: Duration? = nil) {
        guard let source = lineup.current else { return }
        source.reader.jump(behind: distance)
        (source.isPipeEnded, source.isHeardOut) = (false, false)
        cushion.jump(at: reactor.now)
        goOnElsewhere(position)
        handle(.jump)
        handOver()
    }

    /// What is at hand now is of another place.
    private func goOnElsewhere(_ position: Duration? = nil) {
        heard.jump(to: position)
        book.forgetAll()
        heldMarks = []
        lineup.hearCurrent()
    }
}

// MARK: - Sources, one after the other

extension Player {
    /// What happens to a source of a queue, by its id.
    package enum SourceEvent: Sendable {
        /// Its audio begins to be heard.
        case heard(Int)
        /// All of it has been received, or no more can be.
        case received(Int, Failure?)
        /// It cannot be decoded.
        case undecodable(Int, Failure)
    }

    /// Plays this from now on, and drops what was at hand; more may follow. Returns its id.
    package func play(_ programme: any Programme, _ passage: Passage) -> Int {
        let isJump = lineup.current != nil
        let source = lineup.replace(by: programme, passage)
        hasStarted = false
        cushion.restart()
        goOnElsewhere()
        view.title = nil
        if isJump { handle(.dropped) }
        handle(.programmeFollows)
        source.attach(at: .behind(Self.wholeRing))
        return source.id
    }

    /// Drops what was at hand: nothing is heard until something else is played.
    package func drop() {
        lineup.drop()
        hasStarted = false
        goOnElsewhere()
        handle(.dropped)
    }

    /// Plays this after what is played now, without a gap where there is none in the formats. Returns its id.
    package func follow(with programme: any Programme, _ passage: Passage) -> Int {
        let source = lineup.follow(by: programme, passage)
        handle(.programmeFollows)
        source.attach(at: .behind(Self.wholeRing))
        handOver()
        return source.id
    }

    /// What was to follow does not, where it has not begun; whether that is so.
    @discardableResult
    package func cancelFollower() -> Bool { lineup.cancelFollower() }

    /// What is at hand is heard to its end, and then it is over; with the failure where nothing could be played.
    package func nothingFollows(_ failure: Failure?) {
        lineup.close(failure)
        guard lineup.current?.hasAudio == true else { return handle(.programmeEnded(failure)) }
        handOver()
    }

    /// Something may follow after all. What was told of the end is taken back with what has not been heard, which is then
    /// handed over again.
    package func mayGoOn() {
        guard lineup.reopen(), let ahead else { return }
        handle(.programmeFollows)
        jump(behind: ahead)
    }

    /// To a position in what is heard. False where that is not in the ring.
    @discardableResult
    package func seek(to position: Duration) -> Bool {
        guard let source = lineup.current, source === lineup.heard, source.isFinite else { return false }
        let place = source.place(of: position)
        guard source.reader.reaches(place) else { return false }
        jump(behind: source.reader.ahead(of: place), position: position)
        return true
    }

    /// How far what is heard is into its item.
    package var position: Duration? {
        guard let source = lineup.heard else { return nil }
        return heard.place.map { source.position(at: $0) } ?? heard.sought ?? source.passage.start
    }

    /// The source that is heard, by its id.
    package var heardID: Int? { lineup.heard?.id }

    /// How far into its item a source has been received.
    package func received(_ id: Int) -> Duration? { lineup[id]?.received }

    /// More is known of a source.
    package func note(length: Duration?, of id: Int) { lineup[id]?.passage.length = length }

    /// The place at which a source begins that is heard from its start.
    private static let wholeRing = Duration.seconds(3_600)
}

// MARK: - The programme

extension Player {
    private func received(_ event: StreamEvent, from source: PlaySource) {
        guard !isFinished, source === lineup.current else { return }
        switch event {
        case .chunk: handOver()
        case .ended(let failure):
            handOver()
            if lineup.isOpen {
                if source === lineup.current { onSource?(.received(source.id, failure)) }
                return
            }
            // What is at hand comes first.
            if !source.hasAudio { handle(.programmeEnded(failure)) }
            endUnheard()
            tellRest()
        case .station(let info): voice.send(.title(info.name))
        case .format, .discontinuity, .splice, .stretch, .title, .airTime: break
        }
    }

    /// Beside a recording, nobody waits for a sound server, or for a key, only to hear the end of it.
    private func endUnheard() {
        guard settings.giveUp == nil, lineup.current?.hasEnded ?? false else { return }
        if status.state == .paused { return handle(.stop(.endOfStream)) }
        if outputLoss != nil { handle(.gaveUp(Failure(SoundError.hangs))) }
    }

    /// The last second or two nobody wonders about.
    private func tellRest() {
        guard status.state == .playing, let ahead, ahead > .seconds(3) else { return }
        onEvent?(.remaining(ahead))
    }

    private func begun() {
        hasStarted = true
        awaitOutput()
        cushion.begin(at: reactor.now)
        handle(.audioCame)
    }

    private func handOver() {
        guard !isFinished, let source = lineup.current else { return }
        if source.hasAudio, !hasStarted { begun() }
        let progress = lineup.handOver()
        if let next = progress.next {
            if next.hasEnded { onSource?(.received(next.id, next.failure)) }
            if next === lineup.current, next.hasAudio, !hasStarted { begun() }
        }
        if progress.isOver { handle(.programmeEnded(lineup.failure)) }
        voice.wake()
        checkFill()
    }

    /// Whether enough is at hand to go on, or why not.
    private func checkFill() {
        guard let source = lineup.current, hasStarted else { return }
        switch status.state {
        case .prebuffering, .rebuffering:
            if isEnough(of: source) { handle(.filled) } else { handle(.waiting(cause)) }
        case .idle, .opening, .playing, .paused, .draining, .stopping, .stopped: break
        }
    }

    private func isEnough(of source: PlaySource) -> Bool {
        if isHeldBack || source.reader.isReading { return false }
        // Before anything has been heard, everything that came is ahead.
        let ahead = source.reader.ahead(of: max(heard.place ?? .zero, source.reader.heardOrigin))
        if source.reader.isAtEnd || source.hasEnded && source.hasAudio { return !source.isHeardOut || !lineup.isOpen }
        guard ahead >= source.needed else { return false }
        return cushion.isEnough(ahead, at: reactor.now)
    }

    private func tellWait() {
        let isFirst = status.state == .prebuffering
        onEvent?(.buffering(cause, isFirst: isFirst))
    }

    /// Why no audio is at hand.
    private var cause: RebufferCause {
        guard let source = lineup.current, !source.hasEnded else { return .slow }
        let snapshot = source.programme.snapshot
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
            waitWatch.note(now.state)
            onEvent?(.status(now))
        }
        for order in orders { perform(order) }
    }

    private func perform(_ order: PlaybackMachine.Order) {
        switch order {
        case .sound:
            let start = startInstant
            voice.send(.sound(at: start))
            tellStart(start)
        case .hush: voice.send(.hush)
        case .close:
            voice.send(.close)
            // The sound thread may hang.
            let timer = reactor.makeTimer { [weak self] in self?.handle(.silent) }
            timer.arm(at: reactor.now + Self.longestFade)
            closeTimer = timer
        case .finish: finish()
        }
    }

    /// The instant of the first sound on the clock of the loop; nil where it may begin at once.
    private var startInstant: MonotonicInstant? {
        guard let start = settings.start else { return nil }
        let (now, wall) = reactor.readClocks()
        return start > wall ? now + (start - wall) : nil
    }

    /// Once, where somebody would wonder.
    private func tellStart(_ instant: MonotonicInstant?) {
        guard let wall = settings.start, let instant, !hasToldStart else { return }
        hasToldStart = true
        if instant - reactor.now > .seconds(2) { onEvent?(.begins(at: wall, in: instant - reactor.now)) }
    }

    private func finish() {
        guard !isFinished else { return }
        isFinished = true
        for timer in [giveUpTimer, startTimer, closeTimer] { timer?.cancel() }
        voice.shutDown()
        lineup.leaveAll()
        onFinish?()
    }
}

// MARK: - The voice

extension Player {
    /// Takes an event of the sound thread, on the loop. Ignores events about frames that a jump has dropped.
    package func heard(_ news: VoiceNews) {
        guard !isFinished, !news.isOfFrames || news.generation == voice.pipe.generation else { return }
        switch news.event {
        case .report(let report): note(report)
        case .passed(let mark): if let mark = book.take(mark) { isHeldBack ? heldMarks.append(mark) : passed(mark) }
        case .hungry: handOver()
        case .starved: starved()
        case .silent: handle(.silent)
        case .failed(let error, let source): failed(Failure(error), of: source)
        case .output(let event): heard(event)
        }
    }

    private func passed(_ mark: MarkBook.Mark) {
        switch mark {
        case .title(let title):
            guard title != view.title else { return }
            view.title = title
            voice.send(.title(title))
            onEvent?(.title(title))
        case .begin(let source):
            if lineup.heard !== source {
                view.title = nil
                if heard.place != nil { heard.advance(to: source.reader.heardOrigin) }
            }
            lineup.hear(source)
            if let name = source.programme.hub.info?.name { voice.send(.title(name)) }
            onSource?(.heard(source.id))
        }
    }

    private func failed(_ failure: Failure, of source: Int) {
        guard lineup.isOpen, let onSource else { return handle(.decodingFailed(failure)) }
        onSource(.undecodable(source, failure))
    }

    private func note(_ report: VoiceReport) {
        // Until its first audio is decoded, what is said is of the place before.
        heard.advance(to: max(report.heard, lineup.heard?.reader.heardOrigin ?? .zero))
        (view.format, view.loudness, view.damagedFrames) = (report.format, report.loudness, report.damagedFrames)
        handOver()
        guard status.state == .playing, let source = lineup.current else { return }
        cushion.played(at: reactor.now)
        guard source.programme.hub.info?.kind == .live, lineup.heard === source else { return }
        if let correction = cushion.observe(source.reader.ahead(of: report.heard), at: reactor.now) {
            voice.send(.rate(correction))
        }
    }

    private func outputOpened() {
        giveUpTimer?.cancel()
        giveUpTimer = nil
        let loss = outputLoss.take()
        handle(.outputOpened)
        // Who has paused, or listens to what aired long ago, goes on there.
        if let loss, reactor.now - loss.at > Self.longestReturn, loss.behind < Self.nearEdge, status.state != .paused,
            lineup.current?.programme.hub.info?.kind == .live
        {
            jump(behind: Self.liveCushion)
        }
        checkFill()
    }

    private func starved() {
        guard status.state == .playing else { return }
        // Before the next item of a queue there is a wait, and nothing was late.
        if lineup.isOpen, let source = lineup.current, source.reader.isAtEnd {
            source.isHeardOut = true
        } else {
            view.underruns += 1
            cushion.ranOut(at: reactor.now)
        }
        handle(.starved(cause))
        checkFill()
    }

    private func heard(_ event: SoundEvent) {
        switch event {
        case .opened: outputOpened()
        case .lost(let error):
            outputLoss = outputLoss ?? (reactor.now, ahead ?? .zero)
            cushion.resettle()
            if hasStarted { awaitOutput() }
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
