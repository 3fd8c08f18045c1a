// SPDX-License-Identifier: MIT

import Engine
import Instants

/// Turns the difference between what should run and what runs into commands. No I/O.
///
/// Uses that did not change are not touched. A use that has changed begins anew before the old use ends, so that a
/// recording continues without losing a frame. The new use waits for the old one only if both need the same path. A use
/// that ends by itself is begun again after a rest. When many uses begin, they begin in batches, so that their stations
/// are not all connected to at once.
struct Reconciler {
    enum Action: Hashable {
        /// `name` is the programme's name in the plan; for a station, its ID.
        case add(ProgrammeID, name: String, ProgrammeSource)
        case remove(ProgrammeID)
        /// `other` is the other programme that the use needs.
        case begin(UseID, UseKey, AnyUsePlan, ProgrammeID, other: ProgrammeID?)
        case end(UseID)
    }

    private struct Rest {
        var until: MonotonicInstant
        var length: Duration
    }

    private var wanted = RunningPlan()
    /// The keys of the wanted uses, in the order in which they begin.
    private var order: [UseKey] = []
    private var programmes: [String: (id: ProgrammeID, source: ProgrammeSource)] = [:]
    /// The uses that have begun.
    var uses = BegunUses()
    private var rests: [UseKey: Rest] = [:]
    /// Uses that each replace another use of the same programmes. They open no connection, so ``nextBegin`` does not
    /// delay them.
    private var replacing: Set<UseKey> = []
    private var serial = 0
    /// No further use is begun before this instant.
    private var nextBegin: MonotonicInstant?

    /// How many uses are begun at once, and the pause before the next batch.
    private static let batch = 16
    private static let pause = Duration.milliseconds(25)
    private static let shortestRest = Duration.seconds(1)
    private static let longestRest = Duration.seconds(60)

    /// When ``proceed(_:)`` is due; nil if nothing waits.
    private(set) var deadline: MonotonicInstant?

    /// The descriptions of all purposes for which a use should run.
    var wantedDescriptions: Set<String> { Set(wanted.uses.keys.map(\.description)) }

    /// Whether any use needs a station, or will need it as soon as it can begin.
    func needs(station: String) -> Bool {
        uses.needs(station: station) || wanted.uses.keys.contains { $0.station == station }
    }

    /// Whether a use should run that needs a station even while nobody listens.
    func needsAlways(station: String) -> Bool {
        wanted.uses.contains { $0.key.station == station && !$0.value.plan.isOnDemand }
    }

    /// Whether a use for this purpose should run.
    func wants(_ key: UseKey) -> Bool { wanted.uses[key] != nil && !wanted.over.contains(key) }

    /// The programme of a station; nil if there is none.
    func programme(_ name: String) -> ProgrammeID? { programmes[name]?.id }

    /// Sets what should run from now on.
    mutating func want(_ plan: RunningPlan, _ now: MonotonicInstant) -> [Action] {
        guard plan != wanted else { return proceed(now) }
        wanted = plan
        order = plan.uses.keys.sorted { ($0.kind.rank, $0.station) < ($1.kind.rank, $1.station) }
        rests = rests.filter { plan.uses[$0.key] != nil }
        let programmes = addProgrammes()
        let changed = uses.current.filter { key, id in plan.uses[key].map { !isSame(id, $0) } ?? true }
        replacing.formIntersection(plan.uses.keys)
        for (key, id) in changed {
            uses.retire(id)
            if let next = plan.uses[key], uses[id]?.programmes == ids(key.station, next.plan) { replacing.insert(key) }
        }
        // The replacement of a recording begins before the recording ends.
        let begun = beginDue(now)
        let ends = changed.values.sorted { $0.description < $1.description }.map(Action.end)
        return programmes + begun + ends + removeProgrammes()
    }

    /// Removes a use that has ended. If `isDone` and the use is a recording of a span, it is begun again only if the
    /// next plan asks for it. Returns its purpose; nil if the use is unknown. Call ``proceed(_:)`` next.
    mutating func ended(_ id: UseID, isDone: Bool, _ now: MonotonicInstant) -> UseKey? {
        guard let use = uses.end(id) else { return nil }
        if !use.isEnding {
            if isDone, use.plan.recording?.span != nil {
                wanted.over.insert(use.key)
            } else {
                rest(use.key, ran: now - use.since, now)
            }
        }
        return use.key
    }

    /// Begins the uses that are due. Call it at ``deadline``, and after the end of a use.
    mutating func proceed(_ now: MonotonicInstant) -> [Action] { beginDue(now) + removeProgrammes() }

    private mutating func rest(_ key: UseKey, ran: Duration, _ now: MonotonicInstant) {
        let last = ran >= Self.longestRest ? nil : rests[key]?.length
        let length = last.map { min($0 * 2, Self.longestRest) } ?? Self.shortestRest
        rests[key] = Rest(until: now + length, length: length)
    }

    private func isSame(_ id: UseID, _ wanted: AnyUsePlan) -> Bool {
        uses[id].map { AnyUsePlan($0.plan) == wanted && $0.programmes == ids($0.key.station, wanted.plan) } ?? false
    }

    /// The programmes that a use needs.
    private func ids(_ station: String, _ plan: any UsePlan) -> [ProgrammeID] {
        ([station] + [plan.otherProgramme].compactMap(\.self)).compactMap { programmes[$0]?.id }
    }

    // MARK: - Programmes

    /// Adds the wanted programmes. A programme whose source has changed is a new programme; the old one ends with its
    /// last use.
    private mutating func addProgrammes() -> [Action] {
        var actions: [Action] = []
        for name in wanted.programmes.keys.sorted() {
            guard let source = wanted.programmes[name], programmes[name]?.source != source else { continue }
            serial += 1
            let id = ProgrammeID("\(name) #\(serial)")
            if let old = programmes[name] { obsolete.append(old.id) }
            programmes[name] = (id, source)
            actions.append(.add(id, name: name, source))
        }
        for name in programmes.keys.sorted() where wanted.programmes[name] == nil {
            if let old = programmes.removeValue(forKey: name) { obsolete.append(old.id) }
        }
        return actions
    }

    /// Programmes that are to be removed once no use needs them.
    private var obsolete: [ProgrammeID] = []

    private mutating func removeProgrammes() -> [Action] {
        guard !obsolete.isEmpty else { return [] }
        let needed = Set(uses.entries.values.flatMap(\.programmes))
        let unneeded = obsolete.filter { !needed.contains($0) }
        obsolete.removeAll { unneeded.contains($0) }
        return unneeded.map { .remove($0) }
    }

    // MARK: - Beginning

    private mutating func beginDue(_ now: MonotonicInstant) -> [Action] {
        deadline = nil
        var begun = 0
        var actions: [Action] = []
        let taken = Set(uses.entries.values.filter(\.isEnding).compactMap(\.plan.exclusive))
        for key in order where uses.current[key] == nil && !wanted.over.contains(key) {
            guard let wanted = wanted.uses[key] else { continue }
            // The path is still taken: the use begins once the old use has released it.
            if let exclusive = wanted.plan.exclusive, taken.contains(exclusive) { continue }
            if let rest = rests[key], rest.until > now {
                deadline = min(deadline ?? rest.until, rest.until)
                continue
            }
            let isReplacing = replacing.contains(key)
            if !isReplacing, let nextBegin, nextBegin > now {
                deadline = min(deadline ?? nextBegin, nextBegin)
                continue
            }
            let ids = ids(key.station, wanted.plan)
            guard let programme = ids.first else { continue }
            replacing.remove(key)
            serial += 1
            let id = UseID("\(key) #\(serial)")
            uses.begin(id, BegunUses.Entry(key: key, plan: wanted.plan, programmes: ids, since: now))
            actions.append(.begin(id, key, wanted, programme, other: ids.dropFirst().first))
            if !isReplacing { begun += 1 }
            if begun == Self.batch {
                begun = 0
                nextBegin = now + Self.pause
            }
        }
        return actions
    }
}
