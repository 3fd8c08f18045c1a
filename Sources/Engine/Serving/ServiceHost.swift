// SPDX-License-Identifier: MIT

import EventLoop
import HTTPServer
import Instants
import Platform
import RadioCore
import Relay
import WallClock

/// Sets up the single HTTP service by a ``ServiceSpec``, and again whenever a new one arrives: its addresses, its pages
/// and its access log.
final class ServiceHost {
    /// All mounts, for the pages that list them. Set once, by the owner.
    var mounts: () -> [Mount] = { [] }
    private let reactor: any Reactor
    private let tell: (EngineEvent) -> Void
    private let started: WallInstant
    private var running: HTTPService?
    /// The specification with which ``running`` was set up.
    private var spec: ServiceSpec?
    /// Why listening failed; nil if it did not.
    private var failure: Failure?
    /// The pages, as they were mounted last.
    private var pages: [RouteSet] = []
    private var accessLog: AccessLogFile?

    init(_ reactor: any Reactor, tell: @escaping (EngineEvent) -> Void) {
        self.reactor = reactor
        self.tell = tell
        started = reactor.wallNow
    }

    /// The service; throws the reason if there is none.
    func service() throws(Failure) -> HTTPService {
        guard let running else { throw failure ?? Self.noService }
        return running
    }

    func serve(_ new: ServiceSpec) {
        let sockets = new.sockets?.object ?? ListeningSockets()
        let service = running ?? HTTPService(reactor: reactor, limits: new.limits, sockets: sockets)
        if running == nil { service.listenOnInherited() }
        // Sockets of removed addresses are closed first, because one of them may block a new address: 0.0.0.0 takes its
        // port on every address.
        for address in Set(spec?.addresses ?? []).subtracting(new.addresses) { service.stopListening(address) }
        let failed = listen(on: new.addresses, service)
        if running == nil, new.shortage == .fails, let error = failed.first {
            service.close()
            failure = Failure(error)
            return tell(.listening([], failed: failed))
        }
        // Without this socket, the user connects to one of the addresses.
        if let address = new.ownersSocket { try? service.listenForOwner(address) }
        service.limits = new.limits
        service.hosts = HostCheck(names: new.hostNames, remedy: new.hostNameRemedy)
        service.onNotice = { [tell] in tell(.service($0)) }
        keepAccessLog(new, of: service)
        replacePages(by: new, on: service)
        running = service
        spec = new
        tell(.listening(service.addresses, failed: failed))
    }

    /// Listens again on the addresses that failed.
    func listenAgain() {
        guard let running, let spec else { return }
        let failed = listen(on: spec.addresses, running)
        tell(.listening(running.addresses, failed: failed))
    }

    /// Closes everything at once, at the end of the process.
    func close() {
        running?.close()
        accessLog?.close(until: .read() + .seconds(2))
    }

    /// Listens on each address that is not being listened on yet. Returns the errors of the addresses on which
    /// listening failed.
    private func listen(on addresses: [SocketAddress], _ service: HTTPService) -> [ListenError] {
        var failed: [ListenError] = []
        for address in addresses where !service.isListening(on: address) {
            do throws(ListenError) {
                try service.listen(address)
            } catch {
                failed.append(error)
            }
        }
        return failed
    }

    private static let noService = Failure(
        .internal, "a programme cannot be served before there is an address to listen on", remedy: "give one")
}

// MARK: - Access log

extension ServiceHost {
    private func keepAccessLog(_ new: ServiceSpec, of service: HTTPService) {
        // An access log that could not be opened before is opened now, even if its settings are the same.
        guard new.accessLog != spec?.accessLog || (new.accessLog != nil && accessLog == nil) else { return }
        // A hanging disk may delay a reload by this much at most.
        accessLog?.close(until: .read() + .milliseconds(50))
        let own = reactor.bind(self)
        accessLog = nil
        if let destination = new.accessLog {
            do throws(SystemError) {
                accessLog = try AccessLogFile(destination) { news in own.tell { $0.tell(.service(.accessLog(news))) } }
            } catch {
                tell(.service(.accessLog(.failed(destination, error))))
            }
        }
        let zone = LocalZone()
        service.onAnswered = accessLog.map { log in { log.append($0.line(in: zone)) } }
    }
}

// MARK: - Pages

extension ServiceHost {
    private func replacePages(by new: ServiceSpec, on service: HTTPService) {
        for routes in pages { service.router.unmount(routes) }
        let status = StatusPages(
            server: new.server, started: started, hasUsers: new.rules.users != nil, mounts: mounts)
        pages = [FrontPage.routes(mounts), status.routes] + new.routes.compactMap(\.object)
        for routes in pages { service.router.mount(routes, rules: new.rules) }
        service.router.alias = { [mounts] in MountAlias.target(of: $0, mounts: mounts().map(\.path)) }
    }
}
