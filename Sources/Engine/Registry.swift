// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import Relay
import Stations
import Storage

/// Holds everything that runs: programmes and uses by ID, and the host of the HTTP service. Independent of the loop
/// itself.
///
/// A use joins a running programme, or starts it, and leaves it without affecting other uses.
final class Registry {
    let context: EngineContext
    private let tell: (EngineEvent) -> Void
    private var programmes: [ProgrammeID: ProgrammeHost] = [:]
    /// Programmes to be removed once their last use has ended, each with its replacement, if any.
    private var leaving: [ProgrammeID: ProgrammeSpec?] = [:]
    private var uses: [UseID: Entry] = [:]
    private let serviceHost: ServiceHost
    /// The common start of recordings that share their time. It exists as long as one of these recordings.
    private weak var sharedStart: TimeStart?
    private lazy var fileRunner = FileProgramRunner(context.reactor)
    private var recoveries: [FolderRecovery] = []
    /// See ``UseContext/relayID``.
    private let relayID = RelayID()

    private struct Entry {
        let use: any Use
        let programme: ProgrammeID
        let otherProgrammes: [ProgrammeID]

        var programmes: [ProgrammeID] { [programme] + otherProgrammes }
    }

    init(_ context: EngineContext, tell: @escaping (EngineEvent) -> Void) {
        self.context = context
        self.tell = tell
        serviceHost = ServiceHost(context.reactor, tell: tell)
        serviceHost.mounts = { [unowned self] in mounts }
    }

    func perform(_ command: EngineCommand) {
        switch command {
        case .add(let id, let spec): add(id, spec)
        case .remove(let id): remove(id)
        case .serve(let spec): serviceHost.serve(spec)
        case .listenAgain: serviceHost.listenAgain()
        case .recover(let folder, let depth): recover(folder, depth: depth)
        case .tell(let bundle): finished(bundle)
        case .begin(let id, let spec, let programme): begin(id, spec, of: programme)
        case .end(let id): uses[id]?.use.end()
        case .ask(let id, let request): uses[id]?.use.perform(request)
        case .endAll: for entry in uses.values { entry.use.end() }
        }
    }

    var snapshot: EngineSnapshot {
        EngineSnapshot(programmes: programmes.mapValues(\.snapshot), uses: uses.compactMapValues(\.use.snapshot))
    }

    func networkChanged() {
        for host in programmes.values { host.networkChanged() }
        for entry in uses.values { entry.use.networkChanged() }
    }

    func clockStepped() {
        for host in programmes.values { host.clockStepped() }
        for entry in uses.values { entry.use.clockStepped() }
    }

    /// Closes everything at once, at the end of the process.
    func close() {
        for mount in mounts { mount.close() }
        serviceHost.close()
        uses = [:]
        programmes = [:]
        recoveries = []
    }
}

// MARK: - Programmes

extension Registry {
    private func add(_ id: ProgrammeID, _ spec: ProgrammeSpec) {
        guard leaving[id] == nil else {
            leaving[id] = .some(spec)
            return
        }
        let context = context
        let make = { (choice: ListChoice?) throws(Failure) in try spec.make(context, choice) }
        if let host = programmes[id] {
            // Takes effect with the next run.
            host.make = make
            return
        }
        let host = ProgrammeHost(reactor: context.reactor, make: make)
        host.onNotice = { [tell] in tell(.programme(id, $0)) }
        programmes[id] = host
    }

    /// A programme's hub; nil while the programme does not run.
    func hub(of id: ProgrammeID) -> StreamHub? { programmes[id]?.programme?.hub }

    private func remove(_ id: ProgrammeID) {
        guard programmes[id] != nil else { return }
        leaving[id] = .some(nil)
        for entry in uses.values where entry.programme == id { entry.use.end() }
        forgetUnused(id)
    }

    private func forgetUnused(_ id: ProgrammeID) {
        guard let next = leaving[id], !uses.values.contains(where: { $0.programmes.contains(id) }) else { return }
        leaving[id] = nil
        programmes.removeValue(forKey: id)?.end()
        if let next { add(id, next) }
    }
}

// MARK: - Uses

extension Registry {
    private func begin(_ id: UseID, _ spec: any UseSpec, of programme: ProgrammeID) {
        guard uses[id] == nil else { return tell(.refused(id, Self.taken(id))) }
        do throws(Failure) {
            guard let host = programmes[programme], leaving[programme] == nil else {
                throw Self.unknown(programme)
            }
            let use = try spec.makeUse(makeContext(of: id, host))
            uses[id] = Entry(use: use, programme: programme, otherProgrammes: spec.otherProgrammes)
            use.begin()
        } catch {
            tell(.ended(id, spec.outcome(error)))
        }
    }

    private func makeContext(of id: UseID, _ host: ProgrammeHost) -> UseContext {
        UseContext(
            host: host, engine: context,
            service: { [serviceHost] () throws(Failure) in try serviceHost.service() }, relayID: relayID,
            programme: { [unowned self] in programmes[$0] }, sharedStart: { [unowned self] in makeSharedStart() },
            programs: { [unowned self, tell] program in
                FilePrograms(program, fileRunner, context.reactor) { tell(.use(id, .exec($0))) }
            },
            finished: { [weak self] in self?.finished($0, to: $1) }, tell: { [tell] in tell(.use(id, $0)) },
            onEnd: { [weak self] in self?.ended(id, $0) })
    }

    private func makeSharedStart() -> TimeStart {
        let start = sharedStart ?? TimeStart()
        sharedStart = start
        return start
    }

    private func ended(_ id: UseID, _ outcome: any UseOutcome) {
        guard let entry = uses.removeValue(forKey: id) else { return }
        tell(.ended(id, outcome))
        // Deferred: the use is calling from inside its own end.
        context.reactor.defer { [weak self] in
            withExtendedLifetime(entry) {}
            for id in entry.programmes { self?.forgetUnused(id) }
        }
    }

    private static func unknown(_ programme: ProgrammeID) -> Failure {
        Failure(.internal, "there is no programme called \(programme)", remedy: "add it first")
    }

    private static func taken(_ id: UseID) -> Failure {
        Failure(.internal, "there is a use called \(id) already", remedy: "end it first, and wait until it has ended")
    }
}

// MARK: - Finished bundles

extension Registry {
    /// Tells everybody of a finished bundle, in order: the programs of its recording, then whoever hears the engine,
    /// such as a daemon with its parts.
    func finished(_ bundle: FinishedBundle, to programs: FilePrograms? = nil) {
        programs?.finished(bundle)
        tell(.finished(bundle))
    }

    private func recover(_ folder: String, depth: Int) {
        do throws(StorageError) {
            recoveries.append(
                FolderRecovery(
                    folder, depth: depth, queue: try context.writerQueue(), reactor: context.reactor, tell: tell
                ) { [weak self] in self?.finished($0) })
        } catch {
            // The error is not reported here: recordings fail for the same reason, and report it.
            tell(.recoveryEnded)
        }
    }
}

// MARK: - Mounts

extension Registry {
    /// All mounts, ordered by path.
    var mounts: [Mount] {
        uses.values.compactMap { ($0.use as? MountUse)?.mount }.sorted { $0.path < $1.path }
    }
}
