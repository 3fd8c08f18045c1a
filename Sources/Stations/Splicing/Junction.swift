// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats

/// What a ``Junction`` asks of its station.
protocol JunctionDelegate: AnyObject {
    /// The hedge's frames go on from what was heard: it may be promoted during this call.
    func hedgeGoesOn(_ now: MonotonicInstant)
    /// How the station delivers, as far as is known. Returns after how long a silence it is hedged.
    func delivers(burst: Duration?, pause: Duration?) -> Duration
    /// The last thing that went wrong.
    var lastFailure: Failure? { get }
}

/// Where a station's connections meet: which of them are open, in which order their frames go to the ``Trunk``, and
/// what becomes of the frames that a connection held when it is over. Confined to the loop's thread.
///
/// Whoever gets frames may stop the station, so after each call that hands on frames it is looked anew which connection
/// is the first.
final class Junction {
    weak var delegate: (any JunctionDelegate)?
    /// The connection whose frames are the station's.
    private(set) var first: Line?
    /// The one beside it while it stalls or hangs.
    private(set) var hedge: Line?
    /// Connections before the first one that are over, with the frames that they hold, the oldest first. The frames are
    /// the programme's, unless the first one goes on from what was heard before them and brings them again.
    private var left: [Line] = []
    /// A hedge that has ended beside a first connection which may come back, with the frames that it held. They are the
    /// programme's, should the first connection not come back.
    private var remnant: Line?

    private let hub: StreamHub
    private let trunk: Trunk
    private let gatherer: Gatherer
    private let reactor: any Reactor

    /// The most connections in ``left``: each may hold megabytes.
    private static let mostLeft = 3

    init(_ hub: StreamHub, _ trunk: Trunk, _ reactor: any Reactor) {
        (self.hub, self.trunk, self.reactor) = (hub, trunk, reactor)
        gatherer = Gatherer(reactor: reactor)
        hub.onTolerance = { [gatherer, unowned hub] in gatherer.tolerance = hub.tolerance }
    }

    /// An open connection and its role; nil for one that was left.
    func line(of upstream: Upstream) -> (line: Line, role: ConnectionMachine.Role)? {
        if let first, first.upstream === upstream { return (first, .first) }
        if let hedge, hedge.upstream === upstream { return (hedge, .hedge) }
        return nil
    }

    /// Whether frames of the first connection go to the trunk.
    var isOpen: Bool { first?.joint.isOpen == true }

    /// When frames that are held may be decided on although nothing arrives.
    var deadline: MonotonicInstant? {
        [first?.deadline, hedge?.deadline].compactMap(\.self).min()
    }

    /// Calls back when all bytes that gather in the kernel have come in.
    func collect(then done: @escaping () -> Void) { gatherer.collect(then: done) }
}

// MARK: - Opening

extension Junction {
    func open(first line: Line) {
        first = line
        gatherer.begin(line.upstream)
        line.upstream.open()
    }

    func open(hedge line: Line) {
        hedge = line
        line.upstream.open()
    }

    /// What the first connection brings from now on is not the file that it brought before.
    func restartFirst() {
        guard let line = first else { return }
        first = Line(line.number, mirror: line.mirror, line.upstream, trunk.makeJoint(line.mirror))
        gatherer.begin(line.upstream)
    }

    /// The hedge, which is this attempt, takes the place of the first connection. False where it is not open yet; the
    /// first connection is closed all the same. The frames that it held may have waited for nothing else:
    /// ``decide(_:_:)`` comes next.
    func promoteHedge(_ number: Int) -> Bool {
        leaveFirst()
        guard let line = hedge, line.number == number else { return false }
        hedge = nil
        first = line
        gatherer.begin(line.upstream)
        return true
    }
}

// MARK: - Joining

extension Junction {
    /// Says what the first connection is, once it is known what it sends.
    func announceFirst() {
        if let info = first?.takeAnnouncement() { trunk.announce(info) }
    }

    /// Bytes of the first connection have come, and no frame.
    func received(_ now: MonotonicInstant) {
        announceFirst()
        gatherer.received(now)
    }

    /// Frames have arrived, or time has passed: decides what a connection's frames are, if that can be decided now, and
    /// hands on what is the programme's.
    func decide(_ line: Line, _ now: MonotonicInstant) {
        if first === line { announceFirst() }
        let isHedge = hedge === line
        // The connection may have been closed in the same turn.
        guard isHedge || first === line else { return }
        if !isHedge, !left.isEmpty, line.joint.wouldGap(line.clock, at: now) { concludeLeft() }
        if let decision = line.joint.arrived(line.clock, at: now, mayGap: !isHedge) {
            if isHedge { delegate?.hedgeGoesOn(now) }
            if first === line { trunk.join(line, decision) }
        }
        guard first === line, line.joint.isOpen else { return }
        left = []
        trunk.arrived(now)
        if line.upstream.info?.kind == .live { learn(line, now) }
        hub.flush()
    }

    /// The first connection brings audio by itself: what a hedge held beside it is in it already.
    func firstIsBack() {
        if isOpen { remnant = nil }
    }

    /// The body of the first connection is over, and its last frame comes. It is no sign of life: the hedge stays, and
    /// goes on after it if it can. False where there is no other connection to think of.
    func endsBeside(_ line: Line, _ now: MonotonicInstant) -> Bool {
        let others = left + [hedge ?? remnant].compactMap(\.self)
        guard first === line, !others.isEmpty else { return false }
        guard others.allSatisfy(\.joint.holdsAll) else { return true }
        line.upstream.flush()
        decide(line, now)
        for other in others { other.joint.rejoin(after: trunk.bookmark) }
        return true
    }

    /// Live frames have come through: fits air time, and learns how the station delivers.
    private func learn(_ line: Line, _ now: MonotonicInstant) {
        trunk.fitAirTime(line, now, reactor.readClocks().wall)
        let isBurstOver = line.hasBurstEnded
        if isBurstOver, let delay = delegate?.delivers(burst: line.burst, pause: line.usualPause) {
            if gatherer.hedgeDelay != delay { gatherer.hedgeDelay = delay }
            trunk.lookIntoSilences(of: delay)
        }
        guard let format = hub.ring.format else { return }
        gatherer.delivered(
            upTo: hub.position, sampleRate: format.sampleRate, isBurstOver: isBurstOver, now: now)
    }
}

// MARK: - Leaving

extension Junction {
    func closeHedge() {
        hedge?.upstream.close()
        hedge = nil
    }

    /// The hedge is over. The frames that it held are kept for as long as the first connection may come back.
    func keep(_ line: Line) {
        if line.joint.frames > 0 { remnant = line }
    }

    /// The first connection has brought all that there is. The frames that others hold are in it already.
    func closeOthers() {
        (left, remnant) = ([], nil)
        closeHedge()
    }

    /// Closes both connections. Their held frames go where they most likely belong, the hedge's after the first
    /// connection's.
    func closeBoth(isLast: Bool = false) {
        let others = [remnant, hedge].compactMap(\.self)
        remnant = nil
        closeHedge()
        closeFirst(isLast: isLast)
        concludeLeft(isLast: isLast)
        conclude(inOrder: others, isLast: isLast)
    }

    /// The first connection is over, and its held frames came before it failed. A file's is opened again.
    func concludeFirst() {
        if let first, !first.upstream.isResumable { conclude(first, isLast: false) }
    }

    private func closeFirst(isLast: Bool) {
        gatherer.end()
        guard let line = first else { return }
        line.upstream.close()
        // A file's connection is kept, for it is opened again where the file broke off. A station's is not.
        guard isLast || !line.upstream.isResumable else { return }
        first = nil
        conclude(line, isLast: isLast)
        if !isLast { resumeOutage() }
    }

    /// The hedge takes the place of the first connection. Where the hedge goes on from what was heard, it brings again
    /// what the first connection, and others before it, held. Where the hedge is still behind, those wait in ``left``:
    /// it may end before it gets there.
    private func leaveFirst() {
        gatherer.end()
        guard let line = first else { return }
        line.upstream.close()
        first = nil
        left += [line, remnant].compactMap(\.self).filter { !$0.joint.isOpen }
        remnant = nil
        if hedge?.joint.isDecided == true { return left = [] }
        guard hedge?.joint.behind != nil else { return concludeLeft() }
        // A connection that is behind, too, holds nothing that the hedge would not bring.
        left.removeAll { $0.joint.behind != nil }
        if left.count > Self.mostLeft { concludeLeft() }
    }

    /// Concludes the connections before the first one: their frames come before any of the first one's.
    private func concludeLeft(isLast: Bool = false) {
        let lines = left
        left = []
        conclude(inOrder: lines, isLast: isLast)
    }

    /// Concludes connections that are over. Each adds only the frames that the ones before it did not bring; the same
    /// goes for connections that are still open.
    private func conclude(inOrder lines: [Line], isLast: Bool) {
        for line in lines {
            line.joint.rejoin(after: trunk.bookmark)
            conclude(line, isLast: isLast)
            for open in [first, hedge] { open?.joint.rejoin(after: trunk.bookmark) }
            if !isLast { resumeOutage() }
        }
    }

    /// A connection is over: what it held goes where it most likely belongs. Of a connection in doubt only the frames
    /// from before the doubt go on.
    private func conclude(_ line: Line, isLast: Bool) {
        if !left.isEmpty, line.joint.wouldConcludeWithGap(line.clock) { concludeLeft(isLast: isLast) }
        if let decision = line.joint.conclude(line.clock) { trunk.join(line, decision) }
        if isLast { trunk.release() }
        hub.flush()
    }

    /// The held frames have gone through, and audio is still missing.
    private func resumeOutage() {
        if !trunk.isMissingAudio, let failure = delegate?.lastFailure { trunk.noteOutage(failure) }
    }
}
