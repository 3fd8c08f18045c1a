// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats

// How connections are joined to one programme.
extension Station {
    /// Frames have arrived, or time has passed: decides what a connection's frames are, if that can be decided now, and
    /// hands on what is the programme's.
    func decide(_ line: Line, _ now: MonotonicInstant) {
        let isHedge = hedge === line
        // The connection may have been closed in the same turn.
        guard isHedge || first === line else { return }
        if !isHedge, !left.isEmpty, line.joint.wouldGap(line.clock, at: now) { concludeLeft() }
        if let decision = line.joint.arrived(line.clock, at: now, mayGap: !isHedge) {
            // The hedge's frames go on from what was heard: it takes the place of the first connection.
            if isHedge { perform(machine.matched(now)) }
            if first === line { settle(line, decision) }
        }
        guard first === line, line.joint.isOpen else { return }
        left = []
        resumption.arrived(now)
        filter.arrived(now)
        if line.upstream.info?.kind == .live { learn(line, now, reactor.readClocks().wall) }
        hub.flush()
    }

    /// The hedge is the first connection from now on.
    func promote(_ attempt: ConnectionMachine.Attempt) {
        leaveFirst()
        guard let line = hedge, line.number == attempt.number else {
            // The hedge was about to be opened.
            return reactor.defer { [weak self] in self?.connect(attempt) }
        }
        hedge = nil
        first = line
        lastFinal = line.upstream.movedTo.map { ($0, line.upstream.isPeerPrivate) }
        announce(line)
        guard first === line else { return }
        gatherer.begin(line.upstream)
        // Its held frames may have waited for nothing else.
        decide(line, reactor.now)
    }

    /// Carries out the decision, and lets the kept frames through.
    func settle(_ line: Line, _ decision: Joint.Decision) {
        let (now, wall) = reactor.readClocks()
        let isAgain = hub.hasAudio
        switch decision {
        case .first:
            if let format = line.joint.firstFormat { feed.begin(format) }
            if !isAgain { hub.mark(.firstJoin) }
            onNotice?(.live(again: isAgain))
        case .splice(let dropped, let unheard, let method):
            resumption.forget()
            filter.forget()
            let splice = feed.mark(dropped: dropped, unheard: unheard, method, wall)
            onNotice?(.spliced(splice))
        case .gap(let seam):
            if outage == nil { noteOutage(Self.elsewhere) }
            releaseHeld()
            let bookmark = feed.bookmark
            if let format = line.joint.firstFormat { feed.begin(format) }
            // The outage is over before a sink hears of the gap: the sink may stop the station.
            if let outage = self.outage.take() {
                let gap = outage.gap(seam, until: now)
                feed.mark(gap, start: seam.start, isSettled: line.clock.isSettled, now, wall)
                onNotice?(.gap(gap))
            }
            filter.watch(for: bookmark, missing: seam.missing, from: now, wall)
        }
        outage = nil
        if let heardAt, heardAt != line.mirror, decision.provesOneEncoder { haveOneEncoder = true }
        heardAt = line.mirror
        line.joint.open()
    }

    /// Lets the frames that wait behind the joint go on.
    func releaseHeld() {
        resumption.release()
        filter.release()
    }

    /// Audio is missing, although its connection held.
    func note(missing samples: Int64?) {
        let (now, wall) = reactor.readClocks()
        if let gap = feed.mark(missing: samples, now, wall) { onNotice?(.gap(gap)) }
    }

    /// Says what a connection is, when its first format is known.
    func announce(_ line: Line) {
        guard !line.isAnnounced, line.joint.hasFormat, let info = line.upstream.info else { return }
        line.isAnnounced = true
        onNotice?(.connected(info))
        hub.announce(info)
    }

    /// Live frames have come through: fits air time, and learns how the station delivers.
    private func learn(_ line: Line, _ now: MonotonicInstant, _ wall: WallInstant) {
        feed.arrived(line.clock, at: line.joint.passed - resumption.duration - filter.duration, now, wall)
        let isBurstOver = line.hasBurstEnded
        if isBurstOver {
            machine.measured(burst: line.burst, pause: line.usualPause)
            if gatherer.hedgeDelay != machine.hedgeDelay { gatherer.hedgeDelay = machine.hedgeDelay }
            resumption.usualSilence = machine.hedgeDelay
        }
        guard let format = hub.ring.format else { return }
        gatherer.delivered(
            upTo: hub.position, sampleRate: format.sampleRate, isBurstOver: isBurstOver, now: now)
    }

    func noteOutage(_ failure: Failure) {
        if outage != nil { outage?.note(failure) } else { outage = makeOutage(failure) }
    }

    /// An outage that begins where the delivered audio ends; nil where there is none to miss.
    func makeOutage(_ failure: Failure) -> Outage? {
        guard hub.hasAudio, hub.info?.kind == .live else { return nil }
        return Outage(
            failure, edge: feed.edge, held: resumption.duration + filter.duration, clocks: reactor.readClocks())
    }

    /// The cause of a gap that no failure announced.
    private static let elsewhere = Failure(
        .dropped, "the new connection went on elsewhere in the programme", remedy: "nothing to do")
}
