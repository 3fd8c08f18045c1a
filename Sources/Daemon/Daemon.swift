// SPDX-License-Identifier: MIT

package import Catalog
package import Configuration
package import Engine
package import EventLoop
package import HTTPServer
package import Instants
import Platform
package import RadioCore
package import RadioFormats
import Recorder
package import Storage

/// Runs a configuration: commands an engine to do what its stations and shows require, and what users request.
///
/// The daemon gives access to its parts, and passes the events of the engine and the catalog on to them. The
/// ``Planner`` decides what runs. ``ShowVerdicts`` reports the results of shows, and ``ManualPurpose`` those
/// of manual recordings. The ``RetentionRunner`` deletes old recordings, and the ``ServiceRunner`` starts the HTTP
/// service. No part refers to the daemon.
package final class Daemon {
    private let context: DaemonContext
    private let began: (wall: WallInstant, now: MonotonicInstant)
    private let service: ServiceRunner
    private let planner: Planner
    private let retention: RetentionRunner
    private let catalogKeeper: CatalogKeeper
    private let hooks: Hooks
    /// All parts that follow what happens, in the order in which they are told of each finished file.
    private let parts: [any DaemonPart]
    /// The parts and purposes that only this list makes, in the order in which their events and metrics are listed.
    static var additions: [any Addition.Type] {
        [LogPurpose.self, MountPurpose.self, PlayerPurpose.self, WatchPurpose.self]
    }

    /// When everything has to be over; nil until the daemon begins to end.
    private var endDeadline: MonotonicInstant?
    private var endTimer: (any ReactorTimer)?
    private var hasBegunRecovery = false
    /// Whether files of an earlier run could not be completed.
    private var hasLeftovers = false
    private var diskFaults = DiskFaults()

    /// Receives every file that a recording begins or finishes; nil if there is no catalog.
    package var catalog: RecordingsCatalog? {
        get { context.catalog }
        set { context.catalog = newValue }
    }

    private var reactor: any Reactor { context.reactor }
    private var zone: any TimeZoneRules { context.values.zone }

    /// The routes that are served for a configuration beside the pages of the relay. Their owner keeps them.
    package typealias Routes = (Configuration) -> [LoopBound<RouteSet>]

    /// `perform` passes commands to the engine, whose events must be passed to ``hear(_:)``. `service` is what the HTTP
    /// service has in every configuration. `words` describes an event for people. `system` makes the file
    /// system calls on the recordings' disk.
    package init(
        reactor: any Reactor, values: UseContextValues, service base: ServiceSpec, userAgent: String,
        routes: @escaping Routes = { _ in [] },
        system: any FileSystemCalls = LinuxFileSystem(), perform: @escaping (EngineCommand) -> Void,
        words: @escaping (HookEvent) -> HookMessage, tell: @escaping (DaemonEvent) -> Void
    ) {
        let context = DaemonContext(reactor: reactor, values: values, system: system, perform: perform, tell: tell)
        self.context = context
        began = (reactor.wallNow, reactor.now)
        service = ServiceRunner(context, base, routes: routes)
        let additions = Self.additions.map { $0.init(context) }
        let planner = Planner(context, userAgent, additions.compactMap { $0 as? any Purpose })
        self.planner = planner
        retention = RetentionRunner(context, planner) { planner.unfinished }
        catalogKeeper = CatalogKeeper(context)
        hooks = Hooks(context, words: words)
        parts = [catalogKeeper, hooks, retention] + additions
        planner.onEnd = { [weak self] in self?.usesEnded() }
        planner.signs.faults = { [weak self] in self?.standingFaults }
        planner.links.onLateGap = { tell(.lateGap($0, $1)) }
        retention.onRoom = { [weak self] in self?.roomReturned() }
    }

    /// The configuration that applies.
    package var configuration: Configuration { planner.settings.configuration }

    /// Applies the first configuration, and continues what an earlier run has left. Its recordings are continued, its
    /// faults have their ends told, and shows that it has not judged are judged as soon as the clock is right.
    /// `agrees`: see ``apply(_:agrees:)``.
    package func begin(_ configuration: LoadedConfiguration, after earlier: EarlierRun, agrees: Bool = false) {
        var earlier = earlier
        for part in parts { part.resume(&earlier) }
        planner.airings.resume(earlier.read(SkippedBroadcasts.fileName))
        let underWay = earlier.read(RecordingLinks.fileName)
        let faults = StandingFaults(earlier.read(StandingFaults.fileName))
        // If the state folder is older, others have been under way since then.
        planner.links.resume(
            earlier.isOlder ? .null : underWay, lastSign: earlier.alive.map { $0.lastSign ?? $0.judgedUntil },
            faults: faults)
        planner.choices.resume(earlier.read(ListChoices.fileName))
        let manual = earlier.read(ManualRecordings.fileName, with: "recordings")
        for path in earlier.unreadable {
            let lost = "what the last run has kept is lost: \(path) cannot be read"
            context.tell(.notRemembered(Failure(.storage, lost, remedy: earlier.remedy)))
        }
        apply(configuration, agrees: agrees)
        planner.manual.resume(manual)
        retention.alarm = DiskAlarm(told: faults.disk)
        let over = diskFaults.resume(faults.faults, wanted: planner.wantedDescriptions)
        planner.resume(faults)
        for station in over { context.tell(.writingAgain(station: station, nil)) }
        let state = self.configuration.storage.state
        let empty = [
            (ManualRecordings.fileName, ManualRecordings().json(reactor.readClocks())),
            (SkippedBroadcasts.fileName, SkippedBroadcasts.json([])),
        ].map { (StateFile(folder: state, name: $0), $1.encoded()) }
        catalog?.run { for (file, bytes) in empty { file.reserve(bytes) } }
        if let alive = earlier.alive { planner.continueRun(earlier, alive) }
    }

    /// Applies the first configuration, or replaces the current one. Stations that did not change are not touched.
    /// `agrees`: whether rules that delete more recordings than before need not wait. Returns false, without applying
    /// anything, if the daemon is ending.
    @discardableResult
    package func apply(_ new: LoadedConfiguration, agrees: Bool = false) -> Bool {
        guard !planner.isStopping else { return false }
        let change = ConfigurationChange(from: configuration, to: new.configuration)
        context.storage = new.configuration.storage
        for part in parts { part.use(new.configuration) }
        planner.signs.begin()
        retention.isAgreed = agrees
        service.serve(new)
        let isFirst = !hasBegunRecovery
        if isFirst { recover(new.configuration) }
        planner.apply(new)
        context.tell(.configured(change))
        lookForMistakes(in: new.configuration, isFirst: isFirst)
        return true
    }

    /// Warns of settings that are probably a mistake, and in the first configuration of the folders of other daemons
    /// inside the recordings folder. This looks at disks, which may hang, so it runs on the catalog's thread.
    private func lookForMistakes(in configuration: Configuration, isFirst: Bool) {
        let bound = reactor.bind(self)
        let now = reactor.wallNow
        let today = ClockTrust.isSet(now) ? CalendarDate(CivilTime(now, in: zone)) : nil
        catalog?.run {
            let inner = isFirst ? ConfigurationWarning.innerFolders(of: configuration) : []
            for warning in inner + ConfigurationWarning.all(for: configuration, today: today) {
                bound.tell { $0.context.tell(.doubtful(warning)) }
            }
        }
    }

    /// Completes the files that an earlier run left behind.
    private func recover(_ configuration: Configuration) {
        (hasBegunRecovery, hasLeftovers) = (true, false)
        planner.verdicts.recoveryBegins()
        context.perform(.recover(folder: configuration.storage.recordings, depth: configuration.folderDepth))
    }

    /// Does what the disk had no room for: it has room again.
    private func roomReturned() {
        guard !planner.isStopping else { return }
        if hasLeftovers { recover(configuration) }
        catalogKeeper.roomReturned()
    }

    /// The faults that last; nil while the daemon ends.
    private var standingFaults: StandingFaults? {
        planner.isStopping
            ? nil : StandingFaults(faults: planner.outages + diskFaults.standing, disk: retention.alarm.told)
    }

    /// What people were told last of the space on the disk.
    package var diskLevel: DiskAlarm.Level { retention.alarm.told }

    /// Replans after a step of the wall clock.
    package func clockStepped() { planner.clockStepped() }

}

// MARK: - The end

extension Daemon {
    /// The limit for the end of recordings and parts together: everything is over within eight seconds, on a busy
    /// machine as well.
    private static let endPatience = Duration.seconds(6)
    /// How long the end waits for parts after all recordings have ended.
    private static let partPatience = Duration.seconds(5)
    /// The limit within ``endPatience`` for how long the end waits for the catalog. The catalog always gets half a
    /// second in addition, even if ``endPatience`` is used up.
    private static let catalogPatience = Duration.seconds(2)

    /// Ends everything, and finishes files. ``DaemonEvent/stopped`` follows.
    package func stop() {
        guard !planner.isStopping else { return }
        endDeadline = reactor.now + Self.endPatience
        for part in parts { part.stop() }
        planner.signs.stop()
        service.stop()
        planner.stop()
    }

    private func usesEnded() {
        for part in parts { part.finish() }
        let last = reactor.now + Self.partPatience
        endWhenIdle(by: min(last, endDeadline ?? last))
    }

    /// Reports the end once the parts have handled the last events, or at the deadline.
    private func endWhenIdle(by deadline: MonotonicInstant) {
        guard reactor.now < deadline, !parts.allSatisfy(\.isIdle) else { return context.tell(.stopped) }
        let timer = reactor.makeTimer { [weak self] in self?.endWhenIdle(by: deadline) }
        endTimer = timer
        timer.arm(at: reactor.now + .milliseconds(50))
    }

    /// Releases everything on the loop. Must be the last call.
    package func close() {
        endTimer?.cancel()
        for part in parts { part.close() }
        context.close()
        let left = endDeadline.map { $0 - reactor.now } ?? .zero
        catalog?.close(within: min(max(.zero, left), Self.catalogPatience) + .milliseconds(500))
    }
}

// MARK: - Events

extension Daemon {
    /// Handles an event of the engine.
    package func hear(_ event: EngineEvent) {
        switch event {
        case .listening(let addresses, let failed): service.note(addresses, failed: failed)
        case .service(let notice): context.tell(.service(notice))
        case .recovered(let file):
            if case .failed = file.outcome {
                hasLeftovers = true
                catalog?.noteUnfinished(path: file.path)
            } else if file.bundle == nil {
                catalog?.note(path: file.path)
            }
            context.tell(.recovered(file))
        case .finished(let bundle):
            for part in parts { part.finished(bundle) }
            // What has changed in it has an event of its own.
            if !bundle.isRevised { context.tell(.fileFinished(bundle)) }
        case .recoveryEnded:
            catalog?.noteGrowing()
            planner.verdicts.recoveryEnded()
            planner.settle()
        case .programme(let id, let notice): planner.hear(notice, of: id)
        case .use(let id, let notice):
            guard let key = planner.uses[id]?.key else { break }
            if case .recorder(let notice) = notice {
                planner.hear(notice, of: id, key)
                if diskFaults.note(notice, of: id, key, at: reactor.wallNow) {
                    context.tell(.writingAgain(station: key.station, key))
                }
                switch notice {
                case .failing: planner.signs.give()
                case .resumed:
                    planner.signs.give()
                    roomReturned()
                default: break
                }
            }
            planner.hear(notice, of: key)
            context.tell(.use(key, notice))
            for part in parts { part.hear(notice, of: id, key) }
        case .refused(let id, let failure):
            for part in parts { part.ended(id, nil) }
            planner.ended(id, failure, isDone: false)
        case .ended(let id, let outcome):
            if !planner.isStopping, let key = planner.uses[id]?.key, diskFaults.end(id, key) {
                context.tell(.writingAgain(station: key.station, key))
            }
            for part in parts { part.ended(id, outcome) }
            planner.ended(id, outcome)
        case .snapshot, .idle: break
        }
    }

    /// Handles a notice of the catalog.
    package func hear(_ notice: CatalogThread.Notice) {
        context.tell(.catalog(notice))
        switch notice {
        case .opened(let opening) where opening.isNew: rebuild()
        case .fellBehind: rebuild()
        case .opened: catalogReady()
        // Shows can be judged without the catalog. Retention is not run: it would fail for the same reason.
        case .failed: planner.verdicts.catalogReady()
        case .deleted: break
        }
    }

    /// Reports what a rebuild of the catalog has found.
    package func hear(_ finding: RebuildFinding) { context.tell(.rebuildFound(finding)) }

    private func rebuild() {
        planner.verdicts.catalogBehind()
        catalog?.rebuild()
    }

    /// Lets the tasks that wait for the catalog begin at the end of a rebuild, and repeats a rebuild that failed.
    package func catalogRebuilt(_ result: Result<Int, CatalogError>) {
        context.tell(.catalogRebuilt(result))
        catalogReady()
        if case .failure = result { catalogKeeper.rebuildLater() }
    }

    /// Lets the tasks that wait for the catalog begin: it is as complete as it can be for now.
    private func catalogReady() {
        planner.verdicts.catalogReady()
        // The results of shows go first, because a run of retention may keep the catalog busy for long.
        planner.settle()
        retention.runSoon()
    }
}

// MARK: - Requests

extension Daemon {
    /// Records a station from now on, for the given time. Returns nil if there is no such station, or if there are too
    /// many manual recordings.
    package func record(_ station: String, for length: Duration) -> ManualRecording? {
        planner.manual.record(station, for: length)
    }

    /// Ends a manual recording. Returns false if there is none with this number.
    package func endRecording(_ number: Int) -> Bool { planner.manual.end(number) }

    /// Notifies the hooks of an event.
    package func notify(_ event: HookEvent) { hooks.hear(event) }

    /// What runs the hooks.
    package var hookRunner: HookRunner { hooks.runner }

    /// What finds the broadcasts that users mean.
    package var showRequests: ShowRequests { planner.airings.requests }

    /// Skips broadcasts, or takes that back. A recording of such a broadcast ends or begins at once. Throws if too many
    /// are skipped.
    package func skip(_ broadcasts: Set<UseKey>, _ isSkipped: Bool) throws(Failure) {
        try planner.airings.skip(broadcasts, isSkipped)
    }

    /// The changes that users may request to existing recordings.
    package var recordings: RecordingChanges {
        RecordingChanges(
            catalog: catalog, storage: configuration.storage, running: runningRecordings,
            runningManual: Set(planner.uses.entries.values.filter { $0.key.number != nil }.compactMap(\.recording)),
            time: CivilTime(reactor.wallNow, in: zone))
    }

    /// The current status. `snapshot` is the engine's snapshot of this moment.
    package func status(_ snapshot: EngineSnapshot) -> DaemonStatus {
        var status = DaemonStatus(began: began.wall, uptime: reactor.now - began.now)
        status.addresses = service.addresses
        status.ownersSocket = service.base.ownersSocket
        status.needsPassword = configuration.server.users != nil
        status.stations = planner.stations(snapshot)
        status.player = planner.player(snapshot)
        return status
    }

    /// The recordings of a station at the moment, with their files.
    package func filesUnderWay(of station: String) -> [FileUnderWay] { planner.uses.filesUnderWay(of: station) }

    /// The next broadcast whose recording begins in the next two weeks; nil if there is none.
    package var nextShow: ShowAiring? { planner.airings.nextShow }

    /// Why the daemon does not listen on some configured addresses. It tries to listen on these addresses again.
    package var listeningFailures: [Failure] { service.failures }

    /// The IDs of the recordings under way.
    package var runningRecordings: Set<String> { planner.uses.recordings }

    /// How far the recordings under way have come, by their IDs. `snapshot` is the engine's snapshot of this moment.
    package func progress(_ snapshot: EngineSnapshot) -> [String: RecordingSnapshot] { planner.progress(snapshot) }

    /// Computes the first broadcasts of a span, and the disk space that recordings will need. `rates` holds the bytes
    /// per second of connected stations; the catalog supplies the rates of the others from their latest recordings.
    /// `answer` is called on the catalog's thread, or during this call if there is no catalog or its queue is full.
    package func askSchedule(
        _ span: Range<WallInstant>, atMost most: Int, rates: [String: Double],
        _ answer: @escaping @Sendable (ScheduleForecast) -> Void
    ) {
        planner.askSchedule(span, atMost: most, rates: rates, answer)
    }

    /// Reads the results of broadcasts from the ledger of shows, oldest first. `answer` is called on the catalog's
    /// thread, or during this call if there is no catalog.
    package func askBroadcasts(_ answer: @escaping @Sendable ([JSONValue]) -> Void) {
        guard let catalog else { return answer([]) }
        catalog.run { answer(catalog.shows.entries()) }
    }

    /// Determines what retention would delete now.
    package func askRetention(_ answer: @escaping @Sendable (Result<RetentionOutcome, CatalogError>) -> Void) {
        retention.ask(answer)
    }

    /// The free bytes of the recordings' disk, as measured in the last few minutes; nil if unknown.
    package var freeBytes: Int64? { retention.free }

    /// Whether recordings wait for room at present. People are not told when a full disk is only low again.
    package var isDiskFull: Bool { retention.isDiskFull }
}
