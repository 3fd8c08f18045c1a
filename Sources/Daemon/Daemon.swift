// SPDX-License-Identifier: MIT

package import Catalog
package import Configuration
package import Engine
package import EventLoop
import HTTPServer
package import Instants
import RadioCore
import Recorder
import Stations
import Storage

/// Runs a configuration: commands an engine to do what its stations and shows require, and what users request.
/// Confined to the loop's thread.
///
/// What should run at a moment is a ``RunningPlan``; the ``Reconciler`` turns the difference from what runs into
/// commands. A new configuration, the beginning of a show, and a use that has ended by itself all take this one way.
package final class Daemon {
    let reactor: any Reactor
    private let perform: (EngineCommand) -> Void
    let tell: (DaemonEvent) -> Void
    let values: UseContextValues
    private let server: String
    private let userAgent: String
    /// Pages beside those of the relay.
    private let pages: [ServicePage]
    private var settings = LoadedConfiguration(Configuration())
    private var calendar: ShowCalendar
    private var reconciler = Reconciler()
    private var tallies = ShowTallies()
    private var manual = ManualRecordings() {
        didSet { if manual != oldValue { note(manual) } }
    }
    private var isStopping = false
    /// Whether the clock is not set, and this has been reported.
    private var hasSaidClock = false
    private var uses = BegunUses()
    private var stations: [ProgrammeID: String] = [:]
    private var addresses: [SocketAddress] = []
    private var histories: [String: StationHistory] = [:]
    private let began: (wall: WallInstant, now: MonotonicInstant)
    private lazy var planTimer = reactor.makeTimer { [weak self] in self?.plan() }
    private lazy var retentionTimer = reactor.makeTimer { [weak self] in self?.retentionDue() }
    private lazy var aliveTimer = reactor.makeTimer { [weak self] in self?.aliveDue() }
    private lazy var serveTimer = reactor.makeTimer { [weak self] in self?.serveAgain() }
    private var listening = Listening()
    private var unseen = UnseenShows()
    private var pendingVerdicts = PendingVerdicts()
    private var hasBegunRecovery = false
    var retentionPace = RetentionPace()
    private(set) var clockTrust = ClockTrust()
    private lazy var reconcileTimer = reactor.makeTimer { [weak self] in self?.reconcileDue() }

    /// Is told of every file that a recording begins or finishes; nil if there is no catalog.
    package var catalog: RecordingsCatalog?

    /// The page that the configuration can turn off.
    package static let metricsPath = "/metrics"
    /// 2026-01-01. Earlier times mean that the clock is not set.
    private static let earliest = WallInstant(nanoseconds: 1_767_225_600_000_000_000)
    private static let aliveInterval = Duration.seconds(60)
    private static let serveInterval = Duration.seconds(60)
    private static let late = Duration.seconds(30)
    /// The longest time between two plans; the wall clock and the monotonic one drift apart.
    private static let longestPause = Duration.seconds(15)

    /// `perform` carries out commands of the engine, whose events have to come to ``hear(_:)``. `server` is the
    /// program's name and version.
    package init(
        reactor: any Reactor, values: UseContextValues, server: String, userAgent: String, pages: [ServicePage] = [],
        perform: @escaping (EngineCommand) -> Void, tell: @escaping (DaemonEvent) -> Void
    ) {
        self.reactor = reactor
        began = (reactor.wallNow, reactor.now)
        self.values = values
        self.server = server
        self.userAgent = userAgent
        self.pages = pages
        self.perform = perform
        self.tell = tell
        calendar = ShowCalendar([], stationsAtOnce: nil, zones: values.zones)
    }

    /// The configuration that applies.
    package var configuration: Configuration { settings.configuration }

    /// Applies a configuration: the first one, or another one in its place. Stations that did not change are not
    /// touched. `inherited`: sockets from the service manager, which only count the first time.
    package func apply(_ new: LoadedConfiguration, inherited: [CInt] = []) {
        guard !isStopping else { return }
        let change = ConfigurationChange(from: settings.configuration, to: new.configuration)
        let hasNewRules = new.rules != settings.rules
        settings = new
        calendar = ShowCalendar(
            new.configuration.stations, stationsAtOnce: new.configuration.storage.stationsAtOnce,
            zones: { [values] in new.zones[$0] ?? values.zones($0) })
        removeUnknownManual()
        serve(new, inherited: inherited)
        recover()
        plan()
        if hasNewRules { applyRules() }
        retentionTimer.arm(at: reactor.now + .seconds(10))
        aliveTimer.arm(at: reactor.now + Self.aliveInterval)
        tell(.configured(change))
    }

    private func removeUnknownManual() {
        let known = Set(settings.configuration.stations.map(\.id))
        manual.removeAll { !known.contains($0.station) }
    }

    /// Completes what an earlier run left behind, once.
    private func recover() {
        guard !hasBegunRecovery else { return }
        hasBegunRecovery = true
        let configuration = settings.configuration
        perform(.recover(folder: configuration.storage.recordings, depth: configuration.folderDepth))
    }

    private func judgePending() {
        let verdicts = pendingVerdicts.take()
        for (airing, own) in verdicts { judge(airing, with: own) }
        if !verdicts.isEmpty { noteAlive() }
    }

    /// Takes news of the catalog.
    package func hear(_ notice: CatalogThread.Notice) {
        switch notice {
        case .opened(let opening) where opening.isNew: catalog?.rebuild()
        case .fellBehind: catalog?.rebuild()
        case .opened: catalogReady()
        case .failed:
            // Verdicts do without it. Retention would fail as well, and tell of it again.
            pendingVerdicts.isCataloged = true
            judgePending()
        case .deleted: break
        }
    }

    /// Notes that the catalog is as complete as it can be: opened, or rebuilt, or not to be rebuilt.
    package func catalogReady() {
        pendingVerdicts.isCataloged = true
        judgePending()
        runRetentionSoon()
    }

    /// Judges a show now, if all is known of it; else keeps it for later.
    func mayJudge(_ airing: ShowAiring, with own: AiringResult) -> Bool {
        guard catalog != nil, !pendingVerdicts.isReady else { return true }
        pendingVerdicts.add(airing, own)
        return false
    }

    /// Mounts that run take new rules without disturbing their listeners; the others begin with them.
    private func applyRules() {
        for station in settings.configuration.stations {
            guard let use = reconciler.use(UseKey(station.id, .mount)) else { continue }
            perform(.ask(use, MountRequest.rules(settings.rules)))
        }
    }

    private func serve(_ new: LoadedConfiguration, inherited: [CInt]) {
        serveTimer.cancel()
        var spec = new.service(server: server)
        spec.pages = pages.filter { $0.path != Self.metricsPath || new.configuration.server.metrics }
        guard let spec = listening.service(spec, new.configuration.server, inherited: inherited) else { return }
        perform(.serve(spec))
    }

    private func serveAgain() {
        guard let spec = listening.failed, !isStopping else { return }
        perform(.serve(spec))
    }

    /// Ends everything; files are finished. ``DaemonEvent/stopped`` follows.
    package func stop() {
        guard !isStopping else { return }
        isStopping = true
        planTimer.cancel()
        retentionTimer.cancel()
        aliveTimer.cancel()
        noteAlive()
        reconcileTimer.cancel()
        serveTimer.cancel()
        carryOut(reconciler.want(RunningPlan(), reactor.now))
        if reconciler.isIdle { tell(.stopped) }
    }

    /// Notes that the wall clock was set.
    package func clockStepped() { plan() }

    /// Records a station from now on, for a time. Returns nil if there is no such station.
    package func record(_ station: String, for length: Duration) -> ManualRecording? {
        guard settings.configuration.stations.contains(where: { $0.id == station }) else { return nil }
        let now = reactor.wallNow
        let recording = manual.add(station, now..<now + length)
        plan()
        return recording
    }

    /// Goes on with the recordings that somebody asked an earlier run for. To be called after the first configuration.
    package func resume(_ recordings: ManualRecordings) {
        manual = recordings
        removeUnknownManual()
        plan()
    }

    /// Ends a recording that somebody has asked for. Returns false if there is none with this number.
    package func endRecording(_ number: Int) -> Bool {
        guard manual.remove(number) else { return false }
        plan()
        return true
    }
}

// MARK: - Plans

extension Daemon {
    /// Whether the wall clock can be right.
    var hasClock: Bool { reactor.wallNow >= Self.earliest }

    private func plan() {
        guard !isStopping else { return }
        let now = reactor.wallNow
        manual.removeAll { $0.window.upperBound + ShowCalendar.rest <= now }
        let present = hasClock ? calendar.present(at: now) : ShowCalendar.Present()
        noteClock()
        clockTrust.look(wall: now, now: reactor.now)
        if hasClock, let span = unseen.look(at: now) {
            judgeUnseen(span)
            noteAlive()
        }
        // A recording that is over may still be finishing its files; it is not begun any more.
        let ending = present.ending.filter { reconciler.use($0.key) != nil }
        let overdue = manual.all.filter { $0.window.upperBound > now || reconciler.use($0.key) != nil }
        for airing in tallies.update(present, at: now) { tell(.showRefused(airing)) }
        let plan = RunningPlan(
            settings.configuration, airings: present.recorded + ending, manual: overdue,
            userAgent: userAgent)
        carryOut(reconciler.want(plan, reactor.now))
        settleShows()
        lookForTrouble()
        armPlanTimer(now)
    }

    /// Reports stations that are needed and have sent no audio for a minute.
    private func lookForTrouble() {
        let now = reactor.now
        for id in histories.keys.sorted() where histories[id]?.hasGone(now) == true {
            tell(.stationDown(id, histories[id]?.failure))
        }
    }

    /// Reports the shows that ended while no daemon ran, as soon as the clock is right. `lastRun`: when one ran last.
    package func judgeMissed(since lastRun: WallInstant) {
        unseen.note(lastRun: lastRun)
        clockTrust.note(lastRun: lastRun, wall: reactor.wallNow, now: reactor.now)
        plan()
    }

    /// All shows that ended before this instant have been reported. Nil if unknown.
    var reportedUntil: WallInstant? {
        hasClock && pendingVerdicts.isEmpty ? tallies.settledUntil(reactor.wallNow) : nil
    }

    private func noteClock() {
        if !hasClock, !hasSaidClock { tell(.clockNotSet) }
        hasSaidClock = !hasClock
    }

    private func armPlanTimer(_ now: WallInstant) {
        let changes =
            [hasClock ? calendar.nextChange(after: now) : now + Self.longestPause]
            + manual.all.map(\.window.upperBound).filter { $0 > now }
        let wait = min((changes.min() ?? now) - now, Self.longestPause)
        planTimer.arm(at: reactor.now + max(wait, .milliseconds(1)))
    }

    private func reconcileDue() { carryOut(reconciler.tick(reactor.now)) }

    private func carryOut(_ actions: [Reconciler.Action]) {
        for action in actions { carryOut(action) }
        if let deadline = reconciler.deadline, !isStopping {
            reconcileTimer.arm(at: deadline)
        } else {
            reconcileTimer.cancel()
        }
    }

    private func carryOut(_ action: Reconciler.Action) {
        switch action {
        case .add(let id, let source):
            do throws(SettingFault) {
                let spec = try source.spec(seed: UInt64(bitPattern: reactor.now.nanoseconds) &+ UInt64(stations.count))
                if case .station = source { stations[id] = reconciler.name(of: id) }
                perform(.add(id, spec))
            } catch {
                // A fallback that cannot be played: its mount has silence instead.
                tell(.failed(UseKey(id.description, .mount), Failure(.usage, "\(error)", remedy: "choose another")))
            }
        case .remove(let id):
            stations[id] = nil
            perform(.remove(id))
        case .begin(let id, let key, let plan, let programme, let fallback): begin(id, key, plan, programme, fallback)
        case .end(let id): perform(.end(id))
        }
    }

    private func begin(
        _ id: UseID, _ key: UseKey, _ plan: UsePlan, _ programme: ProgrammeID, _ fallback: ProgrammeID?
    ) {
        let recording = values.recordingID()
        let isRecording = if case .recording = plan.purpose { true } else { false }
        uses.begin(id, key, recording: isRecording ? recording : nil)
        perform(
            .begin(
                id,
                plan.spec(
                    values, settings.zones, recording: recording, fallback: fallback, rules: settings.rules),
                of: programme))
    }
}

// MARK: - Events

extension Daemon {
    /// Takes an event of the engine.
    package func hear(_ event: EngineEvent) {
        switch event {
        case .listening(let addresses):
            listening.note(isListening: true)
            guard addresses != self.addresses else { break }
            self.addresses = addresses
            tell(.listening(addresses))
        case .notListening(let failure):
            listening.note(isListening: false)
            if listening.failed != nil, !isStopping { serveTimer.arm(at: reactor.now + Self.serveInterval) }
            tell(.notListening(failure))
        case .recovered(let file):
            catalog?.note(path: file.path)
            tell(.recovered(file))
        case .recoveryEnded:
            pendingVerdicts.isRecovered = true
            judgePending()
        case .programme(let id, let notice):
            guard let station = stations[id] else { break }
            let back = histories[station, default: StationHistory()].note(notice, reactor.now)
            tell(.station(station, notice))
            if let back { tell(.stationBack(station, after: back)) }
        case .use(let id, let notice):
            guard let key = uses.key(of: id) else { break }
            if case .recorder(let notice) = notice {
                noteBeginning(of: id, key, notice)
                for path in notice.changedFiles { catalog?.note(path: path) }
                noteSpace(of: id, notice)
            }
            tell(.use(key, notice))
        case .refused(let id, let failure): ended(id, failure, isDone: false)
        case .ended(let id, let outcome): hear(outcome, of: id)
        case .snapshot, .idle: break
        }
    }

    /// A recording begins with its first file.
    private func noteBeginning(of id: UseID, _ key: UseKey, _ notice: RecorderNotice) {
        guard case .began(let path) = notice, uses.noteFile(of: id) else { return }
        // Recordings begin some seconds after their first frame.
        let late = tallies.window(of: key).map { reactor.wallNow - $0.lowerBound }.flatMap {
            $0 >= Self.late ? $0 : nil
        }
        tell(.recordingBegan(key, recording: uses.recording(of: id), path: path, late: late))
    }

    private func hear(_ outcome: any UseOutcome, of id: UseID) {
        guard let key = uses.key(of: id) else { return }
        guard let recording = outcome as? RecordingOutcome else { return ended(id, outcome.failure, isDone: false) }
        tell(.recordingEnded(key, recording: uses.recording(of: id), recording))
        tallies.add(recording.report, to: key)
        let end = window(of: key)?.upperBound
        ended(id, nil, isDone: end.map { $0 <= reactor.wallNow } ?? false)
    }

    private func window(of key: UseKey) -> Range<WallInstant>? {
        tallies.window(of: key) ?? manual.window(of: key)
    }

    private func ended(_ id: UseID, _ failure: Failure?, isDone: Bool) {
        guard let key = uses.end(id) else { return }
        if !uses.needs(station: key.station) { histories[key.station]?.forgetTrouble() }
        if let failure, !isStopping { tell(.failed(key, failure)) }
        carryOut(reconciler.ended(id, isDone: isDone, reactor.now))
        settleShows()
        if isStopping, reconciler.isIdle { tell(.stopped) }
    }

    /// Reports the results of shows that are over.
    private func settleShows() {
        // A use that is ending may still report what it has recorded.
        let settled = tallies.settle(at: reactor.wallNow, isRunning: uses.isRunning)
        for (airing, result) in settled { judge(airing, with: result) }
        // After a crash the next run must not report them again.
        if !settled.isEmpty { noteAlive() }
    }
}

// MARK: - Retention

extension Daemon {
    private func retentionDue() {
        runRetention()
        retentionTimer.arm(at: reactor.now + retentionPace.pause(isDiskFull: uses.lackSpace))
    }

    /// Runs retention once more in a moment.
    func runRetentionSoon() {
        if !isStopping { retentionTimer.arm(at: reactor.now + .seconds(1)) }
    }

    private func aliveDue() {
        noteAlive()
        aliveTimer.arm(at: reactor.now + Self.aliveInterval)
    }

    /// While the disk is full, retention runs more often: what it may delete is known only once it is finished.
    private func noteSpace(of id: UseID, _ notice: RecorderNotice) {
        switch notice {
        case .failing(let error) where error.code == .noSpace:
            let isNews = !uses.lackSpace
            uses.note(lacksSpace: true, id)
            guard isNews else { break }
            if retentionPace.mayRun(forFullDiskAt: reactor.now) { runRetention() }
            retentionTimer.arm(at: reactor.now + retentionPace.pause(isDiskFull: true))
        case .resumed: uses.note(lacksSpace: false, id)
        default: break
        }
    }
}

// MARK: - Status

extension Daemon {
    /// What runs. `snapshot`: that of the engine at this moment.
    package func status(_ snapshot: EngineSnapshot) -> DaemonStatus {
        var status = DaemonStatus(began: began.wall, uptime: reactor.now - began.now)
        status.addresses = addresses
        let recordings = uses.recordingsByStation
        status.stations = settings.configuration.stations.map { station in
            let programme = reconciler.programme(station.id).flatMap { snapshot.programmes[$0] }
            var shown = DaemonStatus.Station(
                id: station.id, name: station.name, programme: programme ?? ProgrammeSnapshot())
            if station.relay != nil {
                shown.path = RunningPlan.path(of: station.id)
                let use = reconciler.use(UseKey(station.id, .mount))
                shown.mount = use.flatMap { snapshot.uses[$0] as? MountProgress }
            }
            shown.recordings = (recordings[station.id] ?? []).map { id, key in
                recording(id, key, of: station, snapshot)
            }.sorted { $0.key.description < $1.key.description }
            let history = histories[station.id] ?? StationHistory()
            (shown.gaps, shown.missing, shown.splices) = (history.gaps, history.missing, history.splices)
            shown.failure = history.failure
            return shown
        }
        return status
    }

    private func recording(
        _ id: UseID, _ key: UseKey, of station: StationConfiguration, _ snapshot: EngineSnapshot
    ) -> DaemonStatus.Recording {
        var recording = DaemonStatus.Recording(key: key, id: uses.recording(of: id))
        if case .airing(let show, _) = key.kind {
            recording.show = station.shows.first { $0.show.id == show }?.show.name ?? show
        }
        recording.window = window(of: key)
        recording.snapshot = snapshot.uses[id] as? RecordingSnapshot
        return recording
    }

    /// The IDs of the recordings under way.
    package var runningRecordings: Set<String> { uses.recordings }

    /// The free bytes of the recordings' disk, a few minutes ago; nil if unknown.
    package var freeBytes: Int64? { retentionPace.free }

    /// All broadcasts that ended in a span.
    func airings(endedIn span: Range<WallInstant>) -> [ShowAiring] {
        calendar.airings(overlapping: span).filter { span.contains($0.window.upperBound) }
    }

    /// The first broadcasts of a span, in order, and those of them that cannot be recorded.
    package func schedule(
        _ span: Range<WallInstant>, atMost most: Int
    ) -> (airings: [ShowAiring], refused: Set<UseKey>) {
        let airings = calendar.airings(overlapping: span, atMost: most)
        return (airings, calendar.conflicts(in: airings))
    }
}
