// SPDX-License-Identifier: MIT

import Configuration
import Engine
import EventLoop
import Instants
import RadioCore
import Recorder
import Stations
import Storage

/// Decides what should run at each moment, commands the engine accordingly, and handles the notices of running
/// programmes and uses.
///
/// When a configuration is applied, the purposes make a ``RunningPlan`` of what it alone decides. They add what depends
/// on the time whenever a show begins or ends, the clock is set, or a user begins or ends a manual recording, and at
/// least every 15 seconds. The ``Reconciler`` decides which uses begin and end.
final class Planner {
    let context: DaemonContext
    private(set) var reconciler = Reconciler()
    /// The names of stations by programme ID. Fallbacks are not included.
    private var stations: [ProgrammeID: String] = [:]
    let airings: AiringPurpose
    let manual: ManualPurpose
    private let purposes: [any Purpose]
    /// The user agent with which fallbacks are requested; stations have user agents of their own.
    private let userAgent: String
    let verdicts: ShowVerdicts
    private let questions: TimedQuestions
    let links: RecordingLinks
    let choices: ListChoices
    let signs: SignsOfLife
    private(set) var settings = LoadedConfiguration(Configuration())
    /// The part of the plan that only a new configuration changes.
    private var standing = RunningPlan()
    private(set) var histories = StationHistories()
    private var clockTrust = ClockTrust()
    private var clockJumps = ClockJumps()
    /// Whether ``DaemonEvent/clockNotSet`` has been sent, and the clock has not been set since then.
    private var hasSaidClock = false
    private(set) var isStopping = false
    private var hasStopped = false
    /// Called at the end, when nothing runs and all results are known.
    var onEnd: () -> Void = {}
    private lazy var timer = reactor.makeTimer { [weak self] in self?.plan() }
    private lazy var beginTimer = reactor.makeTimer { [weak self] in self?.beginDue() }

    /// The longest time between two plans. It is limited because the wall clock and the monotonic clock drift apart.
    private static let longestPause = Duration.seconds(15)

    /// `additions`: the purposes besides shows and the requests of users.
    init(_ context: DaemonContext, _ userAgent: String, _ additions: [any Purpose]) {
        (self.context, self.userAgent) = (context, userAgent)
        questions = TimedQuestions(reactor: context.reactor)
        signs = SignsOfLife(context)
        verdicts = ShowVerdicts(context, questions: questions, signs: signs)
        links = RecordingLinks(context)
        airings = AiringPurpose(context, verdicts: verdicts, links: links)
        manual = ManualPurpose(context, questions: questions, links: links)
        choices = ListChoices(context)
        purposes = [airings, manual] + additions
        airings.onChange = { [weak self] in self?.plan() }
        manual.onChange = { [weak self] in self?.plan() }
        signs.steadySince = { [weak self, reactor = context.reactor] in
            self?.lookAtClock()
            return self?.clockTrust.steadySince(wall: reactor.wallNow, now: reactor.now)
        }
        let whyMissing = { [weak self] (asked: Asked, missing: Range<WallInstant>) in
            self?.whyMissing(of: asked, missing) ?? []
        }
        signs.isRecording = { [weak self] in self?.uses.recordings.isEmpty == false }
        verdicts.wasSetForward = { [weak self] in self?.wasSetForward(in: $0) ?? false }
        links.whyMissing = whyMissing
        verdicts.whyMissing = whyMissing
        manual.whyMissing = whyMissing
    }

    var reactor: any Reactor { context.reactor }
    private var configuration: Configuration { settings.configuration }

    /// Runs a configuration from now on. Stations that did not change are not touched, but running uses get new access
    /// rules, without disturbing listeners.
    func apply(_ new: LoadedConfiguration) {
        let hasNewRules = new.rules != settings.rules
        settings = new
        for purpose in purposes { purpose.use(new) }
        standing = RunningPlan(configuration.stations)
        for purpose in purposes { purpose.add(to: &standing, for: new) }
        links.ask(configuration)
        plan()
        guard hasNewRules else { return }
        for id in uses.current.values {
            if let request = uses[id]?.plan.request(new.rules) { context.perform(.ask(id, request)) }
        }
    }

    /// Replans after a step of the wall clock.
    func clockStepped() {
        manual.clockStepped()
        plan()
    }

    private func plan() {
        guard !isStopping else { return }
        lookAtClock()
        let moment = PlanMoment(settings: settings, clocks: reactor.readClocks()) { [uses] in uses.current[$0] != nil }
        var plan = standing
        for purpose in purposes { purpose.add(to: &plan, at: moment) }
        carryOut(reconciler.want(plan, reactor.now))
        if ClockTrust.isSet(moment.clocks.wall) { links.keep(only: plan.uses.keys) }
        choices.keep(only: configuration.stations.lazy.map(\.id))
        settle()
        for station in histories.silent where !reconciler.needs(station: station) { endOutage(of: station) }
        for down in histories.takeDown(reactor.now) { told(.stationDown(down.station, down.failure)) }
        let next = purposes.compactMap(\.nextChange).reduce(reactor.now + Self.longestPause, min)
        timer.arm(at: max(next, reactor.now + .milliseconds(1)))
    }

    /// Reports the beginning or end of a fault, and stores the faults that last.
    private func told(_ event: DaemonEvent) {
        context.tell(event)
        signs.give()
    }

    /// Reports shows and manual recordings that are over.
    func settle() {
        if verdicts.knowsFiles { links.lookUpEnds() }
        for purpose in purposes { purpose.settle(isRunning: uses.isRunning, knowsFiles: verdicts.knowsFiles) }
    }

    /// Ends everything. ``onEnd`` follows.
    func stop() {
        isStopping = true
        timer.cancel()
        questions.end()
        questions.onIdle = { [weak self] in self?.stopWhenIdle() }
        carryOut(reconciler.want(RunningPlan(), reactor.now))
        stopWhenIdle()
    }

    /// Reports the end once nothing runs and all results are known.
    private func stopWhenIdle() {
        guard uses.entries.isEmpty, questions.isIdle, !hasStopped else { return }
        hasStopped = true
        links.stop()
        onEnd()
    }

    // MARK: The clock

    /// Whether the wall clock is trusted, so that recordings may be deleted for their age.
    var believesClock: Bool { clockTrust.isBelieved(at: reactor.now) }

    /// Takes over what an earlier run of the daemon left. The shows that it has not judged are judged as soon as the
    /// clock is right. `last`: its last sign of life.
    func continueRun(_ earlier: EarlierRun, _ last: AliveFile.Content) {
        links.store()
        verdicts.note(judgedUntil: last.judgedUntil, judged: earlier.judged, unknown: earlier.unknown)
        clockTrust.note(
            lastRun: last.lastSign ?? last.judgedUntil, steadySince: last.steadySince, wall: reactor.wallNow,
            now: reactor.now)
        plan()
    }

    /// Takes over the faults that lasted when an earlier run ended.
    func resume(_ faults: StandingFaults) {
        histories.resume(faults.faults, reactor.readClocks())
        for station in histories.silent where !reconciler.needsAlways(station: station) { endOutage(of: station) }
    }

    /// Ends the outage of a station that nothing needs any more. The end of the daemon ends no outage.
    private func endOutage(of station: String) {
        guard !isStopping, let length = histories.endOutage(of: station, reactor.now) else { return }
        told(.stationUnneeded(station, after: length))
    }

    /// The descriptions of all purposes for which a use should run.
    var wantedDescriptions: Set<String> { reconciler.wantedDescriptions }

    /// The stations that send no audio.
    var outages: [StandingFault] { histories.outages(reactor.readClocks()) }

    private func wasSetForward(in span: Range<WallInstant>) -> Bool {
        lookAtClock()
        return clockJumps.causes.contains { $0.span.overlaps(span) }
    }

    private func lookAtClock() {
        let isSet = ClockTrust.isSet(reactor.wallNow)
        if !isSet, !hasSaidClock { context.tell(.clockNotSet) }
        hasSaidClock = !isSet
        clockTrust.look(wall: reactor.wallNow, now: reactor.now)
        clockJumps.look(reactor.readClocks())
    }
}

// MARK: - Commands

extension Planner {
    /// Begins the uses that are due.
    private func beginDue() { carryOut(reconciler.proceed(reactor.now)) }

    private func carryOut(_ actions: [Reconciler.Action]) {
        for action in actions { carryOut(action) }
        if let deadline = reconciler.deadline { beginTimer.arm(at: deadline) } else { beginTimer.cancel() }
    }

    private func carryOut(_ action: Reconciler.Action) {
        switch action {
        case .add(let id, let name, let source): add(id, name, source)
        case .remove(let id):
            stations[id] = nil
            context.perform(.remove(id))
        case .begin(let id, let key, let wanted, let programme, let other):
            context.perform(.begin(id, spec(id, key, wanted.plan, other), of: programme))
        case .end(let id): askToEnd(id)
        }
    }

    /// Ends a use that should not run any more, or that another one for the same purpose follows: at once, or in the
    /// next run of the daemon, which knows whether the station sends again what is missing.
    private func askToEnd(_ id: UseID) {
        if let use = uses[id], use.recording != nil, isStopping || reconciler.wants(use.key) {
            reconciler.uses.noteFollowed(id)
            context.perform(.ask(id, RecordingRequest.isFollowed(atOnce: !isStopping)))
        }
        context.perform(.end(id))
    }

    private func add(_ id: ProgrammeID, _ name: String, _ source: ProgrammeSource) {
        do throws(SettingFault) {
            let seed = UInt64(bitPattern: reactor.now.nanoseconds) &+ UInt64(stations.count)
            let spec = try source.spec(seed: seed, choice: choices[name], userAgent)
            if case .station = source { stations[id] = name }
            context.perform(.add(id, spec))
        } catch {
            // The fallback cannot be played, so its mount plays silence instead.
            context.tell(.failed(UseKey(id.description, .mount), Failure(.usage, "\(error)", remedy: "choose another")))
        }
    }

    /// The use that begins, for the engine.
    private func spec(_ id: UseID, _ key: UseKey, _ plan: any UsePlan, _ other: ProgrammeID?) -> any UseSpec {
        let follows = uses.entries.contains { $0.key != id && $0.value.key == key }
        var start = UseStart(values: context.values, settings: settings, other: other, follows: follows)
        guard let recording = plan.recording else { return plan.spec(start) }
        start.recording = context.values.recordingID()
        reconciler.uses.note(recording: start.recording, of: id)
        start.earlier = links.begin(id, key, scheduled: recording.showStart)
        start.scheduled = recording.showStart.map { links.start(of: key, scheduled: $0) }
        // After a restart, the burst or the list may reach back to where the earlier run ended. A burst may come before
        // this use begins.
        if let earlier = start.earlier {
            if links.isOfEarlierRun(earlier) {
                (start.place, start.resumesAt) = (.oldest, links.resumption(of: key.station))
            } else if let end = links.end(of: earlier) {
                start.place = .airTime(end)
            }
        }
        return plan.spec(start)
    }
}

// MARK: - Notices

extension Planner {
    /// The uses that have begun.
    var uses: BegunUses { reconciler.uses }

    /// Handles a notice of a programme.
    func hear(_ notice: StationNotice, of programme: ProgrammeID) {
        guard let station = stations[programme] else { return }
        if case .chose(let choice, let lost) = notice {
            choices.note(choice, of: station)
            if lost != nil { uses.recordingsByStation[station]?.forEach { links.beginAnew($0.id, $0.key) } }
        }
        let wasSilent = histories[station].outage != nil
        let back = histories.note(notice, of: station, reactor.now)
        context.tell(.station(station, notice))
        if let back { told(.stationBack(station, after: back)) }
        // If the process is killed now, the next run must know why audio is missing.
        if (histories[station].outage != nil) != wasSilent { signs.giveSoon() }
    }

    /// Handles a notice of a recorder. A recording begins with its first file.
    func hear(_ notice: RecorderNotice, of id: UseID, _ key: UseKey) {
        histories.note(notice, of: key.station, reactor.now)
        guard case .began(let path, let start) = notice, reconciler.uses.note(file: path, of: id) else { return }
        let recording = uses.recording(of: id)
        for purpose in purposes { purpose.began(key, recording, at: start) }
        let window = airings.window(of: key)
        links.began(id, key, recording: recording, at: start, wantedFrom: window?.lowerBound)
        if verdicts.knowsFiles { links.lookUpEnds() }
        // If an earlier recording began the show, this one is not late: what is missing between them is a gap.
        let wanted = links.continues(id) ? nil : window
        let late = wanted.flatMap { Punctuality.lateness(of: start, from: $0.lowerBound) }
        context.tell(.recordingBegan(key, recording: recording, path: path, late: late))
    }

    /// Handles a notice of a use. An on-demand station is not connected while nobody listens, so during that time it
    /// does not count as down.
    func hear(_ notice: UseNotice, of key: UseKey) {
        switch notice {
        case .wanted(false), .failed: endOutage(of: key.station)
        default: break
        }
    }

    /// Tells how a use has ended, and lets what follows it begin.
    func ended(_ id: UseID, _ outcome: any UseOutcome) {
        guard let use = uses[id] else { return }
        guard let outcome = outcome as? RecordingOutcome else { return ended(id, outcome.failure, isDone: false) }
        let (key, recording, report) = (use.key, uses.recording(of: id), outcome.report)
        // A station tells only of gaps that are over.
        for gap in report.openGaps where !histories[key.station].hasTold(gapAt: gap.at.instant) {
            context.tell(.use(key, .recorder(.lost(gap))))
        }
        let end = window(of: key)?.upperBound
        let isUntold = !isStopping && !use.isFollowed && report.segments.isEmpty
        if isUntold, let gap = links.openGap(before: id, until: min(end ?? reactor.wallNow, reactor.wallNow)) {
            context.tell(.use(key, .recorder(.lost(gap))))
        }
        context.tell(.recordingEnded(key, recording: recording, outcome))
        let next = uses.current[key].flatMap { $0 == id ? nil : $0 }
        links.ended(id, recording, report, next: next)
        for purpose in purposes { purpose.ended(key, recording, report) }
        ended(id, nil, isDone: end.map { $0 <= reactor.wallNow } ?? false)
    }

    /// Lets what follows a use begin, which has ended or could not begin. If `isDone` and the use is a recording whose
    /// span is over, it is not begun again.
    func ended(_ id: UseID, _ failure: Failure?, isDone: Bool) {
        guard let key = reconciler.ended(id, isDone: isDone, reactor.now) else { return }
        if !reconciler.needs(station: key.station) { endOutage(of: key.station) }
        if let failure, !isStopping { context.tell(.failed(key, failure)) }
        beginDue()
        settle()
        if isStopping { stopWhenIdle() }
    }

    /// The span of air time of a show or a manual recording; nil for other uses.
    func window(of key: UseKey) -> Range<WallInstant>? {
        purposes.lazy.compactMap { $0.window(of: key) }.first
    }
}

// MARK: - Answers

extension Planner {
    /// Divides a span that is over, and in which audio is missing, by causes.
    private func whyMissing(of asked: Asked, _ missing: Range<WallInstant>) -> [RecordingResult.Cause] {
        let clock = reactor.readClocks()
        clockJumps.look(clock)
        let known = clockJumps.causes + links.askedTimes.causes(of: asked)
        return missing.divided(by: known, least: min(RecordingResult.tolerance, missing.length)) { rest in
            links.downtimes.causes(of: rest, in: asked.station, start: links.start) { part in
                // A station is connected a minute before its show.
                let history = histories[asked.station]
                return history.causes.last { $0.span.overlaps(part) }?.text
                    ?? history.cause(since: clock.instant(of: part.lowerBound) - .seconds(60))
            }
        }
    }

    /// The shows and manual recordings that are not over.
    var unfinished: UnfinishedRecordings {
        UnfinishedRecordings(
            recordings: uses.finiteRecordings.union(manual.all.flatMap { $0.parts.map(\.id) }),
            broadcasts: Set(verdicts.airings.map(BroadcastID.init)))
    }
}
