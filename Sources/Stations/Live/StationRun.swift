// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats

/// What is known of a station in one run: its addresses, its connection machine, and whether it may be a file.
///
/// One source uses it at a time, and hands it on to the source that takes its place.
final class StationRun {
    /// The source that has begun last.
    weak var source: (any StationSource)?
    let settings: StationSettings
    let client: any HTTPClient
    let reactor: any Reactor
    let group: StationGroup?
    let trunk: Trunk
    let faults = StreamFaults()
    var machine: ConnectionMachine
    var addresses: Addresses
    var evidence = FileEvidence()
    /// When new audio last reached the hub, and its end in programme time.
    private var lastNewAudio: MonotonicInstant?
    private var endOfNewAudio = Duration.zero
    private lazy var timer = LazyTimer(reactor, slack: Self.timerSlack) { [weak self] in self?.source?.timerFired() }

    /// Deliveries are gathered for up to a second. Each of them then moves the timer before it fires, but not every
    /// delivery of a station that sends more often.
    private static let timerSlack = Duration.milliseconds(500)

    init(
        _ settings: StationSettings, _ client: any HTTPClient, _ reactor: any Reactor, _ group: StationGroup?,
        into trunk: Trunk
    ) {
        (self.settings, self.client, self.reactor, self.group, self.trunk) = (settings, client, reactor, group, trunk)
        addresses = Addresses(
            settings.urls, options: settings.options, allowsPrivateAddress: settings.allowsPrivateAddress,
            cookies: settings.cookies, isAnyEntryAllowed: settings.takesAnyEntry,
            choice: settings.choice)
        let name =
            AddressText(settings.urls.first ?? "").redacted + (settings.urls.count > 1 ? " (or a mirror of it)" : "")
        machine = ConnectionMachine(
            mirrors: addresses.mirrors.count, name: name, giveUp: settings.giveUp, seed: settings.seed,
            limits: settings.limits)
        machine.mayHedge = settings.allowsHedge
        trunk.onJoin = { [weak self] in self?.joined($0, isMatch: $1) }
        group?.add(self)
        guard !settings.healing.isEmpty else { return }
        let healer = HLSHealer(self)
        trunk.onGap = { healer.note($0) }
    }

    func tell(_ notice: StationNotice) { trunk.onNotice?(notice) }
}

// MARK: - The connection machine

extension StationRun {
    /// Has an action carried out, then arms the timer for the next deadline.
    func perform(_ action: ConnectionMachine.Action) {
        source?.carryOut(action)
        armTimer()
    }

    /// Arms the timer for the earliest of all deadlines.
    func armTimer() {
        let deadline = MonotonicInstant.earliest(machine.wakeUp(after: reactor.now), source?.deadline)
        if let deadline { timer.arm(at: deadline) }
    }

    /// Ends the programme.
    func end(_ reason: ConnectionMachine.StopReason) {
        timer.cancel()
        switch reason {
        case .requested, .finished: trunk.end(nil)
        case .gaveUp(let failure): trunk.end(failure)
        }
    }
}

// MARK: - Events of connections

extension StationRun {
    /// Tells the machine how far a connection has got.
    func note(
        _ event: UpstreamEvent, _ role: ConnectionMachine.Role, of upstream: Upstream, _ now: MonotonicInstant
    ) {
        switch event {
        case .entered(let phase): if let step = phase.step { machine.reached(step, role, now) }
        case .answered(let head):
            addresses.memory.keepCookies(of: head, sent: upstream.sentCookies)
            tell(.answered(ServerAnswer(head)))
        case .firstByte: machine.reached(.probing, role, now)
        case .delivered, .bodyIsOver, .ended: break
        }
    }

    /// Measures frames that have arrived on a connection, as evidence of its kind.
    func arrived(on connection: StationConnection, _ now: MonotonicInstant) {
        connection.arrived(now)
        if let bytes = faults.takeAttachments() { tell(.attachmentsLeftOut(bytes: bytes)) }
        if let info = connection.upstream.info { evidence.delivered(info, connection.pace, now) }
    }

    /// Makes a connection's address the one that plays: its frames are the programme from now on.
    private func joined(_ connection: StationConnection, isMatch: Bool) {
        evidence.joined(connection.joint.trace, at: connection.place)
        let before = addresses.choice
        addresses.plays(connection.mirror, name: connection.upstream.info?.icyName, isMatch: isMatch)
        machine.set(addresses.standings)
        tellChoice(unless: before)
    }

    /// Reports the entry of the list that is the station, unless it is that of before.
    func tellChoice(unless before: ListChoice?) {
        guard let choice = addresses.choice, choice != before else { return }
        tell(.chose(choice, insteadOf: addresses.takeLostChoice()))
    }

    /// Tells the connection machine if new audio has reached the hub.
    func noteNewAudio(_ now: MonotonicInstant) {
        guard trunk.takeNewFrames() else { return }
        machine.heard(max(.zero, trunk.end - endOfNewAudio), now)
        (lastNewAudio, endOfNewAudio) = (now, trunk.end)
    }

    /// Reports that a connection failed or ended.
    func tellFailure(_ failure: Failure) {
        let delay: Duration = if case .waiting(let until) = machine.state { until - reactor.now } else { .zero }
        tell(.failed(failure, retryIn: delay))
    }
}

// MARK: - What is missing

extension StationRun {
    /// Reports what is missing at the end of the programme, although nothing has failed.
    func noteMissing() {
        if let stall = stall(reactor.now), !trunk.isMissingAudio { trunk.noteOutage(stall) }
    }

    /// See ``Source/openGap``.
    var openGap: Gap? { trunk.gap(orAfter: stall(reactor.now)) }

    /// The failure of a stalled connection; nil if its silence is too short for a stall. Such a silence means missing
    /// audio, even if no timer has fired for it yet.
    private func stall(_ now: MonotonicInstant) -> Failure? {
        machine.silence(now) >= machine.hedgeDelay ? ConnectionMachine.stalled : nil
    }
}

// MARK: - Facts

extension StationRun {
    /// Completes the snapshot of the station, whose first connection is `connection`.
    func describe(in snapshot: inout StationSnapshot, _ connection: StationConnection?) {
        let now = reactor.now
        snapshot.isDelivering = machine.isLive && connection?.joint.isOpen == true && !trunk.isMissingAudio
        snapshot.activity = Activity(machine, isDelivering: snapshot.isDelivering, at: now)
        (snapshot.lastFailure, snapshot.silence) = (machine.lastFailure, machine.silence(now))
        (snapshot.reconnects, snapshot.hedges) = (machine.reconnects, machine.hedges)
        (snapshot.skipped, snapshot.wrongChecksums) = (faults.skippedBytes, faults.wrongChecksums)
        (snapshot.burst, snapshot.drift) = (connection?.burst, trunk.drift)
        (snapshot.playlists, snapshot.addresses) = (addresses.mirrors.playlists, addresses.mirrors.count)
        if case .stopped(.finished) = machine.state { snapshot.info?.kind = .finite }
        snapshot.damage = faults.damage
        snapshot.ring = StationSnapshot.RingFigures(trunk.hub.ring)
        snapshot.outrunsStations = evidence.outrunsStations
        // Audio that came in this turn may be newer than the turn's clock.
        snapshot.sinceAudio = lastNewAudio.map { max(.zero, now - $0) }
    }
}

extension TransferPhase {
    /// The step of a connection that begins with the phase; nil if the head of the response begins it.
    fileprivate var step: ConnectionMachine.Step? {
        switch self {
        case .resolving: .resolving
        case .connecting: .connecting
        case .securing: .securing
        case .waitingForHead: .awaitingHead
        case .receiving: nil
        }
    }
}
