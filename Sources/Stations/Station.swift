// SPDX-License-Identifier: MIT

package import CurlClient
package import EventLoop
import Instants
package import RadioCore
import RadioFormats

/// The shell of one station: runs the connection machine, owns connections and the hub. Confined to the loop's thread.
///
/// Decisions are made in ``ConnectionMachine`` and in the splicer; the station opens and closes connections as they
/// say, and carries frames from a connection's ``Joint`` through ``Resumption``, ``ForeignFilter`` and
/// ``ProgrammeFeed`` to the hub. `Station+Upstreams.swift` takes the calls of connections, `Station+Joining.swift`
/// joins them, and `Station+Leaving.swift` closes them and settles their frames.
package final class Station {
    package let hub: StreamHub
    /// Told of everything that a log would say.
    package var onNotice: ((StationNotice) -> Void)?
    package var requestFields: () -> [StationSettings.Header] = { [] }

    let settings: StationSettings
    let client: any HTTPClient
    let reactor: any Reactor
    private let group: StationGroup?
    var machine: ConnectionMachine
    private var timer: LazyTimer?
    /// Shorter than the usual time between two deliveries, so that each delivery moves the timer and it does not fire
    /// while a station sends. Long enough that a file at full speed seldom moves it.
    private static let timerSlack = Duration.milliseconds(200)
    /// The connection whose frames are the station's, and the one beside it while it stalls or hangs.
    var first: Line?
    var hedge: Line?
    /// Connections before the first one that are over, with the frames that they hold, the oldest first. The frames are
    /// the programme's, unless the first one goes on from what was heard before them and brings them again.
    var left: [Line] = []
    /// A hedge that has ended beside a first connection which may come back, with the frames that it held. They are the
    /// programme's, should the first connection not come back.
    var remnant: Line?
    let gatherer: Gatherer
    let feed: ProgrammeFeed
    let filter: ForeignFilter
    let resumption: Resumption
    var mirrors: MirrorList
    /// Where the redirects of the last connection ended.
    var lastFinal: (url: String, isPrivate: Bool)?
    var titleTrust = TitleTrust()
    private var isStopWanted = false
    let faults = StreamFaults()
    var pausers: Set<ObjectIdentifier> = []
    /// The present outage; nil unless audio is missing.
    var outage: Outage?
    var evidence = FileEvidence()
    /// The address from which audio was heard last.
    var heardAt: String?
    /// Whether two addresses of the station have sent equal frames. From then on, a frame that differs is a new one.
    var haveOneEncoder = false

    /// A station that is not started yet. Stations of one process share a group, which limits how many are hedged at
    /// once. The station's first frame stands at `start`.
    package init(
        settings: StationSettings, client: any HTTPClient, reactor: any Reactor, group: StationGroup? = nil,
        depth: Duration = .seconds(1), from start: Position = Position()
    ) {
        self.settings = settings
        self.client = client
        self.reactor = reactor
        self.group = group
        gatherer = Gatherer(reactor: reactor)
        mirrors = MirrorList(settings.urls)
        hub = StreamHub(depth: depth, from: start)
        feed = ProgrammeFeed(hub: hub)
        filter = ForeignFilter(feed: feed, reactor: reactor)
        resumption = Resumption(feed: feed, filter: filter, reactor: reactor)
        let name = redactedURL(settings.urls.first ?? "") + (settings.urls.count > 1 ? " (or a mirror of it)" : "")
        machine = ConnectionMachine(
            mirrors: mirrors.count, name: name, giveUp: settings.giveUp, seed: settings.seed, limits: settings.limits)
        machine.mayHedge = settings.allowsHedge
        hub.onTolerance = { [gatherer, unowned hub] in gatherer.tolerance = hub.tolerance }
        feed.onMissing = { [weak self] in self?.note(missing: $0) }
        resumption.onRelease = { [weak self] in self?.tookUpAgain() }
        filter.onStretch = { [weak self] in self?.onNotice?(.stretch($0)) }
        group?.add(self)
    }

    package func start() {
        timer = LazyTimer(reactor, slack: Self.timerSlack) { [weak self] in self?.timerFired() }
        perform(machine.start(reactor.now))
    }

    /// Closes the connections and ends the programme.
    package func stop() {
        guard !isStopWanted else { return }
        isStopWanted = true
        gatherer.collect { [self] in
            // A silence that is long enough for a stall is missing audio, even if no timer has fired for it yet.
            if machine.silence(reactor.now) >= machine.hedgeDelay, outage == nil {
                noteOutage(ConnectionMachine.stalled)
            }
            perform(machine.requestStop())
        }
    }

    package func leave(_ sink: any StreamSink) {
        gatherer.collect { [self] in
            let now = reactor.readClocks().now
            let failure = machine.silence(now) >= machine.hedgeDelay ? ConnectionMachine.stalled : nil
            let outage = outage ?? failure.flatMap { makeOutage($0) }
            hub.leave(sink, missing: outage?.gap(until: now))
        }
    }

    /// Routes or addresses of this machine have changed: what could not be reached is tried at once.
    package func networkChanged() {
        perform(machine.networkChanged(reactor.now))
    }

    /// The wall clock was set: a certificate may be valid now.
    package func clockStepped() {
        perform(machine.clockStepped(reactor.now))
    }

    package var snapshot: StationSnapshot {
        let isDelivering = machine.isLive && first?.joint.isOpen == true && outage == nil
        let silence = machine.silence(reactor.now)
        return StationSnapshot(
            activity: Activity(
                machine.state, isDelivering: isDelivering, silence: silence, lastFailure: machine.lastFailure,
                at: reactor.now), info: hub.info, position: hub.position, title: hub.title?.text,
            lastFailure: machine.lastFailure, reconnects: machine.reconnects, hedges: machine.hedges,
            isDelivering: isDelivering, silence: silence,
            skipped: faults.skippedBytes, wrongChecksums: faults.wrongChecksums, burst: first?.burst, drift: feed.drift,
            playlists: mirrors.playlists, addresses: mirrors.count)
    }
}

// MARK: - For the group

extension Station {
    var shouldDeliver: Bool { machine.shouldDeliver }
    var isHedged: Bool { machine.isHedged }
    var isSilent: Bool { machine.isSilent(reactor.now) }
}

// MARK: - Actions

extension Station {
    func perform(_ action: ConnectionMachine.Action) {
        switch action {
        case .none:
            break
        case .connect(let attempt):
            closeBoth()
            // This may be running in a callback of the old connection.
            reactor.defer { [weak self] in self?.connect(attempt) }
        case .openHedge(let attempt):
            closeHedge()
            reactor.defer { [weak self] in self?.openHedge(attempt) }
        case .closeHedge:
            closeHedge()
        case .promote(let attempt):
            promote(attempt)
        case .wait:
            closeBoth()
            if let old = mirrors.forgetPlaylists(reactor.now) { machine.replaceMirrors(old) }
        case .stop(let reason):
            closeBoth(isLast: true)
            timer?.cancel()
            end(reason)
        }
        armTimer()
    }

    func connect(_ attempt: ConnectionMachine.Attempt) {
        guard machine.attempt == attempt else { return }
        let target = target(attempt)
        onNotice?(.connecting(url: redactedURL(target.url), attempt: attempt.number))
        // A file that broke off goes on in the same place.
        if let first {
            first.number = attempt.number
            return first.upstream.open()
        }
        let line = makeLine(attempt, target)
        first = line
        gatherer.begin(line.upstream)
        line.upstream.open()
    }

    private func openHedge(_ attempt: ConnectionMachine.Attempt) {
        guard machine.connection(.hedge)?.attempt == attempt else { return }
        let target = target(attempt)
        onNotice?(.hedging(url: redactedURL(target.url), hasStalled: machine.isLive))
        let line = makeLine(attempt, target)
        hedge = line
        line.upstream.open()
    }

    private func makeLine(_ attempt: ConnectionMachine.Attempt, _ target: Upstream.Target) -> Line {
        var settings = settings
        // A station that answers with a file for once, an announcement say, is a station all the same.
        if hub.hasAudio, hub.info?.kind == .live { settings.allowsFinite = false }
        let upstream = Upstream(
            target, settings: settings, client: client, reactor: reactor, faults: faults, delegate: self)
        upstream.relayFields = requestFields
        let mirror = mirrors[attempt.mirror].url
        return Line(attempt.number, mirror: mirror, upstream, makeJoint(mirror))
    }

    /// Where the frames of a new connection to one of the addresses join what was heard.
    func makeJoint(_ mirror: String) -> Joint {
        let isMirror = heardAt.map { $0 != mirror } ?? false
        return Joint(after: feed.bookmark, isMirror: isMirror && !haveOneEncoder, taker: resumption)
    }

    private func target(_ attempt: ConnectionMachine.Attempt) -> Upstream.Target {
        let mirror = mirrors[attempt.mirror]
        var target = Upstream.Target(url: mirror.url, allowsPrivateAddress: mirror.allowsPrivateAddress)
        if attempt.viaLastFinalURL, let lastFinal {
            target = Upstream.Target(url: lastFinal.url, allowsPrivateAddress: lastFinal.isPrivate)
        }
        target.wantsMetadata = titleTrust.wantsMetadata(from: mirror.url)
        target.believesHead = titleTrust.believesHead(from: mirror.url)
        target.sendsHeaders = mirrors.isConfigured(originOf: target.url)
        return target
    }

    private func end(_ reason: ConnectionMachine.StopReason) {
        releaseHeld()
        filter.end()
        // An outage at the end of the station is a gap, too.
        if let outage { hub.mark(.gap(outage.gap(until: reactor.readClocks().now))) }
        outage = nil
        switch reason {
        case .requested, .finished: hub.end(nil)
        case .gaveUp(let failure): hub.end(failure)
        }
    }

    private func timerFired() {
        let now = reactor.now
        if let hedge, machine.hedgeMayDecide(now) { decide(hedge, now) }
        for line in [first, hedge].compactMap(\.self) where line.deadline.map({ $0 <= now }) ?? false {
            let wasFirst = first === line
            decide(line, now)
            // Held frames that now go through count as frames of the first connection: the hedge was compared with
            // those before them.
            if wasFirst, first === line, line.joint.isOpen { perform(machine.frames(.first, now)) }
        }
        noteNews(now)
        let wasTrying = machine.attempt != nil
        let action = machine.tick(now, hedgeAllowed: group?.allowsHedge ?? true)
        if wasTrying { report(machine.lastFailure, action, now) }
        perform(action)
    }

    /// Arms the one timer for the earliest of all deadlines.
    func armTimer() {
        let deadlines = [
            machine.deadline, machine.hedgeWaitsUntil(after: reactor.now), first?.deadline, hedge?.deadline,
        ]
        if let deadline = deadlines.compactMap(\.self).min() { timer?.arm(at: deadline) }
    }
}

// MARK: - FlowControl

extension Station: Programme {
    package func pause(for sink: any StreamSink) {
        guard hub.info?.kind == .finite else { return }
        let wasRunning = pausers.isEmpty
        pausers.insert(ObjectIdentifier(sink))
        guard wasRunning else { return }
        first?.upstream.pause()
        machine.paused(true, reactor.now)
    }

    package func resume(for sink: any StreamSink) {
        guard pausers.remove(ObjectIdentifier(sink)) != nil, pausers.isEmpty else { return }
        machine.paused(false, reactor.now)
        first?.upstream.resume()
        armTimer()
    }
}
