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

    func upstream(_ upstream: Upstream, _ event: UpstreamEvent) {
        if case .ended(let end) = event { return ended(upstream, end) }
        guard let (line, role) = line(upstream) else { return }
        let now = reactor.now
        switch event {
        case .entered(let phase): entered(phase, role, now)
        case .accepted(let info): accepted(info, line, role, now)
        case .firstByte: machine.firstByte(role, now)
        case .goesOver: machine.goesOver(role, now)
        case .turnsOutLive(let failure): return turnsOutLive(line, failure, now)
        case .delivered: return delivered(line, role)
        case .bodyIsOver: return bodyIsOver(line, role)
        case .ended: break
        }
        armTimer()
    }

    private func entered(_ phase: TransferPhase, _ role: ConnectionMachine.Role, _ now: MonotonicInstant) {
        switch phase {
        case .resolving: machine.redirected(role, now)
        case .connecting: machine.resolved(role, now)
        case .securing: machine.securing(role, now)
        case .waitingForHead: machine.connected(role, now)
        case .receiving: break
        }
    }

    private func accepted(
        _ info: StationInfo, _ line: Line, _ role: ConnectionMachine.Role, _ now: MonotonicInstant
    ) {
        let upstream = line.upstream
        let movedTo = upstream.movedTo.map { ($0, upstream.isPeerPrivate) }
        if role == .first { lastFinal = movedTo }
        if upstream.hasCredentials { machine.mayHedge = false }
        machine.accepted(role, info.kind, finalURLDiffers: movedTo != nil, now)
        // A file goes on where it was.
        if role == .first, line.joint.isOpen {
            evidence.wentOn()
            onNotice?(.live(again: true))
        }
        if info.kind == .finite {
            line.joint.takeAsFile()
        } else if let age = upstream.age {
            line.began(at: now - age)
        }
    }

    private func turnsOutLive(_ line: Line, _ failure: Failure, _ now: MonotonicInstant) {
        guard first === line else { return }
        hub.flush()
        turnOutLive(now)
        noteOutage(failure)
        onNotice?(.failed(failure, retryIn: .zero))
        // Whoever was told may have stopped the station.
        guard first === line else { return }
        first = Line(line.number, mirror: line.mirror, line.upstream, makeJoint(line.mirror))
        gatherer.begin(line.upstream)
    }

    private func delivered(_ line: Line, _ role: ConnectionMachine.Role) {
        if role == .first { announce(line) }
        guard line.takeNews() else {
            if role == .first { gatherer.received(reactor.now) }
            return
        }
        let (now, wall) = reactor.readClocks()
        line.arrived(now)
        if let info = line.upstream.info {
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

    private func bodyIsOver(_ line: Line, _ role: ConnectionMachine.Role) {
        let others = left + [hedge ?? remnant].compactMap(\.self)
        guard role == .first, !others.isEmpty else {
            line.upstream.flush()
            // The last bytes may have ended it.
            return upstream(line.upstream, .delivered)
        }
        // A connection's last frames are no sign of life: the hedge stays, and goes on after them if it can.
        guard others.allSatisfy(\.joint.holdsAll) else { return }
        line.upstream.flush()
        announce(line)
        decide(line, reactor.now)
        for other in others { other.joint.rejoin(after: feed.bookmark) }
    }

    private func ended(_ upstream: Upstream, _ end: UpstreamEnd) {
        let now = reactor.now
        // A hedge that is over has nothing more to wait for.
        if case .complete = end, let hedge, hedge.upstream === upstream { decide(hedge, now) }
        guard let (line, role) = line(upstream), let attempt = machine.connection(role)?.attempt else { return }
        if role == .first { announce(line) }
        let url = mirrors[attempt.mirror].url
        let action: ConnectionMachine.Action
        switch end {
        case .complete: action = isWholeFile(line, now) ? finish() : machine.ended(role, nil, now)
        case .playlist(let entries):
            if mirrors.follow(
                playlistAt: attempt.mirror, entries: entries, isPeerPrivate: upstream.isPeerPrivate, at: now)
            {
                return followed(playlist: redactedURL(url), entries.count, role, now)
            }
            action = machine.ended(role, .playlistsWithoutEnd(at: redactedURL(url)), now)
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

    private func followed(
        playlist url: String, _ entries: Int, _ role: ConnectionMachine.Role, _ now: MonotonicInstant
    ) {
        if mirrors.note(playlist: url) { onNotice?(.followedPlaylist(url: url, entries: entries)) }
        if mirrors.haveCredentials { machine.mayHedge = false }
        perform(machine.follow(role, mirrors: mirrors.count, now))
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
