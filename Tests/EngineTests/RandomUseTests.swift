// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import Relay
import Stations
import TestSupport
import Testing

@testable import Engine

/// Two hundred uses of twenty programmes come and go, on stations with and without troubles, and none of them affects
/// another.
struct RandomUseTests {
    @Test("Uses join and leave a running programme without affecting each other", arguments: [1, 2] as [UInt64])
    func randomUses(seed: UInt64) throws {
        let run = try RandomUses(seed: seed)
        run.run()
        try run.check()
    }
}

/// The run of one seed. The conditions that it must meet are in `RandomUses+Check.swift`.
final class RandomUses {
    private static let length = 60.0
    static let linger = 2.0
    /// The numbers of programmes: the first 3 are also fallbacks, those from 12 on have troubles, and there are 20.
    static let (fallbacks, calm, programmes) = (3, 12, 20)
    static let framesASecond = 44_100.0 / 1_152
    private static let leastDepth = Duration.seconds(1)

    let seed: UInt64
    let stations: [DrawnStation]
    let uses: [DrawnUse]
    let rig: EngineRig
    let hubs: HubWatch
    private let heard: [HeardFrames]
    var clients: [String: LoopbackClient] = [:]
    /// The place of each use's programme when the use began.
    var began: [String: HubWatch.Place] = [:]
    /// The number of past frames that had to be available when a use began.
    var promised: [String: Int] = [:]
    private var time = 0.0
    /// How often each effect of the troubles was observed.
    var seen = (fillers: 0, fallbacks: 0, holes: 0, past: 0, refused: 0)

    init(seed: UInt64) throws {
        self.seed = seed
        var random = SplitMix64(seed: seed)
        var stations: [DrawnStation] = []
        for number in 0..<Self.programmes {
            stations.append(DrawnStation(number, length: Self.length, isTroubled: number >= Self.calm, &random))
        }
        uses = (0..<200).map {
            DrawnUse($0, of: stations, fallbacks: Self.fallbacks, until: Self.length, &random)
        }
        self.stations = stations
        heard = stations.map { HeardFrames(of: $0.broadcast) }
        rig = try EngineRig(Dictionary(uniqueKeysWithValues: stations.map { ($0.name, $0.script) }))
        hubs = HubWatch(rig.registry)
    }

    func run() {
        rig.run(Self.length + 8) {
            for station in stations { perform(station) }
            for use in uses { perform(use) }
            for client in clients.values where client.end == nil { client.collect() }
            // No use begins or ends at this time or in the moment before it.
            if isNow((time * 2).rounded(.down) / 2 + 0.125) { lookAtRings() }
            time = (time * 40 + 1).rounded() / 40
        }
    }

    private func isNow(_ instant: Double) -> Bool { abs(instant - time) < 0.001 }

    func said(_ use: DrawnUse) -> String { "seed \(seed), \(use); \(stations[use.programme])" }

    private func programme(of use: DrawnUse) -> ProgrammeID { ProgrammeID(stations[use.programme].name) }
}

// MARK: - What is done

extension RandomUses {
    private func perform(_ station: DrawnStation) {
        hubs.look(at: ProgrammeID(station.name))
        guard let absence = station.absence else { return }
        if isNow(absence.lowerBound) { rig.registry.perform(.remove(ProgrammeID(station.name))) }
        if isNow(absence.upperBound) { rig.add(station.name) }
    }

    private func perform(_ use: DrawnUse) {
        if isNow(use.begin) {
            began[use.id] = hubs.place(of: programme(of: use))
            promised[use.id] = framesKept(of: use.programme)
            begin(use)
        }
        if let listening = use.listening, isNow(listening.lowerBound) { clients[use.id] = rig.listen(use.id) }
        if use.kind == .onDemand, let listening = use.listening, isNow(listening.upperBound) {
            clients[use.id]?.reset()
        }
        if isNow(use.end) { rig.end(use.id) }
    }

    private func begin(_ use: DrawnUse) {
        let name = stations[use.programme].name
        let fallback = use.fallback.map { ProgrammeID(stations[$0].name) }
        switch use.kind {
        case .recording: rig.record(use.id, of: name)
        case .pastRecording(let time): rig.record(use.id, of: name) { $0.start = .behind(.seconds(time)) }
        case .airTimeRecording(let time):
            rig.record(use.id, of: name) { $0.start = .airTime(rig.reactor.wallNow - .seconds(time)) }
        case .mount: rig.mount(use.id, of: name) { $0.fallback = fallback }
        case .onDemand:
            rig.mount(use.id, of: name) { spec in
                spec.settings.isOnDemand = true
                spec.linger = .seconds(Self.linger)
                spec.fallback = fallback
            }
        case .probe: rig.begin(use.id, ProbeSpec(limit: .seconds(60)), of: name)
        case .keeping(let time):
            rig.begin(use.id, KeepingSpec(depth: .seconds(time), heard: heard[use.programme]), of: name)
        }
    }

    /// The uses of a programme that have begun and not ended.
    private func present(_ programme: Int) -> [DrawnUse] {
        uses.filter { $0.programme == programme && began[$0.id] != nil && rig.outcomes[UseID($0.id)] == nil }
    }

    /// How many of a programme's last frames must be kept: those since a use requested it.
    private func framesKept(of programme: Int) -> Int {
        let now = hubs.place(of: ProgrammeID(stations[programme].name))
        let kept = present(programme).map { use -> Int in
            let from = began[use.id]?.run == now.run ? began[use.id]?.frames ?? 0 : 0
            let since = Int(now.frames - from)
            switch use.kind {
            case .mount: return since
            case .keeping(let time): return min(since, Int(time * Self.framesASecond))
            case .recording, .pastRecording, .airTimeRecording, .onDemand, .probe: return 0
            }
        }
        return max(kept.max() ?? 0, min(Int(now.frames), Int(Self.framesASecond)))
    }

    /// Expects each ring to be as deep as its uses need it, and no deeper.
    private func lookAtRings() {
        for (number, station) in stations.enumerated() {
            guard let hub = rig.registry.hub(of: ProgrammeID(station.name)) else { continue }
            let isServed = uses.contains { use in
                [.mount, .onDemand].contains(use.kind) && (use.programme == number || use.fallback == number)
                    && began[use.id] != nil && rig.outcomes[UseID(use.id)] == nil
            }
            guard !isServed else { continue }
            let depths = present(number).map { use -> Duration in
                if case .keeping(let time) = use.kind { .seconds(time) } else { Self.leastDepth }
            }
            let depth = max(Self.leastDepth, depths.max() ?? .zero)
            #expect(hub.ring.depth == depth, "seed \(seed), \(time) s: \(station)")
        }
    }
}
