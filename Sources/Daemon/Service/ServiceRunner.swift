// SPDX-License-Identifier: MIT

import Configuration
import Engine
import EventLoop
import HTTPServer
import Instants
import RadioCore

/// Starts the engine's HTTP service for the configuration, and retries the addresses on which listening failed.
final class ServiceRunner {
    private let context: DaemonContext
    /// What the service has in every configuration.
    let base: ServiceSpec
    private let routes: Daemon.Routes
    private var listening = Listening()
    /// The addresses being listened on.
    private(set) var addresses: [SocketAddress] = []
    /// The errors of the addresses on which listening failed.
    private(set) var failures: [Failure] = []
    private var isStopped = false
    private lazy var timer = context.reactor.makeTimer { [context] in context.perform(.listenAgain) }

    /// The time between two attempts.
    private static let interval = Duration.seconds(5)

    init(_ context: DaemonContext, _ base: ServiceSpec, routes: @escaping Daemon.Routes) {
        self.context = context
        self.base = base
        self.routes = routes
    }

    /// Starts the service of a configuration.
    func serve(_ new: LoadedConfiguration) {
        timer.cancel()
        var spec = new.service(base)
        spec.routes = routes(new.configuration)
        guard let spec = listening.service(spec, new.configuration.server) else { return }
        context.perform(.serve(spec))
    }

    /// Tells which addresses the service listens on, and the errors of the other addresses, which are tried again
    /// later.
    func note(_ addresses: [SocketAddress], failed: [ListenError]) {
        failures = failed.map(Failure.init)
        if !failed.isEmpty, !isStopped { timer.arm(at: context.reactor.now + Self.interval) }
        if addresses != self.addresses {
            self.addresses = addresses
            context.tell(.listening(addresses))
        }
        for failure in failures { context.tell(.notListening(failure)) }
    }

    /// Ends the attempts to listen on further addresses.
    func stop() {
        isStopped = true
        timer.cancel()
    }
}
