// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Testing

/// Which segments are asked for, at which addresses, if many cannot be had.
struct HLSRequestTests {
    private static let station = ListedStation(began: HLSWorld.epoch - .seconds(600))

    private static func time(_ seconds: Int) -> MonotonicInstant { HLSWorld.epoch + .seconds(seconds) }

    @Test("Segments that are gone for good delay no others", arguments: [true, false], [20, 300, 2_000])
    func gone(isPatient: Bool, slowness: Int) {
        // Nothing can be had for two minutes. What was listed before the last 30 s of them is gone.
        let gone = Self.station.count(Self.time(100))..<Self.station.count(Self.time(190))
        var world = HLSWorld(
            seed: 1, isPatient: isPatient, list: { Self.station.list($0.now) },
            fetch: { world, segment in
                let isDead = (Self.time(100)..<Self.time(220)).contains(world.now)
                return isDead || gone.contains(segment.number) ? nil : 10_000
            })
        world.slowness = .milliseconds(slowness)
        world.run(for: .seconds(600))
        let oracle = world.oracle
        #expect(oracle.objections.isEmpty)
        let first = oracle.deliveries.first { $0 >= Self.time(130) }
        // Recorders wait for what is available: 42 s after it was listed.
        #expect(first.map { $0 <= Self.time(isPatient ? 236 : 228) } ?? false, "\(String(describing: first))")
        let lost = Set(oracle.leftOut.keys.map(\.number)).subtracting(oracle.found.map(\.number))
        #expect(lost.isSubset(of: gone), "\(lost) of \(gone)")
        #expect(oracle.deliveries.contains { $0 > Self.time(590) })
    }

    @Test("A station whose segments cannot be had is away, and the next address is asked") func nextAddress() {
        var origins: Set<HLSMachine.ListOrigin> = []
        var other = Self.station
        other.run = 1
        var isOther = false
        var world = HLSWorld(
            seed: 2, mirrors: 2,
            list: { world in
                origins.insert(world.origin)
                if world.origin == .next { isOther.toggle() }
                return isOther ? other.list(world.now) : Self.station.list(world.now)
            },
            fetch: { world, segment in world.now > Self.time(60) && segment.url.contains("r0-") ? nil : 10_000 })
        world.run(for: .seconds(300))
        let oracle = world.oracle
        #expect(oracle.objections.isEmpty && origins.contains(.next) && oracle.outages == 1)
        let pauses = zip(oracle.deliveries, oracle.deliveries.dropFirst()).map { $1 - $0 }
        #expect((pauses.max() ?? .zero) < .seconds(40), "\(String(describing: pauses.max()))")
        #expect(oracle.deliveries.contains { $0 > Self.time(290) })
    }

    @Test("Before any audio, a failure leads to the next address", arguments: [true, false]) func noAudio(isList: Bool)
    {
        var other = Self.station
        other.run = 1
        var isOther = false
        var world = HLSWorld(
            seed: 3, mirrors: 2,
            list: { world in
                if world.origin == .next { isOther.toggle() }
                return isOther ? other.list(world.now) : isList ? nil : Self.station.list(world.now)
            },
            fetch: { _, segment in segment.url.contains("r0-") ? nil : 10_000 })
        world.run(for: .seconds(60))
        #expect(world.oracle.objections.isEmpty && world.oracle.deliveries.first.map { $0 < Self.time(10) } ?? false)
    }

    @Test("A station is given up at once only if all addresses have nothing that can be read") func refused() throws {
        let failure = Failure(.unsupported, "encrypted", remedy: "look elsewhere")
        var machine = HLSMachine(name: "radio.test", mirrors: 2, giveUp: nil, seed: 4)
        machine.begin(HLSWorld.epoch)
        func actions() -> [HLSMachine.Action] {
            var actions: [HLSMachine.Action] = []
            while let action = machine.next(HLSWorld.epoch) { actions.append(action) }
            return actions
        }
        #expect(actions() == [.load(.configured)])
        machine.loadFailed(failure, HLSWorld.epoch)
        #expect(actions() == [.load(.next)])
        machine.loadFailed(failure, HLSWorld.epoch)
        #expect(actions().contains(.stop(failure)))
    }

    @Test("Of what was listed, nothing is passed over that another lineage has as well") func listedOnly() throws {
        // From 60 s on nothing can be had of the first run; the second one begins at 75 s and has the same programme.
        var world = HLSWorld(
            seed: 5,
            list: { world in
                var station = Self.station
                if world.now >= Self.time(75) { (station.run, station.first) = (1, 10_000) }
                return station.list(world.now)
            },
            fetch: { world, segment in world.now > Self.time(60) && segment.url.contains("r0-") ? nil : 10_000 })
        world.run(for: .seconds(200))
        let last = try #require(world.oracle.delivered.last { $0.lineage == 0 })
        let first = try #require(world.oracle.delivered.first { $0.lineage == 1 })
        #expect(world.oracle.objections.isEmpty && first.number - 10_000 <= last.number + 1, "\(last), \(first)")
    }

    @Test("A search that hangs does not delay what comes next") func search() {
        let lost = Self.station.count(Self.time(30))..<Self.station.count(Self.time(54))
        var world = HLSWorld(
            seed: 6, isPatient: false, list: { Self.station.list($0.now) },
            fetch: { _, segment in lost.contains(segment.number) ? nil : 10_000 })
        world.lateness = { lost.contains($0.number) ? .seconds(40) : .milliseconds(300) }
        world.run(for: .seconds(400))
        let deliveries = world.oracle.deliveries.filter { $0 > Self.time(110) }
        let pauses = zip(deliveries, deliveries.dropFirst()).map { $1 - $0 }
        #expect(world.oracle.objections.isEmpty && (pauses.max() ?? .seconds(99)) < .seconds(12), "\(pauses)")
    }

    @Test("If much is held, what is missing is left out") func muchHeld() {
        let missing = Self.station.count(Self.time(60))
        var station = Self.station
        station.window = 60
        var world = HLSWorld(
            seed: 7, list: { [station] in station.list($0.now) },
            fetch: { _, segment in segment.number == missing ? nil : 3_000_000 })
        world.run(for: .seconds(300))
        let pauses = zip(world.oracle.deliveries, world.oracle.deliveries.dropFirst()).map { $1 - $0 }
        #expect(world.oracle.objections.isEmpty && world.oracle.leftOut.count == 1)
        #expect((pauses.max() ?? .seconds(99)) < .seconds(50), "\(String(describing: pauses.max()))")
    }
}
