// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats

// What a station hears of its connections.
extension Station: UpstreamDelegate {
    private func line(_ upstream: Upstream) -> (line: Line, role: ConnectionMachine.Role)? {
        if let first, first.upstream === upstream { return (first, .first) }
        if let hedge, hedge.upstream === upstream { return (hedge, .hedge) }
        return nil
    }

    func upstream(_ upstream: Upstream, entered phase: TransferPhase) {
        guard let (_, role) = line(upstream) else { return }
        switch phase {
        case .resolving: machine.redirected(role, reactor.now)
        case .connecting: machine.resolved(role, reactor.now)
        case .securing: machine.securing(role, reactor.now)
        case .waitingForHead: machine.connected(role, reactor.now)
        case .receiving: break
        }
        armTimer()
    }

    func upstream(_ upstream: Upstream, accepted info: StationInfo) {
        guard let (line, role) = line(upstream) else { return }
        let movedTo = upstream.movedTo.map { ($0, upstream.isPeerPrivate) }
        if role == .first { lastFinal = movedTo }
        if upstream.hasCredentials { machine.mayHedge = false }
        machine.accepted(role, info.kind, finalURLDiffers: movedTo != nil, reactor.now)
        // A file goes on where it was.
        if role == .first, line.joint.isOpen {
            evidence.wentOn()
            onNotice?(.live(again: true))
        }
        if info.kind == .finite {
            line.joint.takeAsFile()
        } else if let age = upstream.age {
            line.began(at: reactor.now - age)
        }
        armTimer()
    }

    func upstreamReceivedFirstByte(_ upstream: Upstream) {
        guard let (_, role) = line(upstream) else { return }
        machine.firstByte(role, reactor.now)
        armTimer()
    }

    func upstreamGoesOver(_ upstream: Upstream) {
        guard let (_, role) = line(upstream) else { return }
        machine.goesOver(role, reactor.now)
        armTimer()
    }

    func upstream(_ upstream: Upstream, turnsOutLive failure: Failure) {
        guard let (line, role) = line(upstream), role == .first else { return }
        hub.flush()
        turnOutLive(reactor.now)
        noteOutage(failure)
        onNotice?(.failed(failure, retryIn: .zero))
        // Whoever was told may have stopped the station.
        guard first === line else { return }
        first = Line(line.number, mirror: line.mirror, upstream, makeJoint(line.mirror))
        gatherer.begin(upstream)
    }

    func upstream(_ upstream: Upstream, began format: StreamFormat) {
        guard let (line, role) = line(upstream) else { return }
        if role == .first { announce(line) }
        line.joint.take(.format(format))
    }

    func frameTaker(for upstream: Upstream) -> (any FrameTaker)? {
        line(upstream)?.line.joint
    }

    func upstream(_ upstream: Upstream, title: String, raw: [UInt8]) {
        line(upstream)?.line.joint.take(.title(title, raw: raw))
    }

    func upstreamResynced(_ upstream: Upstream) {
        line(upstream)?.line.joint.take(.resync)
    }

    func upstream(_ upstream: Upstream, missing samples: Int64?) {
        line(upstream)?.line.joint.take(.missing(samples: samples))
    }

    func upstreamMetWrongChecksum(_ upstream: Upstream) {
        faults.wrongChecksums += 1
    }

    func upstream(_ upstream: Upstream, skipped bytes: Int, _ reason: SkipReason) {
        faults.skip(bytes, reason)
    }

    func upstreamBecameDoubtful(_ upstream: Upstream) {
        line(upstream)?.line.joint.doubt(true)
    }

    func upstreamIsSoundAgain(_ upstream: Upstream) {
        line(upstream)?.line.joint.doubt(false)
    }

    func upstreamDelivered(_ upstream: Upstream) {
        guard let (line, role) = line(upstream) else { return }
        guard line.takeNews() else {
            if role == .first { gatherer.received(reactor.now) }
            return
        }
        let (now, wall) = reactor.readClocks()
        line.arrived(now)
        if let info = upstream.info {
            evidence.delivered(info.kind, isSteady: line.pace.isSteady(now), hasICY: !info.icyFields.isEmpty, wall)
        }
        let action = machine.frames(role, now)
        switch role {
        case .first:
            decide(line, now)
            if first === line, line.joint.isOpen { remnant = nil }
            perform(action)
        case .hedge:
            // The hedge may be the first connection from now on, and only the first one may make a gap.
            perform(action)
            if machine.hedgeMayDecide(now) || first === line { decide(line, now) } else { armTimer() }
        }
        noteNews(now)
    }

    /// Frames that came after a silence have gone on.
    func tookUpAgain() {
        hub.flush()
        noteNews(reactor.now)
    }

    /// Tells the machine of new audio: frames that reach the hub are no repetition.
    func noteNews(_ now: MonotonicInstant) {
        if feed.takeNews() { machine.heard(now) }
    }

    func upstreamBodyIsOver(_ upstream: Upstream) {
        let others = left + [hedge ?? remnant].compactMap(\.self)
        guard let (line, role) = line(upstream), role == .first, !others.isEmpty else {
            upstream.flush()
            return upstreamDelivered(upstream)
        }
        // A connection's last frames are no sign of life: the hedge stays, and goes on after them if it can.
        guard others.allSatisfy(\.joint.holdsAll) else { return }
        upstream.flush()
        decide(line, reactor.now)
        for other in others { other.joint.rejoin(after: feed.bookmark) }
    }

    func upstream(_ upstream: Upstream, isPlaylist entries: [String]) {
        guard let (_, role) = line(upstream), let attempt = machine.connection(role)?.attempt else { return }
        let url = redactedURL(mirrors[attempt.mirror].url)
        let leadsOn = mirrors.follow(
            playlistAt: attempt.mirror, entries: entries, isPeerPrivate: upstream.isPeerPrivate, at: reactor.now)
        guard leadsOn else {
            let failure = Failure(
                .notAudio, "playlists at \(url) lead to further playlists without end",
                remedy: "open them in an editor and give the address of the station itself")
            return self.upstream(upstream, endedWith: .failed(failure))
        }
        if mirrors.note(playlist: url) { onNotice?(.followedPlaylist(url: url, entries: entries.count)) }
        if mirrors.haveCredentials { machine.mayHedge = false }
        perform(machine.follow(role, mirrors: mirrors.count, reactor.now))
    }

    func upstream(_ upstream: Upstream, endedWith end: UpstreamEnd) {
        let now = reactor.now
        // A hedge that is over has nothing more to wait for.
        if case .complete = end, let hedge, hedge.upstream === upstream { decide(hedge, now) }
        guard let (line, role) = line(upstream), let attempt = machine.connection(role)?.attempt else { return }
        let url = mirrors[attempt.mirror].url
        let action: ConnectionMachine.Action
        switch end {
        case .complete: action = isWholeFile(line, now) ? finish() : machine.ended(role, nil, now)
        case .failed(var failure):
            if failure.failureClass == .usage, !isUsersAddress(role) { failure.failureClass = .protocol }
            action = machine.ended(role, failure, now)
        case .noFile(let failure):
            turnOutLive(now)
            action = machine.ended(role, failure, now)
        case .misread(let failure):
            titleTrust.misread(url)
            action = machine.ended(role, failure, now)
        case .slipped(let failure):
            titleTrust.slipped(url, now)
            action = machine.ended(role, failure, now)
        }
        report(machine.lastFailure, action, now)
        if role == .hedge, action == .closeHedge, line.joint.frames > 0 { remnant = line }
        perform(action)
    }

    /// Whether the user wrote the address that is being tried, and it has not been good yet. What a playlist or a
    /// redirect says is not the user's mistake.
    private func isUsersAddress(_ role: ConnectionMachine.Role) -> Bool {
        guard !hub.hasAudio, let attempt = machine.connection(role)?.attempt else { return false }
        return !attempt.viaLastFinalURL && mirrors[attempt.mirror].via.isEmpty
    }

    /// A connection is over and the station is not: for the log, and for the gap that may come of it.
    func report(_ failure: Failure?, _ action: ConnectionMachine.Action, _ now: MonotonicInstant) {
        switch action {
        case .none, .stop, .openHedge: return
        case .closeHedge where machine.isLive:
            // The first connection may still come back: nothing is missing yet.
            if let failure { onNotice?(.hedgeFailed(failure)) }
            return
        case .promote, .closeHedge: break
        case .connect, .wait:
            // The frames that it brought came before it failed.
            if let first, !first.upstream.isResumable { conclude(first, isLast: false) }
        }
        guard let failure else { return }
        if let first, first.upstream.isResumable { evidence.brokeOff(failure, reactor.wallNow) }
        hub.flush()
        noteOutage(failure)
        let delay: Duration = if case .waiting(let until) = machine.state { until - now } else { .zero }
        onNotice?(.failed(failure, retryIn: delay))
    }
}
