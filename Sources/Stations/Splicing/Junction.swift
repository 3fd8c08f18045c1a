// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats

/// The station of a ``Junction``.
protocol JunctionDelegate: AnyObject {
    /// The hedge's frames continue the programme. The hedge may be promoted during this call.
    func hedgeContinues(_ now: MonotonicInstant)
    /// The connection has shown no evidence that it carries the station. It is closed during this call.
    func isStranger(_ connection: StationConnection)
}

/// Combines a station's connections: tracks which are open, in which order their frames go to the ``Trunk``, and what
/// becomes of the frames still held when a connection ends.
///
/// Frames go from the joints straight to the parts of the trunk. The junction gets the second pass of each delivery.
///
/// Receivers of frames may stop the station, so ``first`` must be checked again after each call that delivers frames.
final class Junction {
    weak var delegate: (any JunctionDelegate)?
    /// The connection whose frames are delivered as the station's audio.
    private(set) var first: StationConnection? {
        didSet { if let first { gatherer.begin(first.upstream) } else { gatherer.end() } }
    }
    /// The second connection, while the first stalls or brings no audio.
    private(set) var hedge: StationConnection?
    /// Ended connections before the first one, oldest first, with the frames they hold. The frames belong to the
    /// programme, unless the first connection continues from before them and sends them again.
    private var left: [StationConnection] = []
    /// A hedge that ended while the first connection may still recover, with the frames it held. They belong to the
    /// programme if the first connection does not recover.
    private var remnant: StationConnection?

    /// Since when the first connection has delivered beside the hedge, which then only brings what is missing; nil if it
    /// has not.
    private var backSince: MonotonicInstant?
    private var isBack: Bool { backSince != nil }

    private let run: StationRun
    private let gatherer: Gatherer
    private var trunk: Trunk { run.trunk }
    private var hub: StreamHub { run.trunk.hub }
    private var reactor: any Reactor { run.reactor }

    /// A first connection that is back may break off again within this time.
    private static let steadiness = Duration.seconds(1)
    /// The most connections in ``left``: each may hold megabytes.
    private static let mostLeft = 3

    init(_ run: StationRun) {
        self.run = run
        gatherer = Gatherer(reactor: run.reactor)
        gatherer.tolerance = hub.tolerance
        hub.onTolerance = { [gatherer, unowned hub] in gatherer.tolerance = hub.tolerance }
    }

    /// The open connection with this upstream, and its role; nil if it is no longer open.
    func connection(of upstream: Upstream) -> (connection: StationConnection, role: ConnectionMachine.Role)? {
        if let first, first.upstream === upstream { return (first, .first) }
        if let hedge, hedge.upstream === upstream { return (hedge, .hedge) }
        return nil
    }

    /// Whether frames of the first connection go to the trunk.
    var isOpen: Bool { first?.joint.isOpen == true }

    /// The time at which a decision on held frames may become possible although nothing has arrived.
    var deadline: MonotonicInstant? {
        .earliest(.earliest(first?.deadline, trunk.deadline), isBack ? nil : hedge?.deadline)
    }

    /// Whether the first connection delivers, and needs no hedge.
    var needsNoHedge: Bool {
        guard isOpen, !trunk.isWatching else { return false }
        guard let hedge else { return true }
        guard let backSince, reactor.now - backSince >= Self.steadiness else { return false }
        return !trunk.hopes(behind: hedge.joint.behind ?? .zero)
    }

    /// Calls back once all bytes gathered in the kernel have been read.
    func collect(then done: @escaping () -> Void) { gatherer.collect(then: done) }
}

// MARK: - Opening

extension Junction {
    func open(first connection: StationConnection) {
        adopt(connection)
        connection.upstream.open()
    }

    func open(hedge connection: StationConnection) {
        backSince = nil
        hedge = connection
        // The first connection is silent, so a whole frame waits for nothing, and the hedge follows it.
        first?.upstream.releaseHeld()
        connection.upstream.open()
    }

    /// Makes a connection the first one.
    func adopt(_ connection: StationConnection) {
        first = connection
    }

    /// Removes the first connection, whose file is over: another connection follows. The file begins at `place`. From
    /// now on, nothing continues what was delivered.
    func dismissFirst(from place: FramePlace?) {
        closeOthers()
        guard let connection = first else { return }
        connection.upstream.close()
        first = nil
        trunk.markForeign(from: place)
        hub.flush()
    }

    /// Makes the hedge the first connection, if the hedge belongs to this attempt. Returns false if the hedge is not
    /// open yet; the old first connection is closed in either case. Call ``decide(_:_:)`` next, because the hedge's
    /// frames may have waited only for this change.
    func promoteHedge(_ number: Int) -> Bool {
        leaveFirst()
        guard let connection = hedge, connection.number == number else { return false }
        hedge = nil
        adopt(connection)
        return true
    }
}

// MARK: - Joining

extension Junction {
    /// Announces the first connection's station, once its format is known.
    func announceFirst() {
        guard let first, !first.mayBeOther, let info = first.takeAnnouncement() else { return }
        trunk.announce(info)
    }

    /// The second pass of a delivery, also called when time has passed: decides on a connection's held frames if
    /// possible, delivers what belongs to the programme, and fits air time.
    func decide(_ connection: StationConnection, _ now: MonotonicInstant) {
        if first === connection { announceFirst() }
        // The connection may have been closed in the same loop iteration.
        guard first === connection || hedge === connection && hedgeMayDecide(now) else { return }
        settle(connection, now)
        guard first === connection, connection.joint.isOpen else { return }
        letGo(left)
        left = []
        trunk.arrived(now)
        if connection.fileBody == nil { learn(connection, now) }
        findHoles()
        trunk.fillGaps()
        if !isBack { hedge?.joint.rejoin(after: trunk.bookmark) }
        hub.flush()
    }

    /// Whether the hedge's frames may be delivered: not beside a first connection that is back, unless that one is silent
    /// again.
    private func hedgeMayDecide(_ now: MonotonicInstant) -> Bool {
        guard isBack else { return true }
        guard run.machine.silence(now) >= run.machine.hedgeDelay else { return false }
        backSince = nil
        hedge?.joint.rejoin(after: trunk.bookmark)
        return true
    }

    /// Decides on a connection's held frames if possible.
    private func settle(_ connection: StationConnection, _ now: MonotonicInstant) {
        let isHedge = hedge === connection
        connection.joint.lag = trunk.lag(of: connection)
        // Beside a better entry, the first connection goes on delivering.
        if isHedge, connection.isBetter { connection.joint.rejoin(after: trunk.bookmark) }
        if !isHedge, !left.isEmpty, connection.joint.wouldGap(connection.clock, at: now) { concludeLeft() }
        if let decision = connection.joint.arrived(connection.clock, at: now, mayGap: !isHedge) {
            if case .stranger = decision { return delegate?.isStranger(connection) ?? () }
            if isHedge { delegate?.hedgeContinues(now) }
            guard first === connection else { return }
            if !connection.changesStation(by: decision) { announceFirst() }
            trunk.join(connection, decision)
        }
    }

    /// Reports holes that are known by now. What continues the programme may have what is missing in them.
    func findHoles() {
        guard trunk.findHoles() > .zero else { return }
        for open in [first, hedge] { open?.joint.rejoin(after: trunk.bookmark) }
    }

    /// Drops the held frames of an ended hedge, once the first connection is known to bring that audio itself.
    func firstIsBack() {
        backSince = isOpen && hedge != nil ? backSince ?? reactor.now : nil
        guard needsNoHedge else { return }
        letGo([remnant].compactMap(\.self))
        remnant = nil
    }

    /// Drops the frames that connections still hold. They may be missing elsewhere.
    private func letGo(_ connections: [StationConnection]) {
        for connection in connections where !connection.joint.isOpen {
            connection.joint.lag = trunk.lag(of: connection)
            connection.joint.discard()
        }
    }

    /// Handles the end of the first connection's body while there are other connections. Delivers its last frame if the
    /// others still hold all of their frames. That frame does not count as a sign of life: the hedge stays, and
    /// continues after the frame if it can. Returns false if there is no other connection.
    func endsBeside(_ connection: StationConnection, _ now: MonotonicInstant) -> Bool {
        let others = left + [hedge ?? remnant].compactMap(\.self)
        guard first === connection, !others.isEmpty else { return false }
        guard others.allSatisfy(\.joint.holdsAll) else { return true }
        connection.upstream.flush()
        decide(connection, now)
        for other in others { other.joint.rejoin(after: trunk.bookmark) }
        return true
    }

    /// Updates the estimate of the air time from the live frames just delivered, and learns how the station delivers:
    /// its burst and its pauses.
    private func learn(_ connection: StationConnection, _ now: MonotonicInstant) {
        trunk.fitAirTime(connection, now)
        let isBurstOver = connection.hasBurstEnded
        if isBurstOver {
            run.machine.measured(burst: connection.burst, pause: connection.usualPause)
            if gatherer.hedgeDelay != run.machine.hedgeDelay { gatherer.hedgeDelay = run.machine.hedgeDelay }
        }
        guard let format = hub.ring.format else { return }
        gatherer.delivered(
            upTo: hub.position, sampleRate: format.sampleRate, isBurstOver: isBurstOver, now: now)
    }
}

// MARK: - Leaving

extension Junction {
    func closeHedge() {
        guard let hedge else { return }
        hedge.upstream.close(isReleasing: true)
        if hedge !== remnant { letGo([hedge]) }
        self.hedge = nil
    }

    /// Keeps the held frames of an ended hedge while the first connection may still recover.
    func keep(_ connection: StationConnection) {
        guard connection.joint.frames > 0 else { return }
        letGo([remnant].compactMap(\.self))
        remnant = connection
    }

    /// Closes all other connections, and drops the frames they hold: the first connection has delivered everything.
    func closeOthers() {
        letGo(left + [remnant].compactMap(\.self))
        (left, remnant) = ([], nil)
        closeHedge()
    }

    /// Closes both connections. Their held frames go where they most likely belong: the frames of the hedge after those
    /// of the first connection.
    func closeBoth(isLast: Bool = false) {
        let others = [remnant, hedge].compactMap(\.self)
        hedge?.upstream.close(isReleasing: true)
        (remnant, hedge) = (nil, nil)
        closeFirst(isLast: isLast)
        concludeLeft(isLast: isLast)
        conclude(inOrder: others, isLast: isLast)
        hub.flush()
    }

    /// Concludes the first connection, whose held frames precede its failure.
    func concludeFirst() {
        if let first { conclude(first, isLast: false) }
    }

    private func closeFirst(isLast: Bool) {
        guard let connection = first else { return }
        connection.upstream.close(isReleasing: true)
        first = nil
        trunk.findHoles(isOver: true)
        conclude(connection, isLast: isLast)
        if !isLast { resumeOutage() }
    }

    /// Removes the first connection in favour of the hedge. If the hedge continues the programme, it sends the frames
    /// held by earlier connections again. If the hedge still lags behind, earlier connections wait in ``left``, because
    /// it may end before it catches up.
    private func leaveFirst() {
        guard let connection = first else { return }
        connection.upstream.close(isReleasing: hedge?.joint.isDecided != true)
        (first, backSince) = (nil, nil)
        trunk.findHoles(isOver: true)
        hedge?.joint.rejoin(after: trunk.bookmark)
        left += [connection, remnant].compactMap(\.self).filter { !$0.joint.isOpen }
        remnant = nil
        if hedge?.joint.isDecided == true {
            letGo(left)
            return left = []
        }
        guard hedge?.joint.behind != nil else { return concludeLeft() }
        // A connection that also lags behind holds only frames that the hedge will send.
        letGo(left.filter { $0.joint.behind != nil })
        left.removeAll { $0.joint.behind != nil }
        if left.count > Self.mostLeft { concludeLeft() }
    }

    /// Concludes the ended connections before the first one: their frames precede all of its frames.
    private func concludeLeft(isLast: Bool = false) {
        let connections = left
        left = []
        conclude(inOrder: connections, isLast: isLast)
    }

    /// Concludes ended connections. Each adds only frames that earlier connections did not bring. Connections that are
    /// still open are then compared with the new end of the audio.
    private func conclude(inOrder connections: [StationConnection], isLast: Bool) {
        for connection in connections {
            connection.joint.rejoin(after: trunk.bookmark)
            conclude(connection, isLast: isLast)
            for open in [first, hedge] { open?.joint.rejoin(after: trunk.bookmark) }
            if !isLast { resumeOutage() }
        }
    }

    /// Puts the held frames of an ended connection where they most likely belong.
    private func conclude(_ connection: StationConnection, isLast: Bool) {
        connection.joint.lag = trunk.lag(of: connection)
        if !left.isEmpty, connection.joint.wouldConcludeWithGap(connection.clock) { concludeLeft(isLast: isLast) }
        let decision = connection.joint.conclude(connection.clock)
        if case .stranger = decision { return }
        if let decision { trunk.join(connection, decision) }
        if isLast { trunk.release() }
        hub.flush()
    }

    /// Begins an outage again if audio is still missing after held frames were delivered.
    private func resumeOutage() {
        if !trunk.isMissingAudio, let failure = run.machine.lastFailure { trunk.noteOutage(failure) }
    }
}
