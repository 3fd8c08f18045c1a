// SPDX-License-Identifier: MIT

import Configuration
import Engine
import EventLoop
import Instants
import RadioCore
import Relay
import Stations

/// Commands an engine to carry out a plan. Confined to the loop's thread.
///
/// The ``Reconciler`` decides which uses begin and end. This class commands the engine accordingly, and knows which
/// uses have begun.
final class PlanRunner {
    private let reactor: any Reactor
    private let values: UseContextValues
    private let perform: (EngineCommand) -> Void
    private let onFailure: (UseKey, Failure) -> Void
    private let links: RecordingLinks
    private let choices: ListChoices
    private var settings = LoadedConfiguration(Configuration())
    private var reconciler = Reconciler()
    private var uses = BegunUses()
    /// Whether the daemon is ending.
    private var isStopping = false
    /// The names of stations by programme ID. Fallbacks are not included.
    private var stations: [ProgrammeID: String] = [:]
    private lazy var timer = reactor.makeTimer { [weak self] in self?.due() }

    /// `onFailure` is called for a mount whose fallback cannot be used.
    init(
        reactor: any Reactor, values: UseContextValues, links: RecordingLinks, choices: ListChoices,
        perform: @escaping (EngineCommand) -> Void, onFailure: @escaping (UseKey, Failure) -> Void
    ) {
        self.reactor = reactor
        self.values = values
        self.links = links
        self.choices = choices
        self.perform = perform
        self.onFailure = onFailure
    }

    /// Sets what should run from now on. `settings` apply to all uses that begin from now on.
    func want(_ plan: RunningPlan, _ settings: LoadedConfiguration) {
        let hasNewRules = settings.rules != self.settings.rules
        self.settings = settings
        carryOut(reconciler.want(plan, reactor.now))
        if hasNewRules { applyRules() }
    }

    /// Ends everything.
    func stop() {
        isStopping = true
        carryOut(reconciler.want(RunningPlan(), reactor.now))
    }

    /// Forgets a use that has ended. Returns its purpose; nil if the use is unknown. Call ``proceed(after:isDone:)``
    /// next.
    func end(_ id: UseID) -> UseKey? { uses.end(id) }

    /// Begins the uses that are due after the end of a use. If `isDone` and the ended use is a recording of a span, it
    /// is not begun again.
    func proceed(after id: UseID, isDone: Bool) { carryOut(reconciler.ended(id, isDone: isDone, reactor.now)) }

    /// Gives new access rules to the running mounts, without disturbing their listeners. Mounts that begin later get
    /// the rules from the start.
    private func applyRules() {
        for station in settings.configuration.stations {
            guard let use = use(UseKey(station.id, .mount)) else { continue }
            perform(.ask(use, MountRequest.rules(settings.rules)))
        }
    }
}

// MARK: - What runs

extension PlanRunner {
    /// Whether nothing runs or is ending.
    var isIdle: Bool { reconciler.isIdle }

    /// The ID of a programme's station; nil if the programme is a fallback, or unknown.
    func station(of programme: ProgrammeID) -> String? { stations[programme] }

    /// The programme of a station; nil if there is none.
    func programme(of station: String) -> ProgrammeID? { reconciler.programme(station) }

    /// The running use for a purpose; nil if there is none, or if it is ending.
    func use(_ key: UseKey) -> UseID? { reconciler.use(key) }

    /// The descriptions of all purposes for which a use should run.
    var wantedDescriptions: Set<String> { reconciler.wantedDescriptions }

    /// Whether another use for the same purpose begins as soon as this one has ended.
    func isFollowed(_ id: UseID) -> Bool { uses.isFollowed(id) }

    /// The purpose of a use; nil if the use is unknown.
    func key(of id: UseID) -> UseKey? { uses.key(of: id) }

    /// The ID of a use's recording; empty if it has none.
    func recording(of id: UseID) -> String { uses.recording(of: id) }

    /// Whether a use for this purpose has begun and not ended yet.
    func isRunning(_ key: UseKey) -> Bool { uses.isRunning(key) }

    /// Whether any use needs a station, or will need it as soon as it can begin.
    func needs(station: String) -> Bool { uses.needs(station: station) || reconciler.wants(station) { _ in true } }

    /// Whether a use should run that needs a station even while nobody listens.
    func needsAlways(station: String) -> Bool { reconciler.wants(station) { !$0.isOnDemand } }

    /// The IDs of the recordings under way.
    var recordings: Set<String> { uses.recordings }

    /// The IDs of those recordings under way that have an end.
    var finiteRecordings: Set<String> { uses.finiteRecordings }

    /// The recordings under way by the IDs of their stations.
    var recordingsByStation: [String: [(id: UseID, key: UseKey)]] { uses.recordingsByStation }

    /// Notes a file of a use. Returns whether it is the use's first file.
    func note(file: String, of id: UseID) -> Bool { uses.note(file: file, of: id) }

    /// The recordings of a station at the moment, with their files.
    func filesUnderWay(of station: String) -> [FileUnderWay] { uses.filesUnderWay(of: station) }
}

// MARK: - Carrying out

extension PlanRunner {
    private func due() { carryOut(reconciler.tick(reactor.now)) }

    private func carryOut(_ actions: [Reconciler.Action]) {
        for action in actions { carryOut(action) }
        if let deadline = reconciler.deadline {
            timer.arm(at: deadline)
        } else {
            timer.cancel()
        }
    }

    private func carryOut(_ action: Reconciler.Action) {
        switch action {
        case .add(let id, let name, let source): add(id, name, source)
        case .remove(let id):
            stations[id] = nil
            perform(.remove(id))
        case .begin(let id, let key, let plan, let programme, let fallback): begin(id, key, plan, programme, fallback)
        case .end(let id): askToEnd(id)
        }
    }

    /// Ends a use that should not run any more, or that another one for the same purpose follows: at once, or in the next
    /// run of the daemon, which knows whether the station sends again what is missing.
    private func askToEnd(_ id: UseID) {
        if let key = uses.key(of: id), !uses.recording(of: id).isEmpty, isStopping || reconciler.wants(key) {
            uses.noteFollowed(id)
            perform(.ask(id, RecordingRequest.isFollowed(atOnce: !isStopping)))
        }
        perform(.end(id))
    }

    private func add(_ id: ProgrammeID, _ name: String, _ source: ProgrammeSource) {
        do throws(SettingFault) {
            let spec = try source.spec(
                seed: UInt64(bitPattern: reactor.now.nanoseconds) &+ UInt64(stations.count),
                choice: choices[name])
            if case .station = source { stations[id] = name }
            perform(.add(id, spec))
        } catch {
            // The fallback cannot be played, so its mount plays silence instead.
            onFailure(UseKey(id.description, .mount), Failure(.usage, "\(error)", remedy: "choose another"))
        }
    }

    private func begin(
        _ id: UseID, _ key: UseKey, _ plan: UsePlan, _ programme: ProgrammeID, _ fallback: ProgrammeID?
    ) {
        let recording = values.recordingID()
        let isRecording = if case .recording = plan.purpose { true } else { false }
        let isReplacing = uses.isRunning(key)
        uses.begin(id, key, recording: isRecording ? recording : nil)
        let earlier = isRecording ? links.begin(id, key, scheduled: plan.showStart) : nil
        let scheduled = plan.showStart.map { links.start(of: key, scheduled: $0) }
        // After a restart, the burst may reach back to where the earlier run ended. It may come before this use begins.
        var start = JoinPlace.live
        if let earlier, links.isOfEarlierRun(earlier) {
            start = .oldest
        } else if let end = earlier.flatMap({ links.end(of: $0) }) {
            start = .airTime(end)
        }
        let spec = plan.spec(
            values, settings.zones, recording: recording, earlier: earlier, scheduled: scheduled,
            start: start, follows: isReplacing, fallback: fallback, rules: settings.rules)
        perform(.begin(id, spec, of: programme))
    }
}
