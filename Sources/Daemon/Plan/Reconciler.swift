// SPDX-License-Identifier: MIT

package import Engine
package import Instants

/// Turns the difference between what should run and what runs into commands. No I/O.
///
/// Uses that did not change are not touched. A use that has changed begins anew before the old use ends, so that a
/// recording continues without losing a frame. The new use waits for the old one only if both need the same path. A use
/// that ends by itself is begun again after a rest. When many uses begin, they begin in batches, so that their stations
/// are not all connected to at once.
package struct Reconciler {
    package enum Action: Hashable, Sendable {
        /// `name` is the programme's name in the plan; for a station, its ID.
        case add(ProgrammeID, name: String, ProgrammeSource)
        case remove(ProgrammeID)
        /// `fallback` is the programme of a mount's fallback.
        case begin(UseID, UseKey, UsePlan, ProgrammeID, fallback: ProgrammeID?)
        case end(UseID)
    }

    private struct Running {
        var id: UseID
        var plan: UsePlan
        var programmes: [ProgrammeID]
        var since: MonotonicInstant
    }

    private struct Rest {
        var until: MonotonicInstant
        var length: Duration
    }

    private var wanted = RunningPlan()
    /// The keys of the wanted uses, in the order in which they begin.
    private var order: [UseKey] = []
    private var programmes: [String: (id: ProgrammeID, source: ProgrammeSource)] = [:]
    private var running: [UseKey: Running] = [:]
    private var keys: [UseID: UseKey] = [:]
    /// Uses that are ending.
    private var ending: [UseID: Running] = [:]
    private var rests: [UseKey: Rest] = [:]
    /// Uses that each replace another use of the same programmes. They open no connection, so ``nextBegin`` does not
    /// delay them.
    private var replacing: Set<UseKey> = []
    /// Recordings whose span is over. They are not begun again.
    private var finished: Set<UseKey> = []
    private var serial = 0
    /// No further use is begun before this instant.
    private var nextBegin: MonotonicInstant?

    /// How many uses are begun at once, and the pause before the next batch.
    private static let batch = 16
    private static let pause = Duration.milliseconds(25)
    private static let shortestRest = Duration.seconds(1)
    private static let longestRest = Duration.seconds(60)

    package init() {}

    /// When ``tick(_:)`` is due; nil if nothing waits.
    package private(set) var deadline: MonotonicInstant?

    /// The running use for a purpose; nil if there is none.
    package func use(_ key: UseKey) -> UseID? { running[key]?.id }

    /// The descriptions of all purposes for which a use should run.
    var wantedDescriptions: Set<String> { Set(wanted.uses.keys.map(\.description)) }

    /// Whether such a use of a station should run.
    func wants(_ station: String, _ isSuch: (UsePlan) -> Bool) -> Bool {
        wanted.uses.contains { $0.key.station == station && isSuch($0.value) }
    }

    /// Whether a use for this purpose should run.
    func wants(_ key: UseKey) -> Bool { wanted.uses[key] != nil && !wanted.over.contains(key) }

    /// The programme of a station; nil if there is none.
    package func programme(_ name: String) -> ProgrammeID? { programmes[name]?.id }

    /// Whether nothing runs or is ending.
    package var isIdle: Bool { running.isEmpty && ending.isEmpty }

    /// Sets what should run from now on.
    package mutating func want(_ plan: RunningPlan, _ now: MonotonicInstant) -> [Action] {
        wanted = plan
        order = plan.uses.keys.map { ($0.rank, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        finished.formIntersection(plan.uses.keys)
        rests = rests.filter { plan.uses[$0.key] != nil }
        let programmes = addProgrammes()
        let changed = running.filter { key, use in plan.uses[key].map { !isSame(use, $0) } ?? true }
        replacing.formIntersection(plan.uses.keys)
        for (key, use) in changed {
            running[key] = nil
            keys[use.id] = nil
            ending[use.id] = use
            if let next = plan.uses[key], use.programmes == ids(next) { replacing.insert(key) }
        }
        // The replacement of a recording begins before the recording ends.
        let begun = beginDue(now)
        let ends = changed.values.map(\.id).sorted { $0.description < $1.description }.map(Action.end)
        return programmes + begun + ends + removeProgrammes()
    }

    /// Notes that a use has ended. If `isDone` and the use is a recording of a span, it is not begun again.
    package mutating func ended(_ id: UseID, isDone: Bool, _ now: MonotonicInstant) -> [Action] {
        if ending.removeValue(forKey: id) == nil, let key = keys.removeValue(forKey: id),
            let use = running.removeValue(forKey: key)
        {
            if isDone, use.plan.span != nil {
                finished.insert(key)
            } else {
                rest(key, ran: now - use.since, now)
            }
        }
        return beginDue(now) + removeProgrammes()
    }

    /// Begins the uses that are due. Call it at ``deadline``.
    package mutating func tick(_ now: MonotonicInstant) -> [Action] { beginDue(now) }

    private mutating func rest(_ key: UseKey, ran: Duration, _ now: MonotonicInstant) {
        let last = ran >= Self.longestRest ? nil : rests[key]?.length
        let length = last.map { min($0 * 2, Self.longestRest) } ?? Self.shortestRest
        rests[key] = Rest(until: now + length, length: length)
    }

    private func isSame(_ use: Running, _ plan: UsePlan) -> Bool {
        use.plan == plan && use.programmes == ids(plan)
    }

    private func ids(_ plan: UsePlan) -> [ProgrammeID] { names(plan).compactMap { programmes[$0]?.id } }

    /// The programmes that a use needs.
    private func names(_ plan: UsePlan) -> [String] {
        guard case .mount(let mount) = plan.purpose, let fallback = mount.fallback else { return [plan.programme] }
        return [plan.programme, fallback]
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
        let needed = Set(running.values.flatMap(\.programmes) + ending.values.flatMap(\.programmes))
        let unneeded = obsolete.filter { !needed.contains($0) }
        obsolete.removeAll { unneeded.contains($0) }
        return unneeded.map { .remove($0) }
    }

    // MARK: - Beginning

    private mutating func beginDue(_ now: MonotonicInstant) -> [Action] {
        deadline = nil
        var begun = 0
        var actions: [Action] = []
        let taken = Set(ending.values.compactMap(\.plan.exclusive))
        for key in order where running[key] == nil && !finished.contains(key) && !wanted.over.contains(key) {
            guard let plan = wanted.uses[key] else { continue }
            // The path is still taken: the use begins once the old use has released it.
            if let exclusive = plan.exclusive, taken.contains(exclusive) { continue }
            if let rest = rests[key], rest.until > now {
                deadline = min(deadline ?? rest.until, rest.until)
                continue
            }
            let isReplacing = replacing.contains(key)
            if !isReplacing, let nextBegin, nextBegin > now {
                deadline = min(deadline ?? nextBegin, nextBegin)
                continue
            }
            let ids = ids(plan)
            guard let programme = ids.first else { continue }
            replacing.remove(key)
            serial += 1
            let id = UseID("\(key) #\(serial)")
            keys[id] = key
            running[key] = Running(id: id, plan: plan, programmes: ids, since: now)
            actions.append(.begin(id, key, plan, programme, fallback: ids.dropFirst().first))
            if !isReplacing { begun += 1 }
            if begun == Self.batch {
                begun = 0
                nextBegin = now + Self.pause
            }
        }
        return actions
    }
}

extension UseKey: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .log: "\(station) log"
        case .airing(let show, let date, let time): "\(station) \(show) \(date)\(time.map { " \($0)" } ?? "")"
        case .manual(let number): "\(station) manual \(number)"
        case .mount: "\(station) mount"
        case .player: "\(station) player"
        }
    }

    /// Recordings begin first, because audio that they miss is lost.
    fileprivate var rank: Rank {
        switch kind {
        case .airing, .manual: Rank(0, station)
        case .log: Rank(1, station)
        case .mount: Rank(2, station)
        case .player: Rank(3, station)
        }
    }
}

/// The place of a use in the order of beginning.
private struct Rank: Comparable {
    let stage: Int
    let station: String

    init(_ stage: Int, _ station: String) {
        self.stage = stage
        self.station = station
    }

    static func < (first: Rank, second: Rank) -> Bool {
        (first.stage, first.station) < (second.stage, second.station)
    }
}
