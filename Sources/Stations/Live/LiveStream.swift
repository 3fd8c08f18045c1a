// SPDX-License-Identifier: MIT

package import CurlClient
package import EventLoop
import Instants
package import RadioCore
import RadioFormats

/// A live stream: runs the connection machine of one station. Confined to the loop's thread.
///
/// Decisions are made in ``ConnectionMachine`` and in the splicer. The stream tells the machine what happens on its
/// connections, and opens and closes them as the machine demands. The ``Junction`` decides which of their frames join the
/// ``Trunk``, and when.
final class LiveStream {
    private let settings: StationSettings
    private let client: any HTTPClient
    private let reactor: any Reactor
    private let group: StationGroup?
    private let hub: StreamHub
    private let trunk: Trunk
    private let junction: Junction
    private let faults = StreamFaults()
    private var machine: ConnectionMachine
    private var timer: LazyTimer?
    private var addresses: Addresses
    private var evidence = FileEvidence()
    /// When new audio last reached the hub.
    private var lastNewAudio: MonotonicInstant?

    /// Half of the time until a hedge: while a station sends at least once a second, its deliveries move the timer
    /// before it fires. The slack is also long enough that not every delivery rearms the timer.
    private static let timerSlack = Duration.seconds(1)

    fileprivate init(
        _ settings: StationSettings, _ client: any HTTPClient, _ reactor: any Reactor, _ group: StationGroup?,
        into trunk: Trunk
    ) {
        self.settings = settings
        self.client = client
        self.reactor = reactor
        self.group = group
        (hub, self.trunk) = (trunk.hub, trunk)
        addresses = Addresses(
            settings.urls, options: settings.options, allowsPrivateAddress: settings.allowsPrivateAddress,
            cookies: settings.cookies, isAnyEntryAllowed: settings.takesAnyEntry,
            choice: settings.choice)
        junction = Junction(hub, trunk, reactor)
        let name =
            AddressText(settings.urls.first ?? "").redacted + (settings.urls.count > 1 ? " (or a mirror of it)" : "")
        machine = ConnectionMachine(
            mirrors: addresses.mirrors.count, name: name, giveUp: settings.giveUp, seed: settings.seed,
            limits: settings.limits)
        machine.mayHedge = settings.allowsHedge
        junction.delegate = self
        trunk.onJoin = { [weak self] in self?.joined($0, isMatch: $1) }
        trunk.onRelease = { [weak self] in self?.released(isBack: $0) }
        group?.add(self)
    }
}

extension Programme {
    /// Receives a station. All stations of a process share a group, which limits how many are hedged at once. The first
    /// frame is at `start`.
    package convenience init(
        settings: StationSettings, client: any HTTPClient, reactor: any Reactor, group: StationGroup? = nil,
        from start: Position = Position()
    ) {
        self.init(from: start, reactor: reactor) { LiveStream(settings, client, reactor, group, into: $0) }
    }
}

// MARK: - Source

extension LiveStream: Source {
    func begin() {
        timer = LazyTimer(reactor, slack: Self.timerSlack) { [weak self] in self?.timerFired() }
        perform(machine.start(reactor.now))
    }

    func stop() {
        if let stall = stall(reactor.now), !trunk.isMissingAudio { trunk.noteOutage(stall) }
        if let restOfFile { hub.report(.gap(restOfFile)) }
        perform(machine.requestStop())
    }

    func collect(then done: @escaping () -> Void) { junction.collect(then: done) }

    var openGap: Gap? { trunk.gap(orAfter: stall(reactor.now)) ?? restOfFile }

    /// The rest of a file that broke off, as a gap; nil while a connection delivers it.
    private var restOfFile: Gap? { machine.isLive ? nil : machine.lastFailure.flatMap(trunk.restOfFile) }

    /// The failure of a stalled connection; nil if its silence is too short for a stall. Such a silence means missing
    /// audio, even if no timer has fired for it yet.
    private func stall(_ now: MonotonicInstant) -> Failure? {
        machine.silence(now) >= machine.hedgeDelay ? ConnectionMachine.stalled : nil
    }

    /// Retries unreachable addresses at once.
    func networkChanged() { perform(machine.networkChanged(reactor.now)) }

    /// Retries, because a certificate may be valid by the new date.
    func clockStepped() { perform(machine.clockStepped(reactor.now)) }

    var isRemote: Bool { true }

    var reached: StationSettings? {
        junction.first?.upstream.reached.map { addresses.settings(settings, reaching: $0) }
    }

    func describe(in snapshot: inout StationSnapshot) {
        let now = reactor.now
        snapshot.isDelivering = machine.isLive && junction.isOpen && !trunk.isMissingAudio
        snapshot.activity = Activity(machine, isDelivering: snapshot.isDelivering, at: now)
        (snapshot.lastFailure, snapshot.silence) = (machine.lastFailure, machine.silence(now))
        (snapshot.reconnects, snapshot.hedges) = (machine.reconnects, machine.hedges)
        (snapshot.skipped, snapshot.wrongChecksums) = (faults.skippedBytes, faults.wrongChecksums)
        (snapshot.burst, snapshot.drift) = (junction.first?.burst, trunk.drift)
        (snapshot.playlists, snapshot.addresses) = (addresses.mirrors.playlists, addresses.mirrors.count)
        if case .stopped(.finished) = machine.state { snapshot.info?.kind = .finite }
        snapshot.damage = faults.damage
        snapshot.ring = StationSnapshot.RingFigures(hub.ring)
        snapshot.outrunsStations = evidence.outrunsStations
        snapshot.sinceAudio = lastNewAudio.map { now - $0 }
    }
}

// MARK: - For the group

extension LiveStream {
    var shouldDeliver: Bool { machine.shouldDeliver }
    var isHedged: Bool { machine.isHedged }
    var isSilent: Bool { machine.isSilent(reactor.now) }
}

// MARK: - Actions of the machine

extension LiveStream {
    /// Carries out an action, then arms the timer for the next deadline.
    private func perform(_ action: ConnectionMachine.Action) {
        carryOut(action)
        armTimer()
    }

    /// Carries out an action without arming the timer. One delivery may lead to several actions; the caller arms it
    /// once.
    private func carryOut(_ action: ConnectionMachine.Action) {
        switch action {
        case .none:
            break
        case .connect(let attempt):
            junction.closeBoth()
            // Deferred, because this method may run in a callback of the old connection.
            reactor.defer { [weak self] in self?.connect(attempt) }
        case .openHedge(let attempt):
            junction.closeHedge()
            reactor.defer { [weak self] in self?.openHedge(attempt) }
        case .closeHedge:
            junction.closeHedge()
        case .promote(let attempt):
            promote(attempt)
        case .wait:
            junction.closeBoth()
            if let old = addresses.mirrors.forgetPlaylists(reactor.now) {
                machine.replaceMirrors(old)
                machine.set(addresses.standings)
            }
        case .stop(let reason):
            junction.closeBoth(isLast: true)
            timer?.cancel()
            switch reason {
            case .requested, .finished: trunk.end(nil)
            case .gaveUp(let failure): trunk.end(failure)
            }
        }
    }

    private func target(_ attempt: ConnectionMachine.Attempt) -> Upstream.Target {
        var target = addresses.target(attempt)
        target.isNew = !hub.hasAudio
        return target
    }

    private func connect(_ attempt: ConnectionMachine.Attempt) {
        guard machine.attempt == attempt else { return }
        let target = target(attempt)
        trunk.onNotice?(.connecting(url: AddressText(target.url).redacted, attempt: attempt.number))
        // An interrupted file keeps its `StationConnection`, in which it is requested again.
        if let first = junction.first { return first.reopen(attempt.number) }
        junction.open(first: makeConnection(attempt, target))
    }

    private func openHedge(_ attempt: ConnectionMachine.Attempt) {
        guard machine.connection(.hedge)?.attempt == attempt else { return }
        let target = target(attempt)
        let url = AddressText(target.url).redacted
        trunk.onNotice?(machine.isReturning ? .returning(url: url) : .hedging(url: url, hasStalled: machine.isLive))
        junction.open(hedge: makeConnection(attempt, target))
    }

    private func promote(_ attempt: ConnectionMachine.Attempt) {
        guard junction.promoteHedge(attempt.number), let connection = junction.first else {
            // The hedge had not been opened yet.
            return reactor.defer { [weak self] in self?.connect(attempt) }
        }
        addresses.led(to: connection.upstream)
        prove(connection, .first)
        junction.decide(connection, reactor.now)
    }

    private func makeConnection(_ attempt: ConnectionMachine.Attempt, _ target: Upstream.Target) -> StationConnection {
        var settings = settings
        // If a live station answers with a file once, such as an announcement, it is still a station.
        if hub.hasAudio, hub.info?.kind == .live { settings.allowsFinite = false }
        let upstream = Upstream(
            target, settings: settings, client: client, reactor: reactor, faults: faults, delegate: self)
        upstream.relayFields = trunk.programme?.requestFields ?? { [] }
        upstream.onUnread = { [weak trunk] in trunk?.programme?.onUnread?($0) ?? false }
        upstream.onBeginning = { [weak trunk] in trunk?.programme?.onBeginning?($0) }
        let mirror = addresses.mirrors[attempt.mirror].url
        let joint = trunk.makeJoint { [weak self] in self?.evidence.file(of: $0) != nil }
        let connection = StationConnection(attempt.number, mirror: mirror, upstream, joint)
        connection.entry = addresses.entry(attempt.mirror)
        prove(connection, machine.attempt == attempt ? .first : .hedge)
        return connection
    }
}

// MARK: - Timers

extension LiveStream {
    private func timerFired() {
        let now = reactor.now
        if let hedge = junction.hedge, machine.hedgeMayDecide(now) { junction.decide(hedge, now) }
        for connection in [junction.first, junction.hedge].compactMap(\.self)
        where connection.deadline.map({ $0 <= now }) ?? false {
            let wasFirst = junction.first === connection
            junction.decide(connection, now)
            // Held frames were released just now. They count as a delivery of the first connection, because the hedge
            // has been compared only with the frames before them.
            if wasFirst, junction.first === connection, junction.isOpen {
                perform(machine.frames(.first, now))
                closeNeedlessHedge()
            }
        }
        noteNewAudio(now)
        let wasTrying = machine.attempt != nil
        let wasReturning = machine.isReturning
        let action = machine.tick(now, hedgeAllowed: group?.allowsHedge ?? true)
        if wasTrying, !wasReturning || action != .closeHedge { report(machine.lastFailure, action, now) }
        perform(action)
    }

    /// Arms the timer for the earliest of all deadlines.
    private func armTimer() {
        let deadline = MonotonicInstant.earliest(machine.wakeUp(after: reactor.now), junction.deadline)
        if let deadline { timer?.arm(at: deadline) }
    }

    /// Handles the release of frames that waited after a silence. `isBack`: the first connection delivers steadily
    /// again.
    private func released(isBack: Bool) {
        junction.released(reactor.now)
        if isBack { firstIsBack() }
        noteNewAudio(reactor.now)
        armTimer()
    }

    /// Handles a delivery of the first connection. The caller arms the timer.
    private func firstIsBack() {
        junction.firstIsBack()
        closeNeedlessHedge()
    }

    /// Closes the hedge beside a first connection that delivers, once it is known that nothing is missing. The caller
    /// arms the timer.
    private func closeNeedlessHedge() {
        if !junction.isExamining { carryOut(machine.recovered()) }
    }

    /// Tells the connection machine if new audio has reached the hub.
    private func noteNewAudio(_ now: MonotonicInstant) {
        guard trunk.takeNewFrames() else { return }
        machine.heard(now)
        lastNewAudio = now
    }
}

// MARK: - JunctionDelegate

extension LiveStream: JunctionDelegate {
    var lastFailure: Failure? { machine.lastFailure }

    func hedgeContinues(_ now: MonotonicInstant) { perform(machine.matched(now)) }

    func delivers(burst: Duration?, pause: Duration?) -> (hedgeDelay: Duration, usualSilence: Duration) {
        machine.measured(burst: burst, pause: pause)
        return (machine.hedgeDelay, machine.usualSilence)
    }
}

// MARK: - UpstreamDelegate

extension LiveStream: UpstreamDelegate {
    func upstream(_ upstream: Upstream, _ event: UpstreamEvent) {
        let now = reactor.now
        if case .ended(.complete) = event, let hedge = junction.hedge, hedge.upstream === upstream {
            // The hedge's body is complete, so no further frames will come to base the decision on.
            junction.decide(hedge, now)
        }
        guard let (connection, role) = junction.connection(of: upstream) else { return }
        switch event {
        case .entered(let phase): machine.entered(phase, role, now)
        case .answered(let head):
            addresses.keepCookies(of: head, sent: upstream.sentCookies)
            return trunk.onNotice?(.answered(ServerAnswer(head))) ?? ()
        case .accepted(let info): accepted(info, connection, role, now)
        case .firstByte: machine.firstByte(role, now)
        case .goesOver: machine.goesOver(role, now)
        case .turnsOutLive(let failure): return turnsOutLive(connection, failure, now)
        case .delivered: return delivered(connection, role)
        case .bodyIsOver:
            guard !junction.endsBeside(connection, now) else { return }
            upstream.flush()
            // The last bytes may have ended the connection, so the connection is looked up again by its upstream.
            return self.upstream(upstream, .delivered)
        case .ended(let end): return ended(connection, role, end, now)
        }
        armTimer()
    }

    private func accepted(
        _ info: StationInfo, _ connection: StationConnection, _ role: ConnectionMachine.Role, _ now: MonotonicInstant
    ) {
        if role == .first { addresses.led(to: connection.upstream) }
        if connection.upstream.hasCredentials { machine.mayHedge = false }
        addresses.answered(connection.mirror, name: info.icyName)
        machine.set(addresses.standings)
        prove(connection, role)
        if addresses.isRefused(connection.mirror) {
            connection.upstream.close()
            return ended(connection, role, .failed(otherStation(connection, info)), now)
        }
        machine.accepted(role, info.kind, finalURLDiffers: connection.upstream.movedTo != nil, now)
        // An interrupted file resumes in the same `StationConnection`.
        if role == .first, connection.joint.isOpen {
            evidence.continued()
            trunk.onNotice?(.live(again: true))
        }
        connection.accepted(info, now)
    }

    private func delivered(_ connection: StationConnection, _ role: ConnectionMachine.Role) {
        guard connection.takeNewFrames() else {
            if role == .first { junction.received(reactor.now) }
            return
        }
        let clocks = reactor.readClocks()
        let now = clocks.now
        connection.arrived(now)
        if let bytes = faults.takeAttachments() { trunk.onNotice?(.attachmentsLeftOut(bytes: bytes)) }
        if let info = connection.upstream.info { evidence.delivered(info, connection.pace, now, clocks.wall) }
        carryOut(machine.frames(role, now, mayMatch: connection.joint.mayMatch))
        switch role {
        case .first:
            junction.decide(connection, now)
            if junction.first === connection { firstIsBack() }
        case .hedge:
            // The action may have promoted the hedge. Only a first connection is decided on at once, even if that makes
            // a gap.
            if machine.hedgeMayDecide(now) || junction.first === connection { junction.decide(connection, now) }
        }
        noteNewAudio(now)
        armTimer()
    }

    private func ended(
        _ connection: StationConnection, _ role: ConnectionMachine.Role, _ end: UpstreamEnd, _ now: MonotonicInstant
    ) {
        guard let attempt = machine.connection(role)?.attempt else { return }
        if role == .first {
            junction.announceFirst()
            if end == .complete { concludeFile(connection) }
            // A receiver of the frames may have stopped the station.
            guard junction.first === connection else { return }
        }
        let url = AddressText(addresses.mirrors[attempt.mirror].url).redacted
        let verdict = evidence.verdict(
            at: end, of: connection.body, role, from: url, settings,
            leadsOn: addresses.leadsOn(from: connection.mirror), isAfterOpener: trunk.isAfterOpener,
            reconnects: machine.reconnects, frames: hub.position.frames, now)
        let isReturn = machine.connection(role)?.isReturn == true
        let failure: Failure?
        switch (end, verdict) {
        case (_, .wholeFile):
            junction.closeOthers()
            // Files before it, and no station: that is not what a list is recorded for.
            return perform(machine.finished(addresses.hasOpener ? .onlyFiles(at: url) : nil))
        case (_, .opener(let place)):
            return passOpener(connection, from: place, now)
        case (_, .found(let file, let place)):
            // If a station was heard before, the file, for example an announcement that it is off the air, is marked.
            if let place { trunk.markForeign(from: place) }
            failure = addresses.found(file, attempt)
        case (.playlist(let list), .none) where addresses.follow(list.entries, connection.upstream, attempt, now):
            return followed(list, at: url, role, now)
        case (_, .none):
            if case .noFile = end { turnOutLive(now) }
            failure = addresses.learn(from: end, attempt, wasHeard: hub.hasAudio, now)
        }
        let action = machine.ended(role, failure, now)
        if !isReturn || action != .closeHedge {
            report(machine.lastFailure, action, now)
            if role == .hedge, action == .closeHedge { junction.keep(connection) }
        }
        perform(action)
    }

    private func followed(
        _ list: Playlist, at url: String, _ role: ConnectionMachine.Role, _ now: MonotonicInstant
    ) {
        if addresses.mirrors.note(playlist: url) {
            let ignored = EntryOptions.ignored(in: list.entries.map(\.options))
            trunk.onNotice?(
                .followedPlaylist(
                    url: url, entries: list.entries.count, leftOut: list.leftOut, ignoredOptions: ignored))
        }
        if addresses.mirrors.contains(where: settings.hasCredentials) { machine.mayHedge = false }
        perform(machine.follow(role, mirrors: addresses.mirrors.count, standings: addresses.standings, now))
    }

    /// Reports the end of a connection while the station continues: to the log, and as the cause of a possible gap.
    private func report(_ failure: Failure?, _ action: ConnectionMachine.Action, _ now: MonotonicInstant) {
        switch action {
        case .none, .stop, .openHedge: return
        case .closeHedge where machine.isLive:
            // The first connection may still recover: nothing is missing yet.
            if let failure { trunk.onNotice?(.hedgeFailed(failure)) }
            return
        case .promote, .closeHedge: break
        case .connect, .wait: junction.concludeFirst()
        }
        guard let failure else { return }
        if junction.first?.upstream.isResumable == true { evidence.brokeOff(failure, reactor.wallNow) }
        hub.flush()
        trunk.noteOutage(failure)
        let delay: Duration = if case .waiting(let until) = machine.state { until - now } else { .zero }
        trunk.onNotice?(.failed(failure, retryIn: delay))
    }
}

// MARK: - The entries of a list

extension LiveStream {
    /// Notes what is known of the station that a connection carries, until its frames decide.
    private func prove(_ connection: StationConnection, _ role: ConnectionMachine.Role) {
        guard !connection.joint.isDecided else { return }
        connection.isBetter = addresses.isBetter(connection.mirror)
        var isRenamed = false
        if let answer = connection.upstream.info, let current = hub.info, hub.hasAudio, current.kind == .live,
            !trunk.isAfterOpener
        {
            isRenamed = addresses.isRenamed(connection.mirror, answer, current)
        }
        connection.joint.proof = addresses.proof(
            of: connection.mirror, for: role, isReturning: machine.isReturning, isRenamed: isRenamed)
        if role == .first { trunk.findPlace(of: connection) }
    }

    /// Notes that a connection's frames are the programme from now on.
    private func joined(_ connection: StationConnection, isMatch: Bool) {
        evidence.joined(connection.joint.trace, at: connection.place)
        let before = addresses.choice
        addresses.plays(connection.mirror, name: connection.upstream.info?.icyName, isMatch: isMatch)
        machine.set(addresses.standings)
        tellChoice(unless: before)
    }

    /// Reports the entry of the list that is the station, unless it is that of before.
    private func tellChoice(unless before: ListChoice?) {
        guard let choice = addresses.choice, choice != before else { return }
        trunk.onNotice?(.chose(choice, insteadOf: addresses.takeLostChoice()))
    }

    func isStranger(_ connection: StationConnection) {
        guard let (_, role) = junction.connection(of: connection.upstream) else { return }
        // So much audio has come from the better entry that it need not be waited for any longer.
        if role == .hedge, machine.isReturning { return perform(machine.matched(reactor.now)) }
        if let file = evidence.file(of: connection.joint.trace) {
            connection.upstream.close()
            return ended(connection, role, .failed(file.failure), reactor.now)
        }
        addresses.isStranger(connection.mirror)
        machine.set(addresses.standings)
        connection.upstream.close()
        ended(connection, role, .failed(otherStation(connection, connection.upstream.info)), reactor.now)
    }

    private func otherStation(_ connection: StationConnection, _ info: StationInfo?) -> Failure {
        .otherStation(connection.mirror, info?.icyName, hub.info?.name ?? addresses.chosenName)
    }

    /// Goes on with the next entry of the list.
    private func passOpener(_ connection: StationConnection, from place: FramePlace?, _ now: MonotonicInstant) {
        junction.concludeFirst()
        // A receiver of the frames may have stopped the station.
        guard junction.first === connection else { return }
        let before = addresses.choice
        addresses.playedOpener(connection.mirror)
        tellChoice(unless: before)
        evidence = FileEvidence()
        trunk.programme?.dropPauses()
        junction.dismissFirst(from: place ?? connection.place)
        machine.set(addresses.standings)
        perform(machine.playedOpener(now))
    }
}

// MARK: - Files

extension LiveStream {
    /// Lets a file that has ended join the programme: only when all of its frames are delivered is it known whether
    /// they continue the programme. A known file is kept already.
    private func concludeFile(_ connection: StationConnection) {
        if connection.place == nil, evidence.file(of: connection.joint.trace) != nil {
            connection.joint.discard()
        } else if evidence.isFile(connection.body) {
            junction.concludeFirst()
        }
    }

    /// Treats the bytes that follow an interrupted file as a live station's audio, on the same connection.
    private func turnsOutLive(_ connection: StationConnection, _ failure: Failure, _ now: MonotonicInstant) {
        guard junction.first === connection else { return }
        hub.flush()
        turnOutLive(now)
        trunk.noteOutage(failure)
        trunk.onNotice?(.failed(failure, retryIn: .zero))
        // A notice handler may have stopped the station.
        if junction.first === connection { junction.restartFirst() }
    }

    /// Reclassifies a supposed file as a live station, because it broke off and was not resumed.
    private func turnOutLive(_ now: MonotonicInstant) {
        if var info = hub.info {
            info.kind = .live
            hub.announce(info)
        }
        trunk.programme?.dropPauses()
        machine.turnsOutLive()
        if let old = evidence.takeBreak() { trunk.noteOutage(old) }
    }
}

// MARK: - Pauses

extension LiveStream {
    var canPause: Bool {
        guard let connection = junction.first else { return false }
        return hub.info?.kind == .finite || evidence.isFasterThanStations(connection.pace)
    }

    func pause() {
        junction.first?.upstream.pause()
        junction.first?.heldBack()
        machine.paused(true, reactor.now)
    }

    func resume() {
        machine.paused(false, reactor.now)
        junction.first?.upstream.resume()
        armTimer()
    }
}
