// SPDX-License-Identifier: MIT

import Configuration
import Engine
import EventLoop
import HTTPServer
import Instants
import RadioCore

/// Asks the engine for the HTTP service of the configuration, and again each minute while it cannot be had. Confined to
/// the loop's thread.
final class ServiceRunner {
    private let reactor: any Reactor
    private let server: String
    private let pages: [ServicePage]
    private let perform: (EngineCommand) -> Void
    private let tell: (DaemonEvent) -> Void
    private var listening = Listening()
    /// The addresses being listened on.
    private(set) var addresses: [SocketAddress] = []
    private var isStopped = false
    private lazy var timer = reactor.makeTimer { [weak self] in self?.serveAgain() }

    private static let interval = Duration.seconds(60)

    /// `server`: the program's name and version. `pages`: those beside the pages of the relay.
    init(
        reactor: any Reactor, server: String, pages: [ServicePage], perform: @escaping (EngineCommand) -> Void,
        tell: @escaping (DaemonEvent) -> Void
    ) {
        self.reactor = reactor
        self.server = server
        self.pages = pages
        self.perform = perform
        self.tell = tell
    }

    /// Asks for the service of a configuration. `inherited`: sockets from the service manager, which only count the
    /// first time.
    func serve(_ new: LoadedConfiguration, inherited: [CInt]) {
        timer.cancel()
        var spec = new.service(server: server)
        spec.pages = pages.filter { $0.path != Daemon.metricsPath || new.configuration.server.metrics }
        guard let spec = listening.service(spec, new.configuration.server, inherited: inherited) else { return }
        perform(.serve(spec))
    }

    /// Notes the addresses that the service listens on.
    func note(_ addresses: [SocketAddress]) {
        listening.note(isListening: true)
        guard addresses != self.addresses else { return }
        self.addresses = addresses
        tell(.listening(addresses))
    }

    /// Notes that the service could not be had.
    func note(_ failure: Failure) {
        listening.note(isListening: false)
        if listening.failed != nil, !isStopped { timer.arm(at: reactor.now + Self.interval) }
        tell(.notListening(failure))
    }

    /// Asks no more.
    func stop() {
        isStopped = true
        timer.cancel()
    }

    private func serveAgain() {
        guard let spec = listening.failed, !isStopped else { return }
        perform(.serve(spec))
    }
}
