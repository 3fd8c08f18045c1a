// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats
import Relay
import Stations

/// Serves a programme at a path.
///
/// It claims the programme for its whole lifetime, or, if the programme is on demand, only while somebody wants to
/// listen.
final class MountUse {
    let mount: Mount
    private let spec: MountSpec
    private let host: ProgrammeHost
    private let fallback: FallbackUse?
    private let reactor: any Reactor
    private let tell: (UseNotice) -> Void
    private let onEnd: (any UseOutcome) -> Void
    private let began: MonotonicInstant
    private let before: ProgrammeSnapshot
    /// Whether the programme has ended, and listeners are receiving the rest of its audio.
    private var isBeingHeard = false
    /// The number of runs of the programme so far.
    private var run = 0
    /// The failure that ended the programme; nil for a proper end.
    private var failure: Failure?
    private var isEnding = false
    private var hasEnded = false
    /// Whether `.wanted(true)` has been reported for the current run.
    private var wasWanted = false

    /// The maximum number of listeners in the report.
    private static let mostListeners = 1000

    /// Throws if there is no HTTP service.
    init(_ spec: MountSpec, _ context: UseContext) throws(Failure) {
        self.spec = spec
        (host, reactor, tell, onEnd) = (context.host, context.reactor, context.tell, context.onEnd)
        began = reactor.now
        before = host.snapshot
        let serial = UInt32(truncatingIfNeeded: reactor.wallNow.nanoseconds)
        mount = Mount(
            spec.path, on: try context.service(), reactor: reactor, settings: spec.settings, serial: serial,
            id: context.relayID)
        fallback = spec.fallback.flatMap(context.programme).map { host in
            let fallback = Fallback(for: spec.settings, reactor: context.reactor, serial: ~serial)
            fallback.onNotice = { context.tell(.fallback($0)) }
            return FallbackUse(fallback, of: host)
        }
        mount.fallback = fallback?.fallback
    }

    private var isOnDemand: Bool { spec.settings.isOnDemand }
}

extension MountUse: Use {
    func begin() {
        mount.onUnrelayed = { [weak self] in self?.finish(Self.unrelayed($0), isOwn: true) }
        if isOnDemand { mount.onWanted = { [weak self] in self?.wanted($0) } }
        host.join(self)
        fallback?.begin()
        if !isOnDemand { host.claim(self) }
    }

    func end() {
        guard !isEnding else { return }
        isEnding = true
        guard !isBeingHeard else { return finish(failure) }
        host.release(self)
        // If the release ends the programme, listeners first receive the rest of its audio. The mount ends after that.
        if !host.isStopping { finish(nil) }
    }

    func perform(_ request: any UseRequest) {
        guard case .rules(let rules) = request as? MountRequest else { return }
        mount.setRules(MountRequest.streamRules(rules))
    }

    var snapshot: (any UseSnapshot)? {
        var progress = MountProgress(
            elapsed: reactor.now - began, listeners: mount.listenerCount, title: mount.onAirTitle,
            isOnAir: mount.hasAudio)
        (progress.joins, progress.skips, progress.bytes) = mount.traffic
        return progress
    }

    private static func unrelayed(_ format: StreamFormat) -> Failure {
        Failure(
            .unsupported, "the station sends plain \(format.words), which can be recorded, but not relayed",
            remedy: "relay another address of the station, if it has one")
    }

    private func finish(_ failure: Failure?, isOwn: Bool = false) {
        guard !hasEnded else { return }
        hasEnded = true
        isEnding = true
        // Deferred: the programme may be calling from inside its own end.
        reactor.defer { [self] in
            var outcome = MountOutcome(failure: failure, isOwn: isOwn)
            outcome.mount = mount.snapshot
            outcome.listeners = mount.listeners(limit: Self.mostListeners)
            outcome.elapsed = reactor.now - began
            let now = host.snapshot
            outcome.reconnects = now.reconnects - before.reconnects
            outcome.hedges = now.hedges - before.hedges
            host.leave(self)
            fallback?.end()
            mount.close()
            onEnd(outcome)
        }
    }
}

// MARK: - The programme

extension MountUse: ProgrammeUser {
    var requestFields: [StationSettings.Header] { [.init(name: "Via", value: mount.via)] }

    func programmeBegan(_ programme: Programme) {
        run += 1
        isBeingHeard = false
        mount.tune(to: programme.hub)
    }

    func programmeEnded(_ failure: Failure?) {
        mount.restsUntil = host.restsUntil
        guard !isEnding else { return finish(failure) }
        if isOnDemand { tellEnd(failure) } else { self.failure = failure }
        isBeingHeard = true
        mount.whenHeard { [weak self, run] in self?.wasHeard(run) }
    }

    private func tellEnd(_ failure: Failure?) {
        if let failure { tell(.failed(failure)) } else if !mount.isWanted { tell(.wanted(false)) }
        wasWanted = false
    }

    private func wasHeard(_ run: Int) {
        guard isOnDemand else { return finish(failure) }
        // Deferred: the programme may be calling from inside its own end.
        reactor.defer { [self] in
            // A new run may have begun since the call was deferred.
            guard !hasEnded, run == self.run else { return }
            isBeingHeard = false
            mount.detune()
            if mount.isWanted { claim() }
        }
    }

    private func wanted(_ isWanted: Bool) {
        guard !isEnding else { return }
        guard isWanted else { return host.release(self, linger: spec.linger ?? .seconds(30)) }
        if !isBeingHeard { claim() }
    }

    private func claim() {
        if !wasWanted { tell(.wanted(true)) }
        wasWanted = true
        host.claim(self)
    }
}
