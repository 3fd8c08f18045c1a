// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import HTTPServer
import Instants
import MediaSources
import RadioCore
import Relay
import Stations

/// One `relay`: a programme, the mount under which it is served, and status pages. Confined to the loop's thread.
final class RelaySession {
    private let job: RelayJob
    private let reactor: any Reactor
    private let client: CurlClient
    private let group: StationGroup
    private let wantsProgress: Bool
    private let tell: @Sendable (RelayEvent) -> Void
    private var service: HTTPService?
    private var mount: Mount?
    private var pages: StatusPages?
    private var supply: ProgrammeSupply?
    /// The programme that is the fallback, while it runs.
    private weak var fallback: (any RelayedProgramme)?
    private var progressTimer: (any ReactorTimer)?
    private let began: MonotonicInstant
    /// By which other relays know this process.
    private let id = RelayID()
    /// The programme is over, and listeners get the last of it.
    private var isBeingHeard = false
    /// With which the programme ended that is being heard.
    private var failure: Failure?
    private var isStopping = false
    private var hasEnded = false
    /// Items that were skipped.
    private var told: Set<String> = []

    /// In the report.
    private static let mostListeners = 1000
    /// After this number of skipped items no more are named.
    private static let mostTold = 200_000
    private static let progressInterval = Duration.milliseconds(500)

    init(
        job: RelayJob, wantsProgress: Bool, client: CurlClient, group: StationGroup, reactor: any Reactor,
        tell: @escaping @Sendable (RelayEvent) -> Void
    ) {
        self.job = job
        self.wantsProgress = wantsProgress
        self.client = client
        self.group = group
        self.reactor = reactor
        self.tell = tell
        began = reactor.now
    }

    func start() {
        let service = HTTPService(reactor: reactor, limits: job.limits)
        self.service = service
        service.hosts = HostCheck(names: job.hostNames)
        do throws(Failure) {
            let addresses = try job.addresses.map { address throws(Failure) in try listen(on: address, service) }
            tell(.listening(addresses))
        } catch {
            return finish(error)
        }
        let mount = Mount(
            job.path, on: service, reactor: reactor, settings: job.mount,
            serial: UInt32(truncatingIfNeeded: reactor.wallNow.nanoseconds), id: id)
        self.mount = mount
        var rules = HTTPRouteRules()
        rules.networks = job.mount.rules.networks
        rules.users = job.mount.rules.users
        pages = StatusPages(on: service, server: job.server, started: reactor.wallNow, rules: rules) { [mount] }
        if let source = job.fallback { addFallback(source, to: mount) }
        let supply = ProgrammeSupply(for: mount, linger: job.linger, reactor: reactor) { [unowned self] in
            makeProgramme()
        }
        self.supply = supply
        supply.onEnd = { [unowned self] failure in finishWhenHeard(failure) }
        supply.onFailure = { [tell] in tell(.failed($0)) }
        supply.onWanted = { [tell] in tell(.wanted($0)) }
        supply.start()
        startProgress()
    }

    /// Asks for the end; the outcome is told.
    func stop() {
        isStopping = true
        guard let supply, !isBeingHeard else { return finish(failure) }
        supply.stop()
    }

    func networkChanged() {
        supply?.networkChanged()
        fallback?.networkChanged()
    }

    func clockStepped() {
        supply?.clockStepped()
        fallback?.clockStepped()
    }

    private func listen(on address: SocketAddress, _ service: HTTPService) throws(Failure) -> SocketAddress {
        do throws(ListenError) {
            return try service.listen(address)
        } catch {
            throw Failure(error)
        }
    }

    private func makeProgramme() -> any RelayedProgramme {
        let programme = makeProgramme(job.source)
        (programme as? Station)?.onNotice = { [tell] in tell(.station($0)) }
        return programme
    }

    private func addFallback(_ source: RelayJob.Source, to mount: Mount) {
        let serial = ~UInt32(truncatingIfNeeded: reactor.wallNow.nanoseconds)
        let fallback = Fallback(for: job.mount, reactor: reactor, serial: serial) { [unowned self] in
            let programme = makeProgramme(source)
            self.fallback = programme
            return programme
        }
        fallback.onNotice = { [tell] in tell(.fallback($0)) }
        mount.fallback = fallback
    }

    private func makeProgramme(_ source: RelayJob.Source) -> any RelayedProgramme {
        switch source {
        case .station(let settings):
            let station = Station(settings: settings, client: client, reactor: reactor, group: group)
            station.relayFields = { [weak mount] in mount.map { [.init(name: "Via", value: $0.via)] } ?? [] }
            return station
        case .media(let plan):
            let info = StationInfo(kind: .live, name: plan.name, url: "")
            let station = MediaStation(plan, info: info, ahead: job.mount.burst, reactor: reactor)
            station.onSkip = { [unowned self] in skipped($0, $1) }
            return station
        }
    }

    /// Is said once, also where the programme begins anew for each who listens.
    private func skipped(_ item: String, _ reason: String) {
        guard told.count < Self.mostTold, told.insert(item).inserted else { return }
        tell(.skipped(item: item, reason: reason))
    }

    /// A programme that is over is heard to its end.
    private func finishWhenHeard(_ failure: Failure?) {
        guard let mount, !isStopping else { return finish(failure) }
        isBeingHeard = true
        self.failure = failure
        mount.whenHeard { [unowned self] in finish(failure) }
    }

    private func finish(_ failure: Failure?) {
        guard !hasEnded else { return }
        hasEnded = true
        progressTimer?.cancel()
        // The programme speaks from inside its own end.
        reactor.defer { [self] in
            var outcome = RelayOutcome(failure: failure)
            outcome.mount = mount?.snapshot
            outcome.listeners = mount?.listeners(limit: Self.mostListeners) ?? []
            outcome.elapsed = reactor.now - began
            (outcome.reconnects, outcome.hedges) = supply?.connections ?? (0, 0)
            pages?.close()
            mount?.close()
            service?.close()
            tell(.ended(outcome))
        }
    }
}

// MARK: - Progress

extension RelaySession {
    private func startProgress() {
        guard wantsProgress else { return }
        progressTimer = reactor.makeTimer { [weak self] in self?.showProgress() }
        showProgress()
    }

    private func showProgress() {
        guard let mount, !hasEnded else { return }
        tell(
            .progress(
                RelayProgress(
                    elapsed: reactor.now - began, listeners: mount.listenerCount, title: mount.onAirTitle,
                    reconnects: supply?.connections.reconnects ?? 0, isOnAir: mount.hasAudio)))
        progressTimer?.arm(at: reactor.now + Self.progressInterval)
    }
}
