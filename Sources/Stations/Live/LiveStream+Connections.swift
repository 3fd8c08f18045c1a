// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats

// MARK: - JunctionDelegate

extension LiveStream: JunctionDelegate {
    func hedgeContinues(_ now: MonotonicInstant) { run.perform(run.machine.matched(now)) }
}

// MARK: - UpstreamDelegate

extension LiveStream: UpstreamDelegate {
    func upstream(_ upstream: Upstream, _ event: UpstreamEvent) {
        // Another source may have taken the stream's place.
        guard run.source === self else { return }
        let now = run.reactor.now
        if case .ended(.complete) = event, let hedge = junction.hedge, hedge.upstream === upstream {
            // The hedge's body is complete, so no further frames will come to base the decision on.
            junction.decide(hedge, now)
        }
        guard let (connection, role) = junction.connection(of: upstream) else { return }
        switch event {
        case .delivered: return delivered(connection, role)
        case .bodyIsOver(let isBroken):
            guard !connection.breaksOff(isBroken: isBroken), !junction.endsBeside(connection, now) else { return }
            upstream.flush()
            // The last bytes may have ended the connection, so the connection is looked up again by its upstream.
            return self.upstream(upstream, .delivered)
        case .ended(let end): return ended(connection, role, end, now)
        case .entered, .answered, .firstByte: run.note(event, role, of: upstream, now)
        }
        run.armTimer()
    }

    func upstream(_ upstream: Upstream, newIn bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let connection = junction.connection(of: upstream)?.connection
        connection?.fileBody?.append(bytes)
        connection?.supposedFile?.append(bytes)
        return bytes
    }

    func upstream(_ upstream: Upstream, offers response: UnreadResponse) -> UpstreamEnd? {
        guard run.source === self, let (connection, role) = junction.connection(of: upstream) else { return nil }
        if response.guess == .undecided, let failure = accepted(connection, role) { return .failed(failure) }
        for reader in readers {
            guard let reading = reader(response, connection) else { continue }
            return if case .done(let end) = reading { end } else { nil }
        }
        return nil
    }

    /// Whether a file that breaks off may keep other addresses from being tried: any of them may have the station.
    private var mayStayWithFile: Bool { run.settings.allowsFinite || run.addresses.mirrors.count == 1 }

    /// Handles the head of a response. Returns the failure if it is that of a station that may not be heard.
    private func accepted(_ connection: StationConnection, _ role: ConnectionMachine.Role) -> Failure? {
        let info = connection.upstream.info
        if role == .first { run.addresses.memory.led(to: connection.upstream) }
        if connection.upstream.hasCredentials { run.machine.mayHedge = false }
        run.addresses.answered(connection.mirror, name: info?.icyName)
        run.machine.set(run.addresses.standings)
        prove(connection, role)
        if run.addresses.isRefused(connection.mirror) { return otherStation(connection, info) }
        run.machine.accepted(role, finalURLDiffers: connection.upstream.movedTo != nil, run.reactor.now)
        run.armTimer()
        return nil
    }

    /// The second pass of a delivery, whose frames have reached their joint.
    private func delivered(_ connection: StationConnection, _ role: ConnectionMachine.Role) {
        guard connection.takeNewFrames() else {
            // Bytes without a frame may have shown the station.
            if role == .first { junction.announceFirst() }
            return
        }
        let now = run.reactor.readClocks().now
        run.arrived(on: connection, now)
        guard connection.takeArrival() else {
            // A frame that was released long after its bytes is no sign of life.
            if role == .first { junction.decide(connection, now) }
            _ = run.trunk.takeNewFrames()
            return run.armTimer()
        }
        carryOut(run.machine.frames(role, connection.lastHeard(now), mayMatch: connection.joint.mayMatch))
        switch role {
        case .first:
            junction.decide(connection, now)
            if junction.first === connection { firstIsBack() }
        case .hedge:
            // The action may have promoted the hedge. Only a first connection is decided on at once, even if that makes
            // a gap.
            if run.machine.hedgeMayDecide(now) || junction.first === connection { junction.decide(connection, now) }
        }
        run.noteNewAudio(now)
        if let first = junction.first, first.joint.isOpen {
            if junction.hedge == nil, mayStayWithFile, run.evidence.isFasterThanStations(first.pace) {
                first.takeAsFile()
            }
            // By its head or its pace the response is a file, by its body audio.
            if first.isResumable { giveWay(to: WebFile(run, first)) }
        }
        run.armTimer()
    }

    func ended(
        _ connection: StationConnection, _ role: ConnectionMachine.Role, _ end: UpstreamEnd, _ now: MonotonicInstant
    ) {
        guard let attempt = run.machine.connection(role)?.attempt else { return }
        if role == .first {
            junction.announceFirst()
            if end == .complete { concludeFile(connection) }
            // A receiver of the frames may have stopped the station.
            guard junction.first === connection else { return }
        }
        let url = AddressText(run.addresses.mirrors[attempt.mirror].url).redacted
        let verdict = run.evidence.verdict(
            at: end, of: connection.body, role, from: url, run.settings,
            leadsOn: run.addresses.leadsOn(from: connection.mirror), isAfterOpener: run.trunk.isAfterOpener,
            isAll: isAll(connection), reconnects: run.machine.reconnects, frames: hub.position.frames, now)
        let isReturn = run.machine.connection(role)?.isReturn == true
        let failure: Failure?
        switch (end, verdict) {
        case (_, .wholeFile):
            junction.closeHedge()
            // Files before it, and no station: that is not what a list is recorded for.
            return run.perform(run.machine.finished(run.addresses.hasOpener ? .onlyFiles(at: url) : nil))
        case (_, .opener(let place)):
            return passOpener(connection, from: place, now)
        case (_, .found(let file, let place)):
            // If a station was heard before, the file, for example an announcement that it is off the air, is marked.
            if let place { run.trunk.markForeign(from: place) }
            failure = file.failure
            run.addresses.memory.found(file, at: run.addresses.mirrors[attempt.mirror].url)
        case (.playlist(let list), .none) where run.addresses.follow(list.entries, connection.upstream, attempt, now):
            return followed(list, at: url, role, now)
        case (_, .none):
            failure = run.addresses.learn(from: end, attempt, wasHeard: hub.hasAudio, now)
        }
        let action = run.machine.ended(role, failure, now)
        if !isReturn || action != .closeHedge {
            report(run.machine.lastFailure, action)
            if role == .hedge, action == .closeHedge { junction.keepHedge() }
        }
        run.perform(action)
    }

    /// Whether the programme has only the connection's frames, and not all of them came before: a connection whose
    /// frames were all there has not joined the programme.
    private func isAll(_ connection: StationConnection) -> Bool {
        connection.place != nil && connection.joint.frames == hub.position.frames - hub.ring.start.frames
    }

    private func followed(
        _ list: Playlist, at url: String, _ role: ConnectionMachine.Role, _ now: MonotonicInstant
    ) {
        if run.addresses.mirrors.note(playlist: url) {
            let ignored = EntryOptions.ignored(in: list.entries.map(\.options))
            run.tell(
                .followedPlaylist(
                    url: url, entries: list.entries.count, leftOut: list.leftOut, ignoredOptions: ignored))
        }
        if run.addresses.mirrors.contains(where: run.settings.hasCredentials) { run.machine.mayHedge = false }
        let addresses = run.addresses
        run.perform(
            run.machine.follow(role, mirrors: addresses.mirrors.count, standings: addresses.standings, now))
    }

    /// Reports the end of a connection while the station continues: to the log, and as the cause of a possible gap.
    func report(_ failure: Failure?, _ action: ConnectionMachine.Action) {
        switch action {
        case .none, .stop, .openHedge: return
        case .closeHedge where run.machine.isLive:
            // The first connection may still recover: nothing is missing yet.
            if let failure { run.tell(.hedgeFailed(failure)) }
            return
        case .promote, .closeHedge: break
        case .connect, .wait: junction.concludeFirst()
        }
        guard let failure else { return }
        hub.flush()
        run.trunk.noteOutage(failure)
        run.tellFailure(failure)
    }

    /// Lets a body that has ended, and may be a file, join the programme: only when all of its frames are delivered is
    /// it known whether they continue the programme. A known file is kept already.
    private func concludeFile(_ connection: StationConnection) {
        if connection.place == nil, run.evidence.file(of: connection.joint.trace) != nil {
            connection.joint.discard()
        } else if run.evidence.isFile(connection.body) {
            junction.concludeFirst()
        }
    }
}

// MARK: - The entries of a list

extension LiveStream {
    /// Tells a connection what is known of the station that it carries, until its frames decide.
    func prove(_ connection: StationConnection, _ role: ConnectionMachine.Role) {
        guard !connection.joint.isDecided else { return }
        connection.isBetter = run.addresses.isBetter(connection.mirror)
        var isRenamed = false
        if let answer = connection.upstream.info, let current = hub.info, hub.hasAudio, current.kind == .live,
            !run.trunk.isAfterOpener
        {
            isRenamed = run.addresses.isRenamed(connection.mirror, answer, current)
        }
        connection.joint.proof = run.addresses.proof(
            of: connection.mirror, for: role, isReturning: run.machine.isReturning, isRenamed: isRenamed)
        if role == .first { run.trunk.findPlace(of: connection) }
    }

    func isStranger(_ connection: StationConnection) {
        guard let (_, role) = junction.connection(of: connection.upstream) else { return }
        // So much audio has come from the better entry that it need not be waited for any longer.
        if role == .hedge, run.machine.isReturning { return run.perform(run.machine.matched(run.reactor.now)) }
        if let file = run.evidence.file(of: connection.joint.trace) {
            connection.upstream.close()
            return ended(connection, role, .failed(file.failure), run.reactor.now)
        }
        run.addresses.isStranger(connection.mirror)
        run.machine.set(run.addresses.standings)
        connection.upstream.close()
        ended(connection, role, .failed(otherStation(connection, connection.upstream.info)), run.reactor.now)
    }

    private func otherStation(_ connection: StationConnection, _ info: StationInfo?) -> Failure {
        .otherStation(connection.mirror, info?.icyName, hub.info?.name ?? run.addresses.chosenName)
    }

    /// Goes on with the next entry of the list.
    private func passOpener(_ connection: StationConnection, from place: FramePlace?, _ now: MonotonicInstant) {
        junction.concludeFirst()
        // A receiver of the frames may have stopped the station.
        guard junction.first === connection else { return }
        let before = run.addresses.choice
        run.addresses.playedOpener(connection.mirror)
        run.tellChoice(unless: before)
        run.evidence = FileEvidence()
        run.trunk.programme?.dropPauses()
        junction.dismissFirst(from: place ?? connection.place)
        run.machine.set(run.addresses.standings)
        run.perform(run.machine.playedOpener(now))
    }
}
