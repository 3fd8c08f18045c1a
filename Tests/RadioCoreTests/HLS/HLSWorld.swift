// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// A shell for a machine, and servers that do anything, in virtual time, from a seed. An oracle judges each action.
struct HLSWorld {
    static let epoch = MonotonicInstant(nanoseconds: 5_000_000_000)

    private(set) var machine: HLSMachine
    private(set) var oracle: HLSOracle
    private(set) var now = epoch
    var random: SplitMix64
    /// The list that a load gets; nil if it fails.
    var list: (inout HLSWorld) -> MediaPlaylist?
    /// The size of a segment; nil if its fetch fails.
    var fetch: (inout HLSWorld, ListedSegment) -> Int?
    /// From where the list is loaded.
    private(set) var origin = HLSMachine.ListOrigin.configured
    /// How long an answer takes at most.
    var slowness = Duration.milliseconds(400)
    /// How long a segment takes; if nil, as long as anything.
    var lateness: ((ListedSegment) -> Duration)?
    /// How often time has gone on.
    private(set) var steps = 0
    private var pending: [(at: MonotonicInstant, event: Event)] = []

    private enum Event {
        case load(HLSMachine.ListOrigin, began: MonotonicInstant)
        case fetch(HLSSegmentID, ListedSegment)
    }

    init(
        seed: UInt64, mirrors: Int = 1, giveUp: Duration? = nil, isPatient: Bool = true,
        start: HLSMachine.Start = .edge,
        list: @escaping (inout HLSWorld) -> MediaPlaylist?,
        fetch: @escaping (inout HLSWorld, ListedSegment) -> Int? = { _, _ in 100_000 }
    ) {
        random = SplitMix64(seed: seed)
        machine = HLSMachine(name: "radio.test", mirrors: mirrors, giveUp: giveUp, seed: seed)
        machine.isPatient = isPatient
        machine.start = start
        oracle = HLSOracle()
        (self.list, self.fetch) = (list, fetch)
        machine.begin(now)
    }

    mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    /// Lets time pass until nothing is left to do, or an objection is made.
    mutating func run(for length: Duration) {
        let end = now + length
        carryOut()
        while oracle.objections.isEmpty, !oracle.hasStopped {
            let wakeUp = machine.wakeUp(after: now)
            if let wakeUp, wakeUp <= now { oracle.object("it wants to be woken in the past") }
            let next = (pending.map(\.at) + [wakeUp].compactMap(\.self)).min()
            guard let next else { return oracle.object("it waits for nothing") }
            guard next <= end else { return now = end }
            (now, steps) = (max(now, next), steps + 1)
            if let index = pending.firstIndex(where: { $0.at <= now }) { happen(pending.remove(at: index).event) }
            carryOut()
        }
    }

    private mutating func happen(_ event: Event) {
        switch event {
        case .load(let origin, let began):
            self.origin = origin
            let list = list(&self)
            oracle.loaded(list, now)
            if let list {
                _ = machine.loaded(list, began: began, now)
            } else {
                machine.loadFailed(Failure(chance(2) ? .notFound : .timeout, "no list", remedy: "wait"), now)
            }
        case .fetch(let id, let segment):
            let bytes = fetch(&self, segment)
            if let bytes {
                let isKept = machine.fetched(id, bytes: bytes)
                oracle.fetched(id, isKept ? bytes : nil)
                // The shell cancels a second request for it.
                pending.removeAll { if case .fetch(id, _) = $0.event { true } else { false } }
            } else {
                oracle.fetched(id, nil, hasFailed: true)
                machine.fetchFailed(id, Failure(chance(2) ? .notFound : .timeout, "no segment", remedy: "wait"), now)
            }
        }
    }

    private mutating func carryOut() {
        for _ in 0..<100_000 {
            guard let action = machine.next(now) else { return }
            oracle.judge(action, now)
            if !oracle.objections.isEmpty || oracle.hasStopped { return }
            let later = now + slowness * Double.random(in: 0...1, using: &random)
            switch action {
            case .load(let origin): pending.append((later, .load(origin, began: now)))
            case .fetch(let id, let segment):
                pending.append((lateness.map { now + $0(segment) } ?? later, .fetch(id, segment)))
            case .deliver: machine.heard(now)
            default: break
            }
        }
        oracle.object("it never ends to act")
    }
}
