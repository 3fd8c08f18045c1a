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
    /// Connections that ended while another one might bring what they hold. Once the first connection delivers, what it
    /// does not bring is found audio.
    private var ended: [StationConnection] = []

    /// Since when the first connection has delivered beside the hedge, which then only brings what is missing; nil if
    /// it has not.
    private var backSince: MonotonicInstant?
    private var isBack: Bool { backSince != nil }

    private let run: StationRun
    private let gatherer: Gatherer
    private var trunk: Trunk { run.trunk }
    private var hub: StreamHub { run.trunk.hub }
    private var reactor: any Reactor { run.reactor }

    /// A first connection that is back may break off again within this time.
    private static let steadiness = Duration.seconds(1)

    /// The most connections in ``ended``: each may hold megabytes.
    private static let mostEnded = 3

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
        if let first, !isOpen, first.joint.frames > 0 { connection.joint.noteOthers() }
        connection.upstream.open()
    }

    /// Makes a connection the first one.
    func adopt(_ connection: StationConnection) {
        first = connection
    }

    /// Removes the first connection, whose file is over: another connection follows. The file begins at `place`. From
    /// now on, nothing continues what was delivered.
    func dismissFirst(from place: FramePlace?) {
        closeHedge()
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
        trunk.arrived(now)
        if connection.fileBody == nil { learn(connection, now) }
        findHoles()
        trunk.fillGaps()
        if !isBack { hedge?.joint.rejoin(after: trunk.bookmark) }
        hub.flush()
    }

    /// Whether the hedge's frames may be delivered: not beside a first connection that is back, unless that one is
    /// silent again.
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
        tellTime(to: connection)
        if !isHedge, !isOpen { hedge?.joint.noteOthers() }
        connection.joint.usualBurst = trunk.expectsOtherFrames(of: connection) ? run.machine.usualBurst : nil
        // Beside a better entry, the first connection goes on delivering.
        if isHedge, connection.isBetter { connection.joint.rejoin(after: trunk.bookmark) }
        if !isHedge, !ended.isEmpty, connection.joint.wouldGap(connection.clock, at: now) {
            concludeEnded(before: connection.number, isLast: false)
        }
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
        guard trunk.findHoles() else { return }
        for open in [first, hedge] { open?.joint.rejoin(after: trunk.bookmark) }
    }

    /// Call after a delivery of the first connection.
    func firstIsBack() {
        backSince = isOpen && hedge != nil ? backSince ?? reactor.now : nil
        guard needsNoHedge else { return }
        ended.forEach(letGo)
        ended = []
    }

    private func tellTime(to connection: StationConnection) {
        connection.joint.lag = trunk.lag(of: connection)
        (connection.joint.edge, connection.joint.origin) = (connection.edge, connection.clock.origin)
    }

    /// Drops the frames that a connection still holds. They may be missing elsewhere.
    private func letGo(_ connection: StationConnection) {
        guard !connection.joint.isOpen else { return }
        tellTime(to: connection)
        connection.joint.discard()
    }

    /// Handles the end of the first connection's body beside a hedge. Delivers its last frame if the hedge still holds
    /// all of its frames. That frame does not count as a sign of life: the hedge stays, and continues after the frame
    /// if it can. Returns false if there is no hedge.
    func endsBeside(_ connection: StationConnection, _ now: MonotonicInstant) -> Bool {
        guard first === connection, let hedge else { return false }
        guard hedge.joint.holdsAll else { return true }
        connection.upstream.flush()
        decide(connection, now)
        hedge.joint.rejoin(after: trunk.bookmark)
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
        hedge?.upstream.close(isReleasing: true)
        hedge.map(letGo)
        hedge = nil
    }

    /// Takes the hedge, which has ended, out of use while the first connection may still recover.
    func keepHedge() {
        hedge?.upstream.close(isReleasing: true)
        hedge.map(keep)
        hedge = nil
    }

    private func keep(_ connection: StationConnection) {
        guard !connection.joint.isOpen, connection.joint.frames > 0 else { return }
        ended.append(connection)
        if ended.count > Self.mostEnded { letGo(ended.removeFirst()) }
    }

    /// Closes all connections. Their held frames go where they most likely belong.
    func closeAll(isLast: Bool = false) {
        hedge?.upstream.close(isReleasing: true)
        let last = hedge
        hedge = nil
        closeFirst()
        if !isLast { resumeOutage() }
        last.map(keep)
        concludeEnded(isLast: isLast)
        hub.flush()
    }

    /// Concludes the first connection, whose held frames precede its failure.
    func concludeFirst() {
        guard let first else { return }
        concludeEnded(before: first.number, isLast: false)
        conclude(first, isLast: false)
    }

    private func closeFirst() {
        guard let connection = first else { return }
        connection.upstream.close(isReleasing: hedge?.joint.isDecided != true)
        (first, backSince) = (nil, nil)
        trunk.findHoles(isOver: true)
        hedge?.joint.rejoin(after: trunk.bookmark)
        keep(connection)
    }

    /// Removes the first connection in favour of the hedge. If the place of the hedge is known, it brings all that
    /// follows the programme.
    private func leaveFirst() {
        closeFirst()
        if hedge?.joint.isDecided != true, hedge?.joint.behind == nil { concludeEnded(isLast: false) }
    }

    /// Concludes the ended connections in the order in which they were opened. Each adds only frames that earlier
    /// connections did not bring. Those that are open are then compared with the new end of the audio.
    private func concludeEnded(before number: Int = .max, isLast: Bool) {
        let connections = ended.filter { $0.number < number }.sorted { $0.number < $1.number }
        ended.removeAll { $0.number < number }
        for (index, connection) in connections.enumerated() {
            connection.joint.rejoin(after: trunk.bookmark, isLater: index > 0)
            conclude(connection, isLast: isLast)
            for open in [first, hedge] { open?.joint.rejoin(after: trunk.bookmark, isLater: true) }
            if !isLast { resumeOutage() }
        }
    }

    /// Puts the held frames of an ended connection where they most likely belong.
    private func conclude(_ connection: StationConnection, isLast: Bool) {
        tellTime(to: connection)
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
