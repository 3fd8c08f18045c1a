// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import HTTPServer
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
    private var station: Station?
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
            let station = makeStation()
            self.station = station
            let mount = Mount(job.path, on: service, reactor: reactor, settings: job.mount)
            mount.tune(to: station.hub)
            self.mount = mount
            station.hub.attach(self)
            tell(.listening(addresses))
            station.start()
        } catch {
            finish(error)
        }
    }

    /// Asks for the end; the outcome is told.
    func stop() { station?.stop() }

    func networkChanged() { station?.networkChanged() }

    func clockStepped() { station?.clockStepped() }

    private func listen(on address: SocketAddress, _ service: HTTPService) throws(Failure) -> SocketAddress {
        do throws(ListenError) {
            return try service.listen(address)
        } catch {
            throw Failure(.usage, error.message, remedy: error.remedy)
        }
    }

    private func makeStation() -> Station {
        switch job.source {
        case .station(let settings):
            let station = Station(settings: settings, client: client, reactor: reactor, group: group)
            station.onNotice = { [tell] in tell(.station($0)) }
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
