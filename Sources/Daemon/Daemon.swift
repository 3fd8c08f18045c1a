// SPDX-License-Identifier: MIT

package import Catalog
package import Configuration
package import Engine
package import EventLoop
package import Instants
import RadioCore
import Recorder
package import Storage

/// Runs a configuration: commands an engine to do what its stations and shows require, and what users request.
/// Confined to the loop's thread.
///
/// The daemon is the door to its parts, and passes on to them what the engine and the catalog say. The ``Planner``
/// decides what runs, ``ShowVerdicts`` reports what was recorded of shows, the ``RetentionRunner`` deletes old
/// recordings, and the ``ServiceRunner`` asks for the HTTP service. No part knows the daemon.
package final class Daemon {
    private let reactor: any Reactor
    private let zone: any TimeZoneRules
    private let perform: (EngineCommand) -> Void
    private let tell: (DaemonEvent) -> Void
    private let began: (wall: WallInstant, now: MonotonicInstant)
    private let service: ServiceRunner
    private let planner: Planner
    private let verdicts: ShowVerdicts
    private let retention: RetentionRunner
    private var hasBegunRecovery = false
    /// Whether files that were not there are going to be looked for again.
    private var isNoting = false
    private lazy var missingTimer = reactor.makeTimer { [weak self] in self?.noteMissing() }
    private lazy var rebuildTimer = reactor.makeTimer { [weak self] in self?.catalog?.rebuild() }

    private static let rebuildPause = Duration.seconds(60)

    /// Is told of every file that a recording begins or finishes; nil if there is no catalog.
    package var catalog: RecordingsCatalog? {
        didSet {
            planner.catalog = catalog
            verdicts.catalog = catalog
            retention.catalog = catalog
        }
    }

    /// The page that the configuration can turn off.
    package static let metricsPath = "/metrics"

    /// `perform` carries out commands of the engine, whose events have to come to ``hear(_:)``. `server` is the
    /// program's name and version. `pages`: those beside the pages of the relay. `system`: of the recordings' disk.
    package init(
        reactor: any Reactor, values: UseContextValues, server: String, userAgent: String, pages: [ServicePage] = [],
        system: any FileSystemCalls = LinuxFileSystem(), perform: @escaping (EngineCommand) -> Void,
        tell: @escaping (DaemonEvent) -> Void
    ) {
        self.reactor = reactor
        self.perform = perform
        self.tell = tell
        zone = values.zone
        began = (reactor.wallNow, reactor.now)
        service = ServiceRunner(reactor: reactor, server: server, pages: pages, perform: perform, tell: tell)
        verdicts = ShowVerdicts(reactor: reactor) { tell(.showEnded($0, $1)) }
        let planner = Planner(
            reactor: reactor, values: values, userAgent: userAgent, verdicts: verdicts, perform: perform, tell: tell)
        self.planner = planner
        retention = RetentionRunner(
            reactor: reactor, zone: zone, system: system, countsDays: { planner.believesClock }
        ) { tell(.retention($0)) }
    }

    /// The configuration that applies.
    package var configuration: Configuration { planner.settings.configuration }

    /// Applies a configuration: the first one, or another one in its place. Stations that did not change are not
    /// touched. `inherited`: sockets from the service manager, which only count the first time.
    package func apply(_ new: LoadedConfiguration, inherited: [CInt] = []) {
        guard !planner.isStopping else { return }
        let change = ConfigurationChange(from: configuration, to: new.configuration)
        verdicts.use(new.configuration.storage)
        retention.use(new.configuration)
        service.serve(new, inherited: inherited)
        recover(new.configuration)
        planner.apply(new)
        tell(.configured(change))
    }

    /// Completes what an earlier run left behind, once.
    private func recover(_ configuration: Configuration) {
        guard !hasBegunRecovery else { return }
        hasBegunRecovery = true
        perform(.recover(folder: configuration.storage.recordings, depth: configuration.folderDepth))
    }

    /// Reports the shows that ended while no daemon ran, as soon as the clock is right. `lastRun`: when one ran last.
    package func judgeMissed(since lastRun: WallInstant) { planner.judgeMissed(since: lastRun) }

    /// Replans after a step of the wall clock.
    package func clockStepped() { planner.clockStepped() }

    /// Ends everything; files are finished. ``DaemonEvent/stopped`` follows.
    package func stop() {
        guard !planner.isStopping else { return }
        rebuildTimer.cancel()
        missingTimer.cancel()
        retention.stop()
        verdicts.stop()
        service.stop()
        planner.stop()
    }
}

// MARK: - Events

extension Daemon {
    /// Takes an event of the engine.
    package func hear(_ event: EngineEvent) {
        switch event {
        case .listening(let addresses): service.note(addresses)
        case .notListening(let failure): service.note(failure)
        case .recovered(let file):
            catalog?.note(path: file.path)
            tell(.recovered(file))
        case .recoveryEnded: verdicts.recoveryEnded()
        case .programme(let id, let notice): planner.hear(notice, of: id)
        case .use(let id, let notice):
            guard let key = planner.key(of: id) else { break }
            if case .recorder(let notice) = notice {
                planner.hear(notice, of: id, key)
                note(notice)
                retention.hear(notice, of: id)
            }
            planner.hear(notice, of: key)
            tell(.use(key, notice))
        case .refused(let id, let failure):
            retention.forget(id)
            planner.ended(id, failure, isDone: false)
        case .ended(let id, let outcome):
            retention.forget(id)
            planner.ended(id, outcome)
        case .snapshot, .idle: break
        }
    }

    /// Has the catalog note the files that a recorder has begun or finished; later, if the disk is away.
    private func note(_ notice: RecorderNotice) {
        for path in notice.changedFiles { catalog?.noteRecorded(path: path) }
        if !notice.changedFiles.isEmpty, !isNoting { noteMissingLater() }
        guard case .resumed = notice else { return }
        catalog?.folderReturned()
        noteMissing()
    }

    private func noteMissing() {
        isNoting = false
        if catalog?.noteMissing() == true { noteMissingLater() }
    }

    private func noteMissingLater() {
        guard !planner.isStopping else { return }
        isNoting = true
        missingTimer.arm(at: reactor.now + Self.rebuildPause)
    }

    /// Takes news of the catalog.
    package func hear(_ notice: CatalogThread.Notice) {
        switch notice {
        case .opened(let opening) where opening.isNew: catalog?.rebuild()
        case .fellBehind: catalog?.rebuild()
        case .opened: catalogReady()
        // Verdicts do without it. Retention would fail as well, and tell of it again.
        case .failed: verdicts.catalogReady()
        case .deleted: break
        }
    }

    /// Notes the end of a rebuild of the catalog. A rebuild that failed is repeated later: nothing else finds the files
    /// that were recorded while another program held the catalog.
    package func catalogRebuilt(_ isDone: Bool) {
        catalogReady()
        if !isDone, !planner.isStopping { rebuildTimer.arm(at: reactor.now + Self.rebuildPause) }
    }

    /// Notes that the catalog is as complete as it can be for now.
    private func catalogReady() {
        verdicts.catalogReady()
        retention.runSoon()
    }
}

// MARK: - Requests

extension Daemon {
    /// Records a station from now on, for a time. Returns nil if there is no such station.
    package func record(_ station: String, for length: Duration) -> ManualRecording? {
        planner.record(station, for: length)
    }

    /// Goes on with the recordings that somebody asked an earlier run for. To be called after the first configuration.
    package func resume(_ recordings: ManualRecordings) { planner.resume(recordings) }

    /// Ends a recording that somebody has asked for. Returns false if there is none with this number.
    package func endRecording(_ number: Int) -> Bool { planner.endRecording(number) }

    /// The changes that users may request to existing recordings.
    package var recordings: RecordingChanges {
        RecordingChanges(catalog: catalog, storage: configuration.storage, time: CivilTime(reactor.wallNow, in: zone))
    }

    /// What runs. `snapshot`: that of the engine at this moment.
    package func status(_ snapshot: EngineSnapshot) -> DaemonStatus {
        var status = DaemonStatus(began: began.wall, uptime: reactor.now - began.now)
        status.addresses = service.addresses
        status.stations = planner.stations(snapshot)
        return status
    }

    /// The IDs of the recordings under way.
    package var runningRecordings: Set<String> { planner.recordings }

    /// Asks for the first broadcasts of a span, and for the room that recordings will take. `rates`: the bytes per
    /// second of stations that are connected; those of others are what they were when they were recorded last. `answer`
    /// is called on the catalog's thread, or here if there is none, or if it has too much to do.
    package func askSchedule(
        _ span: Range<WallInstant>, atMost most: Int, rates: [String: Double],
        _ answer: @escaping @Sendable (ScheduleForecast) -> Void
    ) {
        let calendar = planner.calendar
        let continuous = configuration.stations.filter { $0.record == .always }.map(\.id)
        let asked = planner.asked
        let respond: @Sendable ([String: Double]) -> Void = { past in
            let airings = calendar.airings(overlapping: span, atMost: most)
            // What comes behind the last one of so many is not known.
            let end = airings.count < most ? span.upperBound : airings.last?.window.lowerBound
            answer(
                ScheduleForecast(
                    span.clamped(to: span.lowerBound..<max(span.lowerBound, end ?? span.upperBound)), airings: airings,
                    refused: calendar.conflicts(in: airings), continuous: continuous, asked: asked,
                    rates: rates.merging(past) { now, _ in now }))
        }
        guard let catalog else { return respond([:]) }
        catalog.ask { store throws(CatalogError) in
            try store.byteRates()
        } answer: { past in
            respond((try? past.get()) ?? [:])
        }
    }

    /// Asks what retention would delete now.
    package func askRetention(_ answer: @escaping @Sendable (Result<RetentionOutcome, CatalogError>) -> Void) {
        retention.ask(answer)
    }

    /// The free bytes of the recordings' disk, a few minutes ago; nil if unknown.
    package var freeBytes: Int64? { retention.free }
}
