// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import HTTPServer
import MediaSources
import RadioCore
import Relay
import Stations

/// One `relay`: a station, and the mount under which it is re-served. Confined to the loop's thread.
final class RelaySession {
    private let job: RelayJob
    private let reactor: any Reactor
    private let client: CurlClient
    private let group: StationGroup
    private let tell: @Sendable (RelayEvent) -> Void
    private var service: HTTPService?
    private var programme: (any RelayedProgramme)?
    private var mount: Mount?
    private var hasEnded = false

    init(
        job: RelayJob, client: CurlClient, group: StationGroup, reactor: any Reactor,
        tell: @escaping @Sendable (RelayEvent) -> Void
    ) {
        self.job = job
        self.client = client
        self.group = group
        self.reactor = reactor
        self.tell = tell
    }

    func start() {
        do throws(Failure) {
            let service = HTTPService(reactor: reactor, limits: job.limits)
            self.service = service
            let addresses = try job.addresses.map { address throws(Failure) in try listen(on: address, service) }
            let programme = makeProgramme()
            self.programme = programme
            let mount = Mount(job.path, on: service, reactor: reactor, settings: job.mount)
            mount.tune(to: programme.hub)
            self.mount = mount
            programme.hub.attach(self)
            tell(.listening(addresses))
            programme.start()
        } catch {
            finish(error)
        }
    }

    /// Asks for the end; the outcome is told.
    func stop() { programme?.stop() }

    func networkChanged() { programme?.networkChanged() }

    func clockStepped() { programme?.clockStepped() }

    private func listen(on address: SocketAddress, _ service: HTTPService) throws(Failure) -> SocketAddress {
        do throws(ListenError) {
            return try service.listen(address)
        } catch {
            throw Failure(.usage, error.message, remedy: error.remedy)
        }
    }

    private func makeProgramme() -> any RelayedProgramme {
        switch job.source {
        case .station(let settings):
            let station = Station(settings: settings, client: client, reactor: reactor, group: group)
            station.onNotice = { [tell] in tell(.station($0)) }
            return station
        case .media(let plan):
            let info = StationInfo(kind: .live, name: plan.name, url: "")
            let station = MediaStation(plan, info: info, ahead: job.mount.burst, reactor: reactor)
            station.onSkip = { [tell] in tell(.skipped(item: $0, reason: $1)) }
            return station
        }
    }

    private func finish(_ failure: Failure?) {
        guard !hasEnded else { return }
        hasEnded = true
        // The station speaks from inside its own end.
        reactor.defer { [self] in
            mount?.close()
            service?.close()
            tell(.ended(RelayOutcome(failure: failure)))
        }
    }
}

extension RelaySession: StreamSink {
    var tolerance: Duration? { nil }

    func receive(_ event: StreamEvent) {
        if case .ended(let failure) = event { finish(failure) }
    }
}
