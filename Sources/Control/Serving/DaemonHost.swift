// SPDX-License-Identifier: MIT

package import Configuration
import CurlClient
package import Daemon
import Engine
package import EventLoop
import Glibc
import HTTPServer
import Instants
import Platform
package import RadioCore
import RadioFormats
import Storage
import WallClock
package import Words

/// Everything that `aircheck serve` runs on the loop: the daemon, the engine that it commands, and the API. An actor
/// whose executor is the loop.
package actor DaemonHost: LoopActor {
    package nonisolated let loop: EventLoop
    private let tell: @Sendable (Message) -> Void
    private let occurrences = Occurrences()
    private var hooks: HookRunner?
    /// Passes events to ``hooks``, but passes gaps only at a limited rate. Nil if there are no hooks.
    private var gaps: GapTeller?
    /// The events for hooks as they were stored last.
    private var storedHooks = JSONValue.null
    private var figures = DaemonFigures()
    private var stopTimer: (any ReactorTimer)?
    /// The deadline for ending everything; nil until a signal requests the end.
    private var endDeadline: MonotonicInstant?
    /// The HTTP client of hooks.
    private var client: CurlClient?
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
        package var userAgent: String
        /// The user of the process.
        package var user: UInt32
        /// The path of the control socket.
        package var socket: String
        /// What an earlier run has left in the state folder.
        package var earlier = EarlierRun()
        /// The environment variables, some of which are set by the service manager.
        package var environment: [String: String] = [:]
        /// Reads the configuration, on a thread of its own. The call blocks. Any thread.
        package var load: @Sendable () -> Result<LoadedConfiguration, UnusableConfiguration>

        package init(
            values: UseContextValues, version: String, userAgent: String, user: UInt32, socket: String,
            load: @escaping @Sendable () -> Result<LoadedConfiguration, UnusableConfiguration>
        ) {
            self.values = values
            self.version = version
            self.userAgent = userAgent
            self.user = user
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
        var service = ServiceSpec(server: "Aircheck \(process.version)")
        service.sockets = loop.reactor.bind(sockets)
        service.ownersSocket = SocketAddress("unix:\(ControlSocket.player(beside: process.socket))")
        let daemon = Daemon(
            reactor: loop.reactor, values: process.values, service: service, userAgent: process.userAgent,
            routes: { [reactor = loop.reactor] in pages.routes(reactor, withMetrics: $0.server.metrics) },
            perform: { command in engine.assumeIsolated { $0.perform(command) } },
            tell: { [unowned self] event in assumeIsolated { $0.happened(event) } })
        applyHooks(configuration.configuration)
        self.daemon = daemon
        openCatalog(configuration.configuration.storage, for: daemon)
        hooks?.resume(process.earlier.hooks)
        let control = ControlService(
            of: daemon, reactor: loop.reactor, zone: process.values.zone, owner: process.user,
            snapshot: { engine.assumeIsolated { $0.snapshot } })
        self.control = control
        control.hooks = hooks
        control.onReload = { [unowned self] agrees in assumeIsolated { $0.reload(process, agrees: agrees) } }
        do throws(ListenError) {
            controlService = try control.serve(at: process.socket, sockets)
        } catch {
            throw Failure(error)
        }
        clockSteps = ClockSteps(reactor: loop.reactor) { daemon.clockStepped() }
        heartbeat = LoopHeartbeat(loop.reactor)
        version = process.version
        watchSignals(process)
        daemon.begin(configuration, after: process.earlier)
        figures.isDiskLow = daemon.diskLevel != .well
        isReady = true
        let manager = ServiceManager(process.environment, pid: getpid(), reactor: loop.reactor)
        self.manager = manager
        manager.started()
        manager.say("\(configuration.configuration.stations.count) stations")
    }

    // MARK: - Hooks

    private func happened(_ event: DaemonEvent) {
        switch event {
        case .stopped:
            gaps?.finish()
            let now = loop.reactor.now
            return stopAfterHooks(by: min(now + Self.hookPatience, endDeadline ?? now + Self.hookPatience))
        case .configured(let change): tell(.log(change.log))
        default: break
        }
        say(event)
    }

    /// Makes the occurrence that is an event of the daemon, for everybody who follows.
    private func say(_ event: DaemonEvent) {
        var context = Occurrence.Context(now: loop.reactor.wallNow)
        if let zone { context.zone = zone }
        if let daemon { (context.configuration, context.underWay) = (daemon.configuration, daemon.filesUnderWay) }
        if let occurrence = Wording.occurrence(event, in: context) { occurrences.append(occurrence, at: context.now) }
    }

    /// Ends everything once the hooks have handled the last events, or at the deadline.
    private func stopAfterHooks(by deadline: MonotonicInstant) {
        guard let hooks, !hooks.isIdle, loop.reactor.now < deadline else {
            say(.stopped)
            return tell(.ended)
        }
        let timer = loop.reactor.makeTimer { [unowned self] in
            assumeIsolated { $0.stopAfterHooks(by: deadline) }
        }
        stopTimer = timer
        timer.arm(at: loop.reactor.now + .milliseconds(50))
    }

    /// How long the end of the daemon waits for hooks after all recordings have ended.
    private static let hookPatience = Duration.seconds(5)
    /// How long the end of the daemon waits for recordings and hooks together, counted from the request to end. With
    /// this value, everything is over within eight seconds.
    private static let endPatience = Duration.seconds(7)
    /// The limit within ``endPatience`` for how long the end of the daemon waits for the catalog. The catalog always
    /// gets half a second in addition, even if ``endPatience`` is used up.
    private static let catalogPatience = Duration.seconds(2)

    private func applyHooks(_ configuration: Configuration) {
        if hooks == nil, !configuration.hooks.isEmpty {
            let client = CurlClient(reactor: loop.reactor)
            self.client = client
            let hooks = HookRunner(reactor: loop.reactor, client: client, words: Wording.message) {
                [unowned self] notice in assumeIsolated { $0.happened(.hook(notice)) }
            }
            hooks.onChange = { [unowned self] in assumeIsolated { $0.storeHooks() } }
            self.hooks = hooks
            let gaps = GapTeller(reactor: loop.reactor, tell: hooks.hear)
            gaps.onChange = hooks.onChange
            hooks.gathered = { [unowned gaps] in gaps.waiting }
            self.gaps = gaps
            occurrences.follow { [weak gaps] entry in entry.occurrence.told.map { gaps?.hear($0) } }
        }
        hooks?.settings = configuration.hooks
        control?.hooks = hooks
    }

    /// Stores the events that wait for hooks, on the catalog's thread. If that fails, they are only lost if the process
    /// ends.
    private func storeHooks() {
        guard let hooks, let daemon else { return }
        let (state, waiting) = (daemon.configuration.storage.state, hooks.waiting)
        guard waiting != storedHooks else { return }
        storedHooks = waiting
        daemon.catalog?.run {
            try? StateFile(folder: state, name: HookRunner.fileName).write(waiting.encoded())
        }
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
        figures.isDiskFull = daemon.isDiskFull
        figures.next = daemon.nextShow.map {
            (DaemonFigures.ShowKey(station: $0.station, show: $0.show.id), $0.window.lowerBound)
        }
        let process = DaemonMetrics.Process(
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
            endDeadline = endDeadline ?? loop.reactor.now + Self.endPatience
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
            applyHooks(configuration.configuration)
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
        stopTimer?.cancel()
        storeHooks()
        hooks?.close()
        (hooks, gaps) = (nil, nil)
        client?.close()
        client = nil
        let left = endDeadline.map { $0 - loop.reactor.now } ?? .zero
        daemon?.catalog?.close(within: min(max(.zero, left), Self.catalogPatience) + .milliseconds(500))
        daemon = nil
    }
}
