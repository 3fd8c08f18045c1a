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

    private let run: StationRun
    private let gatherer: Gatherer
    private var trunk: Trunk { run.trunk }
    private var hub: StreamHub { run.trunk.hub }
    private var reactor: any Reactor { run.reactor }

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
        .earliest(.earliest(first?.deadline, trunk.resumption.deadline), isExamining ? nil : hedge?.deadline)
    }

    /// Whether a silence of the first connection is being examined, because it is not known yet whether audio was left
    /// out. Meanwhile the hedge's frames wait, because only they can fill the hole.
    var isExamining: Bool { trunk.resumption.isExamining }

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
        hedge = connection
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

    /// Announces the station if bytes without a frame have shown it, and lets a frame wait for its end no longer than
    /// sinks allow.
    func received(_ now: MonotonicInstant) {
        announceFirst()
        gatherer.received(now)
    }

    /// The second pass of a delivery, also called when time has passed: decides on a connection's held frames if
    /// possible, delivers what belongs to the programme, and fits air time.
    func decide(_ connection: StationConnection, _ now: MonotonicInstant) {
        if first === connection { announceFirst() }
        // The connection may have been closed in the same loop iteration.
        guard first === connection || hedge === connection && !isExamining else { return }
        settle(connection, now)
        guard first === connection, connection.joint.isOpen else { return }
        left = []
        trunk.arrived(now)
        if connection.fileBody == nil { learn(connection, now) }
        hub.flush()
    }

    /// Ends the examination of a silence once its verdict is due. If audio is missing and the hedge has some of it, the
    /// hedge becomes the first connection. Returns whether the connection that was silent delivers steadily again.
    func settleSilence(_ now: MonotonicInstant) -> Bool {
        guard let verdict = trunk.resumption.verdict(now) else { return false }
        defer { released(now) }
        if let hedge, verdict != .delayed, hasMissing(hedge, of: verdict.missing ?? .zero) {
            trunk.resumption.forget()
            guard let decision = hedge.joint.conclude(hedge.clock) else { return false }
            delegate?.hedgeContinues(now)
            if case .gap = decision { trunk.noteOutage(ConnectionMachine.stalled) }
            if first === hedge { trunk.join(hedge, decision) }
            return false
        }
        trunk.resumption.release(after: verdict)
        hub.flush()
        return verdict != .unknown
    }

    /// Whether a connection has audio that is missing before the waiting frames: it continues the programme with other
    /// frames than these, or its first frame leaves a gap that is shorter than `hole`.
    private func hasMissing(_ other: StationConnection, of hole: Duration = .zero) -> Bool {
        switch other.joint.conclusion(other.clock) {
        case .join(let drop, _)?: other.joint.heldMark(drop) != trunk.resumption.heldMarks.first
        case .gap(_, let seam)?:
            other.joint.proof == .given && seam.overlap == .zero && seam.missing.map { $0 < hole } ?? false
                && other.joint.heldMarks.first.map(trunk.hasHeard) == false
        case .hold?, .heard?, nil: false
        }
    }

    /// Stops the examination of a silence, because its connection has ended. A hedge, open or ended, that does not
    /// continue from before the silence is compared with the audio after it.
    private func endExamination() {
        guard isExamining, let other = hedge ?? remnant, !other.joint.isDecided, !hasMissing(other) else { return }
        trunk.endExamination()
        other.joint.rejoin(after: trunk.bookmark)
    }

    /// Decides on a connection's held frames if possible.
    private func settle(_ connection: StationConnection, _ now: MonotonicInstant) {
        let isHedge = hedge === connection
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

    /// Handles the release of frames that waited after a silence. Other connections now continue after these frames.
    private func released(_ now: MonotonicInstant) {
        for other in [hedge, remnant].compactMap(\.self) { other.joint.rejoin(after: trunk.bookmark) }
        guard let first, first.joint.isOpen, first.fileBody == nil else { return }
        trunk.fitAirTime(first, now)
    }

    /// Drops the held frames of an ended hedge, once the first connection is known to bring that audio itself.
    func firstIsBack() {
        if isOpen, !isExamining { remnant = nil }
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
        endExamination()
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
            trunk.resumption.usualSilence = run.machine.usualSilence
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

    /// Keeps the held frames of an ended hedge while the first connection may still recover.
    func keep(_ connection: StationConnection) {
        if connection.joint.frames > 0 { remnant = connection }
    }

    /// Closes all other connections, and drops the frames they hold: the first connection has delivered everything.
    func closeOthers() {
        (left, remnant) = ([], nil)
        closeHedge()
    }

    /// Closes both connections. Their held frames go where they most likely belong: the frames of the hedge after those
    /// of the first connection.
    func closeBoth(isLast: Bool = false) {
        endExamination()
        let others = [remnant, hedge].compactMap(\.self)
        remnant = nil
        closeHedge()
        closeFirst(isLast: isLast)
        concludeLeft(isLast: isLast)
        conclude(inOrder: others, isLast: isLast)
        // The pace of a closed connection will never be known, so its frames need not wait for it.
        trunk.endExamination()
        hub.flush()
    }

    /// Concludes the first connection, whose held frames precede its failure.
    func concludeFirst() {
        if let first { conclude(first, isLast: false) }
    }

    private func closeFirst(isLast: Bool) {
        guard let connection = first else { return }
        connection.upstream.close()
        first = nil
        conclude(connection, isLast: isLast)
        if !isLast { resumeOutage() }
    }

    /// Removes the first connection in favour of the hedge. If the hedge continues the programme, it sends the frames
    /// held by earlier connections again. If the hedge still lags behind, earlier connections wait in ``left``, because
    /// it may end before it catches up.
    private func leaveFirst() {
        guard let connection = first else { return }
        connection.upstream.close()
        endExamination()
        first = nil
        hedge?.joint.rejoin(after: trunk.bookmark)
        left += [connection, remnant].compactMap(\.self).filter { !$0.joint.isOpen }
        remnant = nil
        if hedge?.joint.isDecided == true { return left = [] }
        guard hedge?.joint.behind != nil else { return concludeLeft() }
        // A connection that also lags behind holds only frames that the hedge will send.
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
        if !left.isEmpty, connection.joint.wouldConcludeWithGap(connection.clock) { concludeLeft(isLast: isLast) }
        let decision = connection.joint.conclude(connection.clock)
        if case .stranger = decision { return }
        if let decision {
            trunk.join(connection, decision)
            // The pace of an ended connection will never be known, so its frames need not wait for it.
            trunk.endExamination()
        }
        if isLast { trunk.release() }
        hub.flush()
    }

    /// Begins an outage again if audio is still missing after held frames were delivered.
    private func resumeOutage() {
        if !trunk.isMissingAudio, let failure = run.machine.lastFailure { trunk.noteOutage(failure) }
    }
}
