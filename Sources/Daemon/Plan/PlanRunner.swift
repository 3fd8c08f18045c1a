// SPDX-License-Identifier: MIT

import Configuration
import Engine
import EventLoop
import Instants
import RadioCore
import Stations

/// Commands an engine to carry out a plan.
///
/// The ``Reconciler`` decides which uses begin and end, and knows which have begun. This class commands the engine
/// accordingly.
final class PlanRunner {
    private let context: DaemonContext
    private let links: RecordingLinks
    private let choices: ListChoices
    private var settings = LoadedConfiguration(Configuration())
    private(set) var reconciler = Reconciler()
    /// Whether the daemon is ending.
    private var isStopping = false
    /// The names of stations by programme ID. Fallbacks are not included.
    private var stations: [ProgrammeID: String] = [:]
    private lazy var timer = reactor.makeTimer { [weak self] in self?.proceed() }

    init(_ context: DaemonContext, links: RecordingLinks, choices: ListChoices) {
        self.context = context
        self.links = links
        self.choices = choices
    }

    private var reactor: any Reactor { context.reactor }

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

    /// Removes a use that has ended. If `isDone` and the use is a recording of a span, it is not begun again. Returns
    /// its purpose; nil if the use is unknown. Call ``proceed()`` next.
    func ended(_ id: UseID, isDone: Bool) -> UseKey? { reconciler.ended(id, isDone: isDone, reactor.now) }

    /// Begins the uses that are due.
    func proceed() { carryOut(reconciler.proceed(reactor.now)) }

    /// Makes a file the newest of a use. Returns whether it is the use's first file.
    func note(file: String, of id: UseID) -> Bool { reconciler.uses.note(file: file, of: id) }

    /// The ID of a programme's station; nil if the programme is a fallback, or unknown.
    func station(of programme: ProgrammeID) -> String? { stations[programme] }

    /// Gives new access rules to the running uses, without disturbing listeners. Uses that begin later get the rules
    /// from the start.
    private func applyRules() {
        for id in reconciler.uses.current.values {
            if let request = reconciler.uses[id]?.plan.request(settings.rules) { context.perform(.ask(id, request)) }
        }
    }
}

// MARK: - Carrying out

extension PlanRunner {
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
            context.perform(.remove(id))
        case .begin(let id, let key, let wanted, let programme, let other):
            context.perform(.begin(id, spec(id, key, wanted.plan, other), of: programme))
        case .end(let id): askToEnd(id)
        }
    }

    /// Ends a use that should not run any more, or that another one for the same purpose follows: at once, or in the next
    /// run of the daemon, which knows whether the station sends again what is missing.
    private func askToEnd(_ id: UseID) {
        if let use = reconciler.uses[id], use.recording != nil, isStopping || reconciler.wants(use.key) {
            reconciler.uses.noteFollowed(id)
            context.perform(.ask(id, RecordingRequest.isFollowed(atOnce: !isStopping)))
        }
        context.perform(.end(id))
    }

    private func add(_ id: ProgrammeID, _ name: String, _ source: ProgrammeSource) {
        do throws(SettingFault) {
            let spec = try source.spec(
                seed: UInt64(bitPattern: reactor.now.nanoseconds) &+ UInt64(stations.count),
                choice: choices[name])
            if case .station = source { stations[id] = name }
            context.perform(.add(id, spec))
        } catch {
            // The fallback cannot be played, so its mount plays silence instead.
            context.tell(.failed(UseKey(id.description, .mount), Failure(.usage, "\(error)", remedy: "choose another")))
        }
    }

    /// The use that begins, for the engine.
    private func spec(_ id: UseID, _ key: UseKey, _ plan: any UsePlan, _ other: ProgrammeID?) -> any UseSpec {
        let follows = reconciler.uses.entries.contains { $0.key != id && $0.value.key == key }
        var start = UseStart(values: context.values, settings: settings, other: other, follows: follows)
        if let recording = plan.recording {
            start.recording = context.values.recordingID()
            reconciler.uses.note(recording: start.recording, of: id)
            let scheduled = recording.showStart
            start.earlier = links.begin(id, key, scheduled: scheduled)
            start.scheduled = scheduled.map { links.start(of: key, scheduled: $0) }
        }
        // After a restart, the burst may reach back to where the earlier run ended. It may come before this use begins.
        if let earlier = start.earlier {
            if links.isOfEarlierRun(earlier) {
                start.place = .oldest
            } else if let end = links.end(of: earlier) {
                start.place = .airTime(end)
            }
        }
        return plan.spec(start)
    }
}
