// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Testing

/// Whatever servers do, the machine delivers each segment once, in order, and asks for little.
struct HLSMachineOracleTests {
    @Test("Servers that fail, are behind, restart, pause and end lead to no illegal action", arguments: 0..<40)
    func anyServers(part: UInt64) {
        for seed in part * 5..<part * 5 + 5 {
            var station = ListedStation(began: HLSWorld.epoch - .seconds(200))
            var random = SplitMix64(seed: seed &* 77)
            station.length = .milliseconds(Int.random(in: 900...11_000, using: &random))
            station.target = station.length + .milliseconds(Int.random(in: 0...900, using: &random))
            station.window = Int.random(in: 1...30, using: &random)
            station.isDated = Bool.random(using: &random)
            let reliability = Int.random(in: 2...30, using: &random)
            var world = HLSWorld(
                seed: seed, giveUp: seed % 4 == 0 ? .seconds(60) : nil, isPatient: seed % 2 == 0,
                list: { world in
                    if world.chance(reliability) { return nil }
                    if world.chance(60) {
                        station.run += 1
                        station.began = world.now - .seconds(world.chance(2) ? 0 : 30)
                        station.first = world.chance(3) ? Int64.max / 4 : Int64(station.run) * 3
                    }
                    station.isEnded = world.chance(20)
                    if world.chance(20) { return .listing([], target: station.target) }
                    return station.list(world.now - (world.chance(6) ? station.length * 3 : .zero))
                },
                fetch: { world, _ in world.chance(reliability) ? nil : world.chance(9) ? 3_000_000 : 90_000 })
            world.slowness = .milliseconds([20, 400, 9_000][Int(seed % 3)])
            world.run(for: .seconds(900))
            #expect(world.oracle.objections.isEmpty, "seed \(seed): \(world.oracle.objections)")
            #expect(HLSOracle.most(world.oracle.loads, within: .seconds(10)) <= 44, "seed \(seed)")
            #expect(HLSOracle.most(world.oracle.fetches.map(\.at), within: .seconds(10)) <= 100, "seed \(seed)")
            let isOver = world.oracle.hasStopped
            #expect(world.oracle.delivered.count > (isOver ? 0 : 10), "seed \(seed)")
        }
    }

    @Test("Lists of nonsense lead to few requests and no endless work", arguments: 0..<60) func nonsense(seed: UInt64) {
        var lists = SplitMix64(seed: seed &+ 5)
        let many = seed % 10 == 0 ? 20_000 : 40
        var pool: [MediaPlaylist] = []
        for _ in 0..<4 {
            let base: Int64 = [0, 5, 1_000, Int64.max - 40_000].randomElement(using: &lists) ?? 0
            let count = Int64.random(in: 0...Int64(many), using: &lists)
            let length: Duration =
                [.zero, .milliseconds(1), .seconds(6), .seconds(86_400)].randomElement(using: &lists) ?? .zero
            let target = [Duration.zero, .seconds(1), .seconds(120)].randomElement(using: &lists) ?? .zero
            let isDated = Bool.random(using: &lists)
            let segments = (0..<count).map { index -> ListedSegment in
                let date = isDated ? "20\(Int.random(in: 10...40, using: &lists))-01-01T00:00:00Z" : nil
                var segment = ListedSegment.listed(base + index, length, date: date)
                segment.isGap = Int.random(in: 0..<9, using: &lists) == 0
                return segment
            }
            pool.append(.listing(segments, target: target, isEnded: Int.random(in: 0..<5, using: &lists) == 0))
        }
        var world = HLSWorld(
            seed: seed, isPatient: seed % 2 == 0,
            start: seed % 3 == 0 ? .at(WallInstant(nanoseconds: 0), MonotonicInstant(nanoseconds: 0)) : .edge,
            list: { world in pool.randomElement(using: &world.random) },
            fetch: { world, _ in seed % 4 == 0 || world.chance(3) ? nil : 10_000 })
        world.slowness = .milliseconds(30)
        world.run(for: .seconds(120))
        #expect(world.oracle.objections.isEmpty, "\(world.oracle.objections)")
        #expect(HLSOracle.most(world.oracle.loads, within: .seconds(10)) <= 44)
    }

    @Test("If no segment can be had, a few are asked for in a second") func allMissing() {
        let segments = (0..<20_000).map { ListedSegment.listed($0, .seconds(4)) }
        var world = HLSWorld(
            seed: 1, start: .at(WallInstant(nanoseconds: 0), MonotonicInstant(nanoseconds: 0)),
            list: { _ in .listing(segments) },
            fetch: { _, _ in nil })
        world.slowness = .milliseconds(5)
        world.run(for: .seconds(60))
        #expect(world.oracle.objections.isEmpty && world.oracle.fetches.count < 300, "\(world.oracle.fetches.count)")
    }
}
