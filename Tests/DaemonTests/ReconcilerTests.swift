// SPDX-License-Identifier: MIT

import Engine
import HTTPServer
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

@testable import Configuration
@testable import Daemon

/// The reconciler, also under random plans and random ends of uses.
struct ReconcilerTests {
    private static func source(_ url: String) -> ProgrammeSource {
        .station(StationSettings(urls: [url], userAgent: "test"))
    }

    private static func recording(
        _ station: String, segment: SegmentPolicy = .standard, span: RecordingSpan? = nil
    ) -> AnyUsePlan {
        var plan = RecordingPlan(station)
        (plan.files.segment, plan.span) = (segment, span)
        return AnyUsePlan(plan)
    }

    private static func mount(_ station: String, burst: Int = 4) -> AnyUsePlan {
        var relaying = StationConfiguration.Relaying()
        relaying.burst = .seconds(burst)
        return AnyUsePlan(MountPlan(path: "/\(station)", relaying: relaying, name: nil))
    }

    private static func plan(_ stations: [String: String], _ uses: [UseKey: AnyUsePlan]) -> RunningPlan {
        var plan = RunningPlan()
        plan.programmes = stations.mapValues(source)
        plan.uses = uses
        return plan
    }

    private let now = MonotonicInstant(nanoseconds: 0)
    private let log = UseKey("fip", .log)
    private let mount = UseKey("fip", .mount)

    @Test("Any number of changed recordings are each begun anew before the old one ends") func manyChanges() {
        let names = (0..<60).map { "s\($0)" }
        func uses(_ segment: SegmentPolicy) -> [UseKey: AnyUsePlan] {
            Dictionary(uniqueKeysWithValues: names.map { (UseKey($0, .log), Self.recording($0, segment: segment)) })
        }
        let stations = Dictionary(uniqueKeysWithValues: names.map { ($0, "http://\($0)/") })
        var reconciler = Reconciler()
        _ = reconciler.want(Self.plan(stations, uses(.none)), now)
        var time = now
        while let deadline = reconciler.deadline {
            time = deadline
            _ = reconciler.proceed(time)
        }
        let actions = reconciler.want(Self.plan(stations, uses(.title)), time)
        let begins = actions.count { if case .begin = $0 { true } else { false } }
        let ends = actions.count { if case .end = $0 { true } else { false } }
        #expect(begins == 60 && ends == 60 && reconciler.deadline == nil)
        // Stations with new addresses are connected to a few at a time.
        let moved = Dictionary(uniqueKeysWithValues: names.map { ($0, "http://\($0)/else") })
        let again = reconciler.want(Self.plan(moved, uses(.title)), time + .seconds(1))
        #expect(again.count { if case .begin = $0 { true } else { false } } == 16)
    }

    @Test("Retention rules and later times of a show do not disturb its recording") func unrelatedChanges() throws {
        var files = StationConfiguration.Files()
        let before = RecordingPlan("fip", files)
        files.keep = RetentionRule(days: 3)
        #expect(RecordingPlan("fip", files) == before)
        var show = Show(
            id: "a", name: "A", days: try ShowDays(parsing: ["daily"]), start: try TimeOfDay(parsing: "08:00"),
            end: .length(.seconds(60)), zone: "UTC")
        let recorded = RecordedShow(show, date: .first)
        (show.priority, show.days) = (3, try ShowDays(parsing: ["mon"]))
        #expect(RecordedShow(show, date: .first) == recorded)
        show.name = "B"
        #expect(RecordedShow(show, date: .first) != recorded)
    }

    @Test("Unchanged uses are left alone") func unchanged() {
        var reconciler = Reconciler()
        var plan = Self.plan(["fip": "http://a"], [log: Self.recording("fip"), mount: Self.mount("fip")])
        #expect(reconciler.want(plan, now).count == 3)
        #expect(reconciler.want(plan, now).isEmpty)
        plan.programmes["nova"] = Self.source("http://b")
        plan.uses[UseKey("nova", .log)] = Self.recording("nova")
        let actions = reconciler.want(plan, now)
        #expect(actions.count == 2)
        #expect(!actions.contains { if case .end = $0 { true } else { false } })
    }

    @Test("A changed recording begins anew before the old one ends, and a changed mount waits for its path")
    func changed() throws {
        var reconciler = Reconciler()
        _ = reconciler.want(
            Self.plan(["fip": "http://a"], [log: Self.recording("fip"), mount: Self.mount("fip")]), now)
        let oldLog = try #require(reconciler.uses.current[log])
        let oldMount = try #require(reconciler.uses.current[mount])
        let changed = Self.plan(
            ["fip": "http://a"], [log: Self.recording("fip", segment: .none), mount: Self.mount("fip", burst: 5)])
        let actions = reconciler.want(changed, now)
        let newLog = try #require(reconciler.uses.current[log])
        let begins = try #require(
            actions.firstIndex { if case .begin(newLog, _, _, _, _) = $0 { true } else { false } })
        let ends = try #require(actions.firstIndex(of: .end(oldLog)))
        #expect(begins < ends && newLog != oldLog && reconciler.uses.current[mount] == nil)
        #expect(actions.contains(.end(oldMount)))
        #expect(reconciler.end(oldMount, isDone: false, now).count == 1)
        #expect(reconciler.uses.current[mount] != nil && reconciler.uses.current[mount] != oldMount)
    }

    @Test("A station with another address is another programme, and the old one goes with its last use")
    func movedStation() throws {
        var reconciler = Reconciler()
        let uses = [log: Self.recording("fip"), mount: Self.mount("fip")]
        _ = reconciler.want(Self.plan(["fip": "http://a"], uses), now)
        let old = try #require(reconciler.programme("fip"))
        let ids = [try #require(reconciler.uses.current[log]), try #require(reconciler.uses.current[mount])]
        let actions = reconciler.want(Self.plan(["fip": "http://b"], uses), now)
        #expect(!actions.contains(.remove(old)) && reconciler.programme("fip") != old)
        #expect(!reconciler.end(ids[0], isDone: false, now).contains(.remove(old)))
        #expect(reconciler.end(ids[1], isDone: false, now).contains(.remove(old)))
    }

    @Test("A use that ends by itself begins again after a rest that grows to a minute") func rest() throws {
        var reconciler = Reconciler()
        _ = reconciler.want(Self.plan(["fip": "http://a"], [log: Self.recording("fip")]), now)
        var time = now
        var rests: [Duration] = []
        for _ in 0..<10 {
            let id = try #require(reconciler.uses.current[log])
            #expect(reconciler.end(id, isDone: false, time).isEmpty)
            let due = try #require(reconciler.deadline)
            #expect(reconciler.proceed(due - .milliseconds(1)).isEmpty)
            #expect(reconciler.proceed(due).count == 1)
            rests.append(due - time)
            time = due
        }
        #expect(rests.first == .seconds(1) && rests.last == .seconds(60) && rests == rests.sorted())
        let id = try #require(reconciler.uses.current[log])
        _ = reconciler.end(id, isDone: false, time + .seconds(61))
        #expect(reconciler.deadline == time + .seconds(62), "who has run for a minute is forgiven")
    }

    @Test("A recording with an end is not begun again once it is done, unless a step of the clock makes a new plan ask")
    func doneRecording() throws {
        var reconciler = Reconciler()
        let minute = WallInstant(nanoseconds: 0)..<WallInstant(nanoseconds: 60_000_000_000)
        let key = UseKey("fip", .manual(1))
        let plan = Self.plan(["fip": "http://a"], [key: Self.recording("fip", span: .airTime(minute))])
        _ = reconciler.want(plan, now)
        #expect(reconciler.end(try #require(reconciler.uses.current[key]), isDone: true, now).isEmpty)
        #expect(reconciler.proceed(now).isEmpty && reconciler.deadline == nil && reconciler.uses.entries.isEmpty)
        #expect(reconciler.want(plan, now).count == 1 && reconciler.uses.isRunning(key))
    }

    @Test("A thousand stations are not connected to all at once") func thousandStations() {
        var reconciler = Reconciler()
        let names = (0..<1_000).map { "s\($0)" }
        let plan = Self.plan(
            Dictionary(names.map { ($0, "http://\($0)") }) { $1 },
            Dictionary(names.map { (UseKey($0, .log), Self.recording($0)) }) { $1 })
        var time = now
        var begun = reconciler.want(plan, time).count { if case .begin = $0 { true } else { false } }
        #expect(begun <= 16)
        while let deadline = reconciler.deadline {
            time = deadline
            let actions = reconciler.proceed(time)
            #expect((1...16).contains(actions.count))
            begun += actions.count
        }
        #expect(begun == 1_000 && time - now < .seconds(2))
    }

    /// Random plans, and uses that end by themselves at random, compared with a model of the engine.
    @Test(
        "The uses and programmes that run after random changes are those that the last plan wants",
        arguments: [1, 2, 3, 4, 5, 6, 7, 8]) func randomPlans(seed: UInt64) throws
    {
        var random = SplitMix64(seed: seed)
        var reconciler = Reconciler()
        var engine = EngineModel()
        var time = now
        var plan = RunningPlan()
        for _ in 0..<400 {
            time = time + .milliseconds(Int64.random(in: 1...3_000, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                plan = Self.drawnPlan(&random)
                engine.perform(reconciler.want(plan, time))
            case 1, 2:
                guard
                    let id = engine.uses.keys.sorted(by: { $0.description < $1.description }).randomElement(
                        using: &random)
                else { continue }
                engine.uses[id] = nil
                engine.perform(reconciler.end(id, isDone: Bool.random(using: &random), time))
            default:
                if let deadline = reconciler.deadline, deadline <= time { engine.perform(reconciler.proceed(time)) }
            }
        }
        // All uses that were requested to end do so. Then time passes.
        engine.perform(reconciler.want(plan, time))
        for _ in 0..<20 {
            for id in engine.ending {
                engine.uses[id] = nil
                engine.perform(reconciler.end(id, isDone: false, time))
            }
            time = time + .seconds(61)
            engine.perform(reconciler.proceed(time))
        }
        #expect(engine.faults.isEmpty, "\(engine.faults)")
        #expect(Set(engine.uses.values.map(\.wanted)) == Set(plan.uses.values), "seed \(seed)")
        #expect(engine.programmes.count == plan.programmes.count, "seed \(seed)")
        for programme in engine.programmes.values {
            #expect(plan.programmes[programme.name] == programme.source, "seed \(seed)")
        }
    }

    private static func drawnPlan(_ random: inout SplitMix64) -> RunningPlan {
        var plan = RunningPlan()
        for name in ["a", "b", "c"] where Bool.random(using: &random) {
            plan.programmes[name] = source("http://\(name)/\(Int.random(in: 0..<2, using: &random))")
            if Bool.random(using: &random) {
                plan.uses[UseKey(name, .log)] = recording(name, segment: Bool.random(using: &random) ? .none : .title)
            }
            if Bool.random(using: &random) {
                plan.uses[UseKey(name, .mount)] = mount(name, burst: Int.random(in: 1...2, using: &random))
            }
        }
        return plan
    }
}

extension RecordingPlan {
    /// A recording of a station that goes on until it is ended.
    init(_ station: String, _ files: StationConfiguration.Files = .init()) {
        self.init(of: DaemonRig.station(station), files, in: LoadedConfiguration(Configuration()))
    }
}

extension Reconciler {
    /// Removes a use that has ended, and begins what is due then.
    fileprivate mutating func end(_ id: UseID, isDone: Bool, _ now: MonotonicInstant) -> [Action] {
        _ = ended(id, isDone: isDone, now)
        return proceed(now)
    }
}

/// The engine's rules: each use belongs to a known programme, and no two uses have the same path.
private struct EngineModel {
    var programmes: [ProgrammeID: (name: String, source: ProgrammeSource)] = [:]
    var uses: [UseID: (wanted: AnyUsePlan, programme: ProgrammeID)] = [:]
    var ending: Set<UseID> = []
    var faults: [String] = []

    mutating func perform(_ actions: [Reconciler.Action]) {
        for action in actions {
            switch action {
            case .add(let id, let name, let source):
                if programmes.updateValue((name, source), forKey: id) != nil { faults.append("\(id) is added twice") }
            case .remove(let id):
                if programmes.removeValue(forKey: id) == nil { faults.append("\(id) is removed twice") }
                if uses.values.contains(where: { $0.programme == id }) { faults.append("\(id) is still used") }
            case .begin(let id, _, let wanted, let programme, _):
                if programmes[programme] == nil { faults.append("\(id) has no programme") }
                if let path = wanted.plan.exclusive, uses.values.contains(where: { $0.wanted.plan.exclusive == path }) {
                    faults.append("\(id) has a path that is taken")
                }
                if uses.updateValue((wanted, programme), forKey: id) != nil { faults.append("\(id) is begun twice") }
            case .end(let id):
                if uses[id] == nil { faults.append("\(id) is ended, and does not run") }
                ending.insert(id)
            }
        }
    }
}
