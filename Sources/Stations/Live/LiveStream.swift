// SPDX-License-Identifier: MIT

package import CurlClient
package import EventLoop
import Instants
package import RadioCore
import RadioFormats

/// A live stream: runs the connection machine of one station.
///
/// Decisions are made in ``ConnectionMachine`` and in the splicer. The stream tells the machine what happens on its
/// connections, and opens and closes them as the machine demands. The ``Junction`` decides which of their frames join
/// the ``Trunk``, and when. A connection that brings a file goes to a ``WebFile``, which takes this source's place.
final class LiveStream {
    let run: StationRun
    let junction: Junction
    /// Looks for the index of a file.
    var survey: FileSurvey?

    /// Creates a source that begins anew, or goes on with an open connection.
    init(_ run: StationRun, continuing connection: StationConnection? = nil) {
        self.run = run
        junction = Junction(run)
        junction.delegate = self
        if let connection { junction.adopt(connection) }
    }

    var hub: StreamHub { run.trunk.hub }
}

extension Programme {
    /// Receives a station. All stations of a process share a group, which limits how many are hedged at once. The first
    /// frame is at `start`.
    package convenience init(
        settings: StationSettings, client: any HTTPClient, reactor: any Reactor, group: StationGroup? = nil,
        from start: Position = Position()
    ) {
        self.init(from: start, reactor: reactor) { LiveStream(StationRun(settings, client, reactor, group, into: $0)) }
    }
}

// MARK: - Source

extension LiveStream: StationSource {
    func begin() {
        run.source = self
        guard let connection else { return run.perform(run.machine.start(run.reactor.now)) }
        connection.upstream.delegate = self
    }

    func collect(then done: @escaping () -> Void) { junction.collect(then: done) }

    var connection: StationConnection? { junction.first }

    var deadline: MonotonicInstant? { junction.deadline }

    /// A body may prove to be a file only at its end, but then its audio arrives faster than any station's.
    var canPause: Bool {
        connection.map { $0.isResumable || run.evidence.isFasterThanStations($0.pace) } ?? false
    }
}

// MARK: - Actions of the machine

extension LiveStream {
    func carryOut(_ action: ConnectionMachine.Action) {
        switch action {
        case .none:
            break
        case .connect(let attempt):
            junction.closeAll()
            // Deferred, because this method may run in a callback of the old connection.
            run.reactor.defer { [weak self] in self?.connect(attempt) }
        case .openHedge(let attempt):
            run.group?.hedgeOpened()
            junction.closeHedge()
            run.reactor.defer { [weak self] in self?.openHedge(attempt) }
        case .closeHedge:
            junction.closeHedge()
        case .promote(let attempt):
            promote(attempt)
        case .wait:
            junction.closeAll()
            if let old = run.addresses.mirrors.forgetPlaylists(run.reactor.now) {
                run.machine.replaceMirrors(old)
                run.machine.set(run.addresses.standings)
            }
        case .stop(let reason):
            survey?.cancel()
            junction.closeAll(isLast: true)
            run.end(reason)
        }
    }

    private func target(_ attempt: ConnectionMachine.Attempt) -> Upstream.Target {
        var target = run.addresses.target(attempt)
        target.isNew = !hub.hasAudio
        return target
    }

    private func connect(_ attempt: ConnectionMachine.Attempt) {
        guard run.machine.attempt == attempt else { return }
        let target = target(attempt)
        run.tell(.connecting(url: AddressText(target.url).redacted, attempt: attempt.number))
        junction.open(first: makeConnection(attempt, target))
    }

    private func openHedge(_ attempt: ConnectionMachine.Attempt) {
        guard run.machine.connection(.hedge)?.attempt == attempt else { return }
        let target = target(attempt)
        let url = AddressText(target.url).redacted
        run.tell(run.machine.isReturning ? .returning(url: url) : .hedging(url: url, hasStalled: run.machine.isLive))
        junction.open(hedge: makeConnection(attempt, target))
    }

    private func promote(_ attempt: ConnectionMachine.Attempt) {
        guard junction.promoteHedge(attempt.number), let connection = junction.first else {
            // The hedge had not been opened yet.
            return run.reactor.defer { [weak self] in self?.connect(attempt) }
        }
        run.addresses.memory.led(to: connection.upstream)
        prove(connection, .first)
        junction.decide(connection, run.reactor.now)
    }

    private func makeConnection(_ attempt: ConnectionMachine.Attempt, _ target: Upstream.Target) -> StationConnection {
        var settings = run.settings
        // If a live station answers with a file once, such as an announcement, it is still a station.
        if hub.hasAudio, hub.info?.kind == .live { settings.allowsFinite = false }
        let upstream = Upstream(
            target, settings: settings, client: run.client, reactor: run.reactor, faults: run.faults, delegate: self)
        upstream.relayFields = run.trunk.programme?.requestFields ?? { [] }
        let mirror = run.addresses.mirrors[attempt.mirror].url
        let joint = run.trunk.makeJoint { [weak run] in run?.evidence.file(of: $0) != nil }
        let connection = StationConnection(attempt.number, mirror: mirror, upstream, joint)
        connection.entry = run.addresses.entry(attempt.mirror)
        prove(connection, run.machine.attempt == attempt ? .first : .hedge)
        return connection
    }
}

// MARK: - Timers

extension LiveStream {
    func timerFired() {
        let now = run.reactor.now
        junction.findHoles()
        if junction.hedge != nil, run.machine.silence(now) < run.machine.hedgeDelay { firstIsBack() }
        if let hedge = junction.hedge, run.machine.hedgeMayDecide(now) { junction.decide(hedge, now) }
        for connection in [junction.first, junction.hedge].compactMap(\.self)
        where connection.deadline.map({ $0 <= now }) ?? false {
            let wasFirst = junction.first === connection
            junction.decide(connection, now)
            // Held frames were released just now. They count as a delivery of the first connection, because the hedge
            // has been compared only with the frames before them.
            if wasFirst, junction.first === connection, junction.isOpen {
                run.perform(run.machine.frames(.first, now))
                closeNeedlessHedge()
            }
        }
        run.noteNewAudio(now)
        let wasTrying = run.machine.attempt != nil
        let wasReturning = run.machine.isReturning
        let action = run.machine.tick(now, hedgeAllowed: run.group?.allowsHedge(now) ?? true)
        if wasTrying, !wasReturning || action != .closeHedge { report(run.machine.lastFailure, action) }
        run.perform(action)
    }

    /// Handles a delivery of the first connection. The caller arms the timer.
    func firstIsBack() {
        junction.firstIsBack()
        closeNeedlessHedge()
    }

    /// Closes the hedge beside a first connection that delivers, once it is known what is missing. The caller arms the
    /// timer.
    func closeNeedlessHedge() {
        if junction.needsNoHedge { carryOut(run.machine.recovered()) }
    }
}
