// SPDX-License-Identifier: MIT

package import CurlClient
package import EventLoop
import Instants
import RadioCore
import RadioFormats

/// The shell of one station: runs the connection machine, owns connections and the hub. Confined to the loop's thread.
///
/// Everything that is a decision is in ``ConnectionMachine``; this opens and closes connections as it says and carries
/// frames to the hub. Between the two, in ``beginConnection()``, stands the place of the splicer.
package final class Station {
    package let hub: StreamHub
    /// Told of everything that a log would say.
    package var onNotice: ((StationNotice) -> Void)?

    private let settings: StationSettings
    private let client: any HTTPClient
    private let reactor: any Reactor
    private var machine: ConnectionMachine
    private var timer: (any ReactorTimer)?
    private var timerDue: MonotonicInstant?
    private var upstream: Upstream?
    private var mirrors: MirrorList
    /// All playlists that were followed so far.
    private var playlists: [String] = []
    /// Where the redirects of the last connection ended.
    private var lastFinal: (url: String, isPrivate: Bool)?
    private var titleTrust = TitleTrust()
    private var airClock: AirClock?
    private let gatherer: Gatherer
    private var isStopWanted = false
    /// Where the media time of this connection's first frame stands.
    private var connectionStart: Int64?
    /// Frames that the machine knows of.
    private var framesCounted: Int64 = 0
    /// A title that came ahead of the connection's first frame.
    private var firstTitle: (text: String, raw: [UInt8])?
    private var skipped: [SkipReason: Int64] = [:]
    private var pausers: Set<ObjectIdentifier> = []
    private var outage: Outage?

    private static let mostPlaylists = 20

    package init(settings: StationSettings, client: any HTTPClient, reactor: any Reactor, depth: Duration = .seconds(1))
    {
        self.settings = settings
        self.client = client
        self.reactor = reactor
        gatherer = Gatherer(reactor: reactor)
        mirrors = MirrorList(settings.urls)
        hub = StreamHub(depth: depth)
        let name = redactedURL(settings.urls.first ?? "") + (settings.urls.count > 1 ? " (or a mirror of it)" : "")
        machine = ConnectionMachine(
            mirrors: mirrors.count, name: name, giveUp: settings.giveUp, seed: settings.seed, limits: settings.limits)
        machine.mayHedge = false
        hub.onTolerance = { [gatherer, unowned hub] in gatherer.tolerance = hub.tolerance }
    }

    package func start() {
        timer = reactor.makeTimer { [weak self] in self?.timerFired() }
        perform(machine.start(reactor.now))
    }

    /// Closes the connection and ends the programme.
    package func stop() {
        guard !isStopWanted else { return }
        isStopWanted = true
        gatherer.collect { [self] in perform(machine.requestStop()) }
    }

    package var snapshot: StationSnapshot {
        StationSnapshot(
            state: machine.state, info: hub.info, position: hub.position, title: hub.title?.text,
            lastFailure: machine.lastFailure, reconnects: machine.reconnects,
            isDelivering: machine.isLive && outage == nil,
            skipped: SkipReason.allCases.compactMap { reason in
                skipped[reason].map { StationSnapshot.SkippedBytes(reason: reason.rawValue, bytes: $0) }
            },
            burst: airClock?.burst, drift: airClock?.edge.drift, playlists: playlists)
    }
}

// MARK: - Actions

extension Station {
    private func perform(_ action: ConnectionMachine.Action) {
        switch action {
        case .none, .openHedge, .closeHedge, .promote:
            break
        case .connect(let attempt):
            closeUpstream()
            // The old connection may be the one that is speaking just now.
            reactor.defer { [weak self] in self?.connect(attempt) }
        case .wait:
            closeUpstream()
            // What a playlist said an hour ago may lead nowhere by now.
            if mirrors.forgetPlaylists() { machine.replaceMirrors(mirrors.count) }
        case .stop(let reason):
            closeUpstream()
            timer?.cancel()
            // What is missing at the end is missing as well.
            if let outage { hub.mark(.gap(outage.gap(until: reactor.readClocks().now))) }
            outage = nil
            switch reason {
            case .requested, .finished: hub.end(nil)
            case .gaveUp(let failure): hub.end(failure)
            }
        }
        armTimer()
    }

    private func connect(_ attempt: ConnectionMachine.Attempt) {
        guard machine.attempt == attempt else { return }
        let mirror = mirrors[attempt.mirror]
        var target = Upstream.Target(url: mirror.url, allowsPrivateAddress: mirror.allowsPrivateAddress)
        if attempt.viaLastFinalURL, let lastFinal {
            target = Upstream.Target(url: lastFinal.url, allowsPrivateAddress: lastFinal.isPrivate)
        }
        target.wantsMetadata = titleTrust.wantsMetadata(from: mirror.url)
        target.sendsHeaders = mirrors.isConfigured(originOf: target.url)
        onNotice?(.connecting(url: redactedURL(target.url), attempt: attempt.number))
        if let upstream { return upstream.open() }
        connectionStart = nil
        firstTitle = nil
        let upstream = Upstream(target, settings: settings, client: client, reactor: reactor, delegate: self)
        self.upstream = upstream
        gatherer.begin(upstream)
        upstream.open()
    }

    private func closeUpstream() {
        gatherer.end()
        guard let upstream else { return }
        upstream.close()
        // A file that broke off goes on in the same place; of a station nothing is kept.
        if !upstream.isResumable { self.upstream = nil }
    }

    private func timerFired() {
        timerDue = nil
        let now = reactor.now
        let wasTrying = machine.attempt != nil
        let action = machine.tick(now)
        if wasTrying { report(machine.lastFailure, action, now) }
        perform(action)
    }

    /// Arms the one timer, but only where it is due earlier than before: one that fires too early is armed again.
    private func armTimer() {
        guard let deadline = machine.deadline else { return }
        if let timerDue, timerDue <= deadline { return }
        timerDue = deadline
        timer?.arm(at: deadline)
    }
}

// MARK: - What connections say

extension Station: UpstreamDelegate {
    func upstream(_ upstream: Upstream, entered phase: TransferPhase) {
        switch phase {
        case .resolving: machine.redirected(.first, reactor.now)
        case .connecting: machine.resolved(.first, reactor.now)
        case .securing: machine.securing(.first, reactor.now)
        case .waitingForHead: machine.connected(.first, reactor.now)
        case .receiving: break
        }
        armTimer()
    }

    func upstream(_ upstream: Upstream, accepted info: StationInfo) {
        lastFinal = upstream.movedTo.map { ($0, upstream.isPeerPrivate) }
        machine.accepted(.first, info.kind, finalURLDiffers: lastFinal != nil, reactor.now)
        // A file goes on where it was.
        if connectionStart != nil { onNotice?(.live(again: true)) }
        armTimer()
    }

    func upstreamReceivedFirstByte(_ upstream: Upstream) {
        machine.firstByte(.first, reactor.now)
        armTimer()
    }

    func upstream(_ upstream: Upstream, began format: StreamFormat) {
        if connectionStart == nil, let info = upstream.info {
            onNotice?(.connected(info))
            hub.announce(info)
        }
        guard format != hub.ring.format else { return }
        airClock = nil
        hub.begin(format)
        // Within a connection samples count from 0 again.
        if connectionStart != nil { connectionStart = 0 }
    }

    func upstream(_ upstream: Upstream, _ frame: Frame, _ bytes: UnsafeRawBufferPointer) {
        if connectionStart == nil { beginConnection() }
        hub.append(bytes, samples: frame.samples, backReference: frame.backReference)
    }

    func upstream(_ upstream: Upstream, title: String, raw: [UInt8]) {
        guard connectionStart != nil else { return firstTitle = (title, raw) }
        hub.setTitle(title, raw: raw)
    }

    func upstreamResynced(_ upstream: Upstream) {
        guard connectionStart != nil else { return }
        hub.mark(.resync)
    }

    func upstream(_ upstream: Upstream, skipped bytes: Int, _ reason: SkipReason) {
        skipped[reason, default: 0] += Int64(bytes)
    }

    func upstreamDelivered(_ upstream: Upstream) {
        // Bytes alone are no sign of life.
        guard hub.position.frames > framesCounted, let start = connectionStart, let format = hub.ring.format else {
            return
        }
        framesCounted = hub.position.frames
        let (now, wall) = reactor.readClocks()
        if upstream.info?.kind == .live {
            var clock = airClock ?? AirClock(sampleRate: format.sampleRate)
            let isNews = clock.arrived(from: start, upTo: hub.position.samples, now: now, wall: wall)
            if isNews, let airTime = clock.airTime { hub.setAirTime(airTime) }
            airClock = clock
            gatherer.delivered(upTo: hub.position, sampleRate: format.sampleRate, now: now)
        }
        hub.flush()
        perform(machine.frames(.first, now))
    }

    func upstream(_ upstream: Upstream, isPlaylist entries: [String]) {
        guard let attempt = machine.attempt else { return }
        let url = redactedURL(mirrors[attempt.mirror].url)
        let leadsOn = mirrors.follow(
            playlistAt: attempt.mirror, entries: entries, isPeerPrivate: upstream.isPeerPrivate)
        guard leadsOn else {
            let failure = Failure(
                .notAudio, "playlists at \(url) lead to further playlists without end",
                remedy: "open them in an editor and give the address of the station itself")
            return self.upstream(upstream, endedWith: .failed(failure))
        }
        if !playlists.contains(url), playlists.count < Self.mostPlaylists {
            playlists.append(url)
            onNotice?(.followedPlaylist(url: url, entries: entries.count))
        }
        perform(machine.follow(.first, mirrors: mirrors.count, reactor.now))
    }

    func upstream(_ upstream: Upstream, endedWith end: UpstreamEnd) {
        let now = reactor.now
        let action: ConnectionMachine.Action
        switch end {
        case .complete: action = machine.ended(.first, nil, now)
        case .failed(var failure):
            if failure.failureClass == .usage, !isUsersAddress { failure.failureClass = .protocol }
            action = machine.ended(.first, failure, now)
        case .lost(let failure): action = machine.abandon(failure)
        case .misread(let failure):
            if let attempt = machine.attempt { titleTrust.misread(mirrors[attempt.mirror].url) }
            action = machine.ended(.first, failure, now)
        case .slipped(let failure):
            if let attempt = machine.attempt { titleTrust.slipped(mirrors[attempt.mirror].url, now) }
            action = machine.ended(.first, failure, now)
        }
        report(machine.lastFailure, action, now)
        perform(action)
    }

    /// Whether the user wrote the address that is being tried, and it has not been good yet. What a playlist or a
    /// redirect says is not the user's mistake.
    private var isUsersAddress: Bool {
        guard hub.position.frames == 0, let attempt = machine.attempt else { return false }
        return !attempt.viaLastFinalURL && mirrors[attempt.mirror].via.isEmpty
    }

    /// A connection is over and the station is not: for the log, and for the gap that may come of it.
    private func report(_ failure: Failure?, _ action: ConnectionMachine.Action, _ now: MonotonicInstant) {
        switch action {
        case .none, .stop, .openHedge, .closeHedge, .promote: return
        case .connect, .wait: break
        }
        guard let failure else { return }
        hub.flush()
        noteOutage(failure)
        let delay: Duration = if case .waiting(let until) = machine.state { until - now } else { .zero }
        onNotice?(.failed(failure, retryIn: delay))
    }
}

// MARK: - Connections and gaps

extension Station {
    /// The first frame of a connection: the place where the splicer will decide whether it follows what was heard.
    private func beginConnection() {
        connectionStart = hub.position.samples
        if let outage {
            hub.mark(.gap(outage.gap(until: reactor.readClocks().now)))
            airClock = nil
        } else if hub.position.frames == 0 {
            hub.mark(.firstJoin)
        }
        if let firstTitle { hub.setTitle(firstTitle.text, raw: firstTitle.raw) }
        onNotice?(.live(again: outage != nil))
        outage = nil
    }

    private func noteOutage(_ failure: Failure) {
        guard hub.position.frames > 0, hub.info?.kind == .live else { return }
        if outage != nil {
            outage?.note(failure)
            return
        }
        let edge = hub.airTime?.instant(ofSample: hub.position.samples)
        outage = Outage(failure.message, edge: edge, clocks: reactor.readClocks())
    }
}

// MARK: - FlowControl

extension Station: FlowControl {
    package func pause(for sink: any StreamSink) {
        guard hub.info?.kind == .finite else { return }
        let wasRunning = pausers.isEmpty
        pausers.insert(ObjectIdentifier(sink))
        guard wasRunning else { return }
        upstream?.pause()
        machine.paused(true, reactor.now)
    }

    package func resume(for sink: any StreamSink) {
        guard pausers.remove(ObjectIdentifier(sink)) != nil, pausers.isEmpty else { return }
        machine.paused(false, reactor.now)
        upstream?.resume()
        armTimer()
    }
}
