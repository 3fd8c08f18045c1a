// SPDX-License-Identifier: MIT

package import Configuration
package import Daemon
import Engine
package import EventLoop
import Glibc
import HTTPServer
import Instants
import Platform
package import RadioCore
import WallClock
package import Words

/// Everything that `aircheck serve` runs on the loop: the daemon, the engine that it commands, and the API. An actor
/// whose executor is the loop.
package actor DaemonHost: LoopActor {
    package nonisolated let loop: EventLoop
    private let tell: @Sendable (Message) -> Void
    private let occurrences = Occurrences()
    private var figures = DaemonFigures()
    private var engine: Engine?
    private var daemon: Daemon?
    private var control: ControlService?
    private let sockets = ListeningSockets()
    /// Serves ``control``.
    private var controlService: HTTPService?
    private var pages: DaemonPages?
    private var clockSteps: ClockSteps?
    private var signalWatches: [any SignalWatch] = []
    private var signals = StopSignals()
    private var heartbeat: LoopHeartbeat?
    private var version = ""
    private var isReady = false
    private var zone: (any TimeZoneRules)?
    private var manager: ServiceManager?
    private var isLoading = false
    /// Whether another reload was requested while the current one is under way.
    private var needsReload = false
    /// Whether a reload under way may delete more recordings than before at once.
    private var agrees = false

    /// What the owner of the host learns.
    package enum Message: Sendable {
        case occurrence(Occurrence)
        /// Settings of the log, for the occurrences that follow.
        case log(LogSettings)
        /// Everything has ended.
        case ended
    }

    /// `tell` is called on the loop's thread and must not block.
    package init(loop: EventLoop, tell: @escaping @Sendable (Message) -> Void) {
        self.loop = loop
        self.tell = tell
    }

    /// The properties of the process that a daemon needs.
    package struct Process: Sendable {
        package var values: UseContextValues
        /// The program's version: `1.2.0`.
        package var version: String
        /// The path of the control socket.
        package var socket: String
        /// What an earlier run has left in the state folder.
        package var earlier = EarlierRun()
        /// The environment variables, some of which are set by the service manager.
        package var environment: [String: String] = [:]
        /// Reads the configuration, on a thread of its own. The call blocks. Any thread.
        package var load: @Sendable () -> Result<LoadedConfiguration, UnusableConfiguration>

        package init(
            values: UseContextValues, version: String, socket: String,
            load: @escaping @Sendable () -> Result<LoadedConfiguration, UnusableConfiguration>
        ) {
            self.values = values
            self.version = version
            self.socket = socket
            self.load = load
        }
    }

    /// Starts everything. Throws if listening on the control socket fails.
    package func start(_ configuration: LoadedConfiguration, _ process: Process) throws(Failure) {
        occurrences.follow { [tell] in tell(.occurrence($0.occurrence)) }
        let count: (Occurrences.Entry) -> Void = { [unowned self] entry in
            assumeIsolated { $0.figures.note(entry.occurrence) }
        }
        occurrences.follow(count)
        zone = process.values.zone
        let engine = Engine(loop: loop) { [unowned self] event in assumeIsolated { $0.daemon?.hear(event) } }
        self.engine = engine
        let pages = DaemonPages { [unowned self] in
            assumeIsolated { $0.isReady }
        } metrics: { [unowned self] in
            assumeIsolated { $0.metrics }
        }
        self.pages = pages
        sockets.inherit(InheritedSockets.take(process.environment, pid: getpid()))
        var service = ServiceSpec(server: process.values.software)
        service.sockets = loop.reactor.bind(sockets)
        service.ownersSocket = SocketAddress("unix:\(ControlSocket.player(beside: process.socket))")
        let daemon = Daemon(
            reactor: loop.reactor, values: process.values, service: service, userAgent: "Aircheck/\(process.version)",
            routes: { [reactor = loop.reactor] in pages.routes(reactor, withMetrics: $0.server.metrics) },
            perform: { command in engine.assumeIsolated { $0.perform(command) } }, words: Wording.message,
            tell: { [unowned self] event in assumeIsolated { $0.happened(event) } })
        self.daemon = daemon
        occurrences.follow { [weak daemon] entry in entry.occurrence.told.map { daemon?.notify($0) } }
        openCatalog(configuration.configuration.storage, for: daemon)
        let control = ControlService(
            of: daemon, reactor: loop.reactor, zone: process.values.zone, owner: getuid(),
            snapshot: { engine.assumeIsolated { $0.snapshot } })
        self.control = control
        control.onReload = { [unowned self] agrees in assumeIsolated { $0.reload(process, agrees: agrees) } }
        do throws(ListenError) {
            controlService = try control.serve(at: process.socket, sockets)
            controlService?.onNotice = { [unowned self] notice in
                guard case .socketMadeAgain = notice else { return }
                assumeIsolated { $0.happened(.service(notice)) }
            }
        } catch {
            throw Failure(error)
        }
        clockSteps = ClockSteps(reactor: loop.reactor) { daemon.clockStepped() }
        heartbeat = LoopHeartbeat(loop.reactor)
        version = process.version
        watchSignals(process)
        daemon.begin(configuration, after: process.earlier)
        isReady = true
        let manager = ServiceManager(process.environment, pid: getpid(), reactor: loop.reactor)
        self.manager = manager
        manager.started()
        manager.say("\(configuration.configuration.stations.count) stations")
    }

    // MARK: - Events

    private func happened(_ event: DaemonEvent) {
        if case .configured(let change) = event { tell(.log(change.log)) }
        var context = Occurrence.Context(now: loop.reactor.wallNow)
        if let zone { context.zone = zone }
        if let daemon { (context.configuration, context.underWay) = (daemon.configuration, daemon.filesUnderWay) }
        if let occurrence = Wording.occurrence(event, in: context) { occurrences.append(occurrence, at: context.now) }
        if case .stopped = event { tell(.ended) }
    }

    // MARK: - The catalog

    /// If the catalog's thread cannot be started, the daemon records without a catalog.
    private func openCatalog(_ storage: StorageSettings, for daemon: Daemon) {
        let opened = loop.reactor.bind(daemon)
        daemon.catalog = try? RecordingsCatalog(
            state: storage.state, recordings: storage.recordings, zone: zone ?? FixedZone.utc
        ) { notice in
            opened.tell { $0.hear(notice) }
        } onFinding: { finding in
            opened.tell { $0.hear(finding) }
        } onRebuilt: { result in
            opened.tell { $0.catalogRebuilt(result) }
        }
    }

    /// The text of the metrics; nil while the daemon begins.
    private var metrics: String? {
        guard let daemon, let engine else { return nil }
        let snapshot = engine.assumeIsolated { $0.snapshot }
        var figures = figures
        figures.expect(daemon.configuration)
        figures.freeBytes = daemon.freeBytes
        (figures.isDiskLow, figures.isDiskFull) = (daemon.diskLevel != .well, daemon.isDiskFull)
        figures.next = daemon.nextShow.map { ($0.station, $0.show.id, $0.window.lowerBound) }
        let process = DaemonMetrics.ProcessFigures(
            loopLag: (heartbeat?.lag ?? .zero).inSeconds, memory: OwnProcess.residentBytes,
            descriptors: OwnProcess.descriptorCount, version: version)
        return DaemonMetrics.text(daemon.status(snapshot), snapshot.writer, process, figures)
    }

    // MARK: - Signals

    /// SIGHUP reloads the configuration. SIGINT and SIGTERM end everything; a second such signal, at least half a
    /// second later, ends the process at once.
    private func watchSignals(_ process: Process) {
        signalWatches = ProcessSignals.heeded.map { number in
            loop.reactor.watchSignal(number) { [unowned self] in
                assumeIsolated { $0.signalled(number, process) }
            }
        }
        ProcessSignals.letCome()
    }

    private func signalled(_ number: CInt, _ process: Process) {
        guard number != SIGHUP else { return reload(process) }
        switch signals.hear(at: loop.reactor.now) {
        case .finish:
            isReady = false
            manager?.stopping()
            daemon?.stop()
        case .exitAtOnce: ProcessSignals.exitAtOnce(number)
        case .nothing: break
        }
    }

    // MARK: - Reloading

    /// Reads the configuration on a thread of its own, because a disk may hang, and applies it.
    private func reload(_ process: Process, agrees: Bool = false) {
        self.agrees = self.agrees || agrees
        guard !isLoading else { return needsReload = true }
        isLoading = true
        manager?.reloading()
        let load = process.load
        do throws(SystemError) {
            try WorkerThread.start(name: "configuration") { [loop] in
                let result = load()
                loop.post { [weak self] in self?.assumeIsolated { $0.loaded(result, process) } }
            }
        } catch {
            let why = UnusableConfiguration(
                .internal, ["no thread could be started: \(error)"], remedy: "try again")
            loaded(.failure(why), process)
        }
    }

    private func loaded(_ result: Result<LoadedConfiguration, UnusableConfiguration>, _ process: Process) {
        isLoading = false
        if needsReload {
            // The file is read again, because the user may have changed it after it was read, and only then requested
            // the other reload.
            needsReload = false
            return reload(process)
        }
        defer { agrees = false }
        do throws(UnusableConfiguration) {
            let configuration = try result.get()
            guard !movesFolders(configuration.configuration.storage) else { throw Self.moved }
            guard daemon?.apply(configuration, agrees: agrees) == true else { throw Self.ending }
            control?.reloaded()
        } catch {
            happened(.notConfigured(error))
            control?.notReloaded(error)
        }
        manager?.reloaded()
    }

    /// Whether the new configuration names other folders than the current one. The catalog and the lock belong to the
    /// original folders.
    private func movesFolders(_ storage: StorageSettings) -> Bool {
        guard let present = daemon?.configuration.storage else { return false }
        return (storage.recordings, storage.state) != (present.recordings, present.state)
    }

    private static let moved = UnusableConfiguration(
        .usage, ["'recordings' and 'state' cannot change while Aircheck runs"],
        remedy: "restart Aircheck: the whole new configuration applies then")

    private static let ending = UnusableConfiguration(
        .serverBusy, ["the daemon is ending"], remedy: "the new configuration applies when the daemon starts again")

    /// Releases everything on the loop. Must be the last call.
    package func close() {
        signalWatches = []
        clockSteps = nil
        heartbeat = nil
        manager = nil
        controlService?.close()
        (control, controlService) = (nil, nil)
        engine?.assumeIsolated { $0.close() }
        engine = nil
        daemon?.close()
        daemon = nil
    }
}
