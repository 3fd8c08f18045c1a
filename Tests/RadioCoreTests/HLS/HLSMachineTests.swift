// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Testing

struct HLSMachineTests {
    private static let station = ListedStation(began: HLSWorld.epoch - .seconds(600))

    @Test(
        "A healthy station costs at most 2.2 requests a segment, and each segment is delivered once",
        arguments: [(6_400, 7, 5), (4_000, 4, 7), (10_000, 10, 6)])
    func healthy(milliseconds: Int, target: Int, window: Int) {
        var station = Self.station
        (station.length, station.target, station.window) = (.milliseconds(milliseconds), .seconds(target), window)
        var world = HLSWorld(seed: 1, list: { [station] in station.list($0.now) })
        world.run(for: .seconds(3_600))
        let oracle = world.oracle
        let requests = Double(oracle.loads.count + oracle.fetches.count) / Double(oracle.delivered.count)
        #expect(oracle.objections.isEmpty && oracle.lineages == 1 && oracle.leftOut.isEmpty)
        #expect(oracle.delivered.count >= 3_600_000 / milliseconds - 1)
        #expect(requests <= 2.2, "\(requests)")
        let pauses = zip(oracle.loads, oracle.loads.dropFirst()).map { $1 - $0 }
        #expect((pauses.min() ?? .zero) >= .seconds(target) / 2)
    }

    @Test("A list of nothing is no restart") func emptyLists() {
        var count = 0
        var world = HLSWorld(
            seed: 2,
            list: { world in
                count += 1
                return count % 5 == 3 ? .listing([]) : Self.station.list(world.now)
            })
        world.run(for: .seconds(300))
        #expect(world.oracle.objections.isEmpty && world.oracle.lineages == 1 && world.oracle.leftOut.isEmpty)
        #expect(world.oracle.delivered.count >= 49, "\(world.oracle.delivered.count)")
    }

    @Test("A restart of the station is another lineage, and its segments follow", arguments: [true, false])
    func restart(isDated: Bool) {
        var station = Self.station
        station.isDated = isDated
        var world = HLSWorld(
            seed: 3,
            list: { world in
                if station.run == 0, world.now >= HLSWorld.epoch + .seconds(100) {
                    (station.run, station.began) = (1, world.now - .seconds(30))
                }
                return station.list(world.now)
            })
        world.run(for: .seconds(300))
        #expect(world.oracle.objections.isEmpty && world.oracle.lineages == 2)
        let second = world.oracle.delivered.filter { $0.lineage == 1 }.map(\.number)
        #expect(second == Array((second.first ?? 0)..<(second.first ?? 0) + Int64(second.count)) && second.count > 30)
    }

    @Test("A complete programme is delivered as a whole, and ends well", arguments: [10, 40_000])
    func complete(slowness: Int) {
        var station = Self.station
        (station.window, station.isEnded, station.length) = (60, true, .seconds(1))
        let list = station.list(HLSWorld.epoch)
        var world = HLSWorld(seed: 4, list: { _ in list }, fetch: { _, _ in 1_500_000 })
        world.slowness = .milliseconds(slowness)
        world.run(for: .seconds(7_200))
        #expect(world.oracle.objections.isEmpty && world.oracle.delivered.count == 60 && world.oracle.leftOut.isEmpty)
        #expect(world.oracle.stops == [nil] && world.oracle.loads.count == 1)
    }

    @Test("A complete programme ends although its last segments are missing") func endMissing() {
        var station = Self.station
        (station.window, station.isEnded) = (8, true)
        let list = station.list(HLSWorld.epoch)
        let last = list.segments[6].number
        var world = HLSWorld(seed: 5, list: { _ in list }, fetch: { $1.number >= last ? nil : 10_000 })
        world.run(for: .seconds(900))
        #expect(world.oracle.objections.isEmpty && world.oracle.delivered.count == 6 && world.oracle.leftOut.count == 2)
        #expect(world.oracle.stops == [nil])
    }

    @Test(
        "A complete programme whose addresses die gets new ones, and goes on where it was",
        arguments: [false, true], [4, 11])
    func renewed(renames: Bool, uses: Int) {
        var station = Self.station
        (station.window, station.isEnded, station.isDated) = (60, true, false)
        (station.length, station.target) = (.seconds(2), .seconds(2))
        let list = station.list(HLSWorld.epoch)
        var (token, left) = (0, 0)
        var renewals: [MonotonicInstant] = []
        var world = HLSWorld(
            seed: UInt64(uses),
            list: { world in
                // The address leads to something else at times, and at times nowhere.
                if token > 0, world.chance(4) { return nil }
                if token > 0, world.chance(4) { return .listing([.listed(900, .seconds(3))], isEnded: true) }
                (token, left) = (token + 1, uses)
                renewals.append(world.now)
                var list = list
                for index in list.segments.indices {
                    let name = renames ? "\(token)-\(index)" : "\(index)"
                    list.segments[index].url = "http://radio.test/\(name).ts?token=\(token)"
                }
                return list
            },
            fetch: { _, segment in
                guard segment.url.hasSuffix("token=\(token)"), left > 0 else { return nil }
                left -= 1
                return 100_000
            })
        world.run(for: .seconds(3_600))
        let oracle = world.oracle
        #expect(oracle.objections.isEmpty && oracle.lineages == 1)
        #expect(oracle.delivered.map(\.number) == list.segments.map(\.number) && oracle.leftOut.isEmpty)
        #expect(oracle.stops == [nil] && oracle.loads.count >= 60 / uses && oracle.loads.count <= 3 * 60 / uses)
        #expect(oracle.fetches.count < 60 + 6 * oracle.loads.count)
        // An answer takes up to 0.4 s.
        let pauses = zip(renewals, renewals.dropFirst()).map { $1 - $0 }
        #expect((pauses.min() ?? .zero) >= station.target - .milliseconds(400))
    }

    @Test("A complete programme whose address has another one now takes nothing of that") func replaced() {
        var station = Self.station
        (station.window, station.isEnded) = (20, true)
        let list = station.list(HLSWorld.epoch)
        var loads = 0
        var world = HLSWorld(
            seed: 8, isPatient: false,
            list: { _ in
                loads += 1
                guard loads > 1 else { return list }
                var other = list
                for index in other.segments.indices { other.segments[index].url += "&other" }
                other.segments[19].duration -= .milliseconds(1)
                return other
            }, fetch: { !$1.url.hasSuffix("other") && $1.number != list.segments[9].number ? 1_000 : nil })
        world.run(for: .seconds(900))
        #expect(world.oracle.objections.isEmpty && world.oracle.delivered.count == 19 && world.oracle.stops == [nil])
        #expect((2...6).contains(loads), "\(loads)")
    }

    @Test("A complete programme of which nothing can be had ends with a failure") func nothing() {
        var station = Self.station
        station.isEnded = true
        let list = station.list(HLSWorld.epoch)
        var world = HLSWorld(seed: 6, isPatient: false, list: { _ in list }, fetch: { _, _ in nil })
        world.run(for: .seconds(900))
        #expect(world.oracle.stops.count == 1 && world.oracle.stops.first != .some(nil))
    }

    @Test("What was live and says that it is over is asked again, and goes on") func endOfLive() {
        var station = Self.station
        var world = HLSWorld(
            seed: 7,
            list: { world in
                let time = world.now - HLSWorld.epoch
                station.isEnded = time >= .seconds(60) && time < .seconds(360)
                return station.list(station.isEnded ? HLSWorld.epoch + .seconds(60) : world.now)
            })
        world.run(for: .seconds(600))
        let oracle = world.oracle
        let meanwhile = oracle.loads.count {
            $0 >= HLSWorld.epoch + .seconds(70) && $0 < HLSWorld.epoch + .seconds(350)
        }
        #expect(oracle.objections.isEmpty && oracle.stops.isEmpty && oracle.outages == 1)
        #expect((20...60).contains(meanwhile), "\(meanwhile)")
        #expect(oracle.deliveries.contains { $0 > HLSWorld.epoch + .seconds(590) })
    }

    @Test("While a segment is missing, later ones wait", arguments: [(true, 42), (false, 18)])
    func waiting(isPatient: Bool, seconds: Int) throws {
        var station = Self.station
        station.window = 5
        let missing = station.count(HLSWorld.epoch) + 5
        var world = HLSWorld(
            seed: 8, isPatient: isPatient, list: { [station] in station.list($0.now) },
            fetch: { $1.number == missing ? nil : 10_000 })
        world.run(for: .seconds(300))
        let oracle = world.oracle
        #expect(oracle.objections.isEmpty && oracle.leftOut.count == 1)
        let pause = try #require(zip(oracle.deliveries, oracle.deliveries.dropFirst()).map { $1 - $0 }.max())
        #expect((pause - .seconds(seconds)).magnitude < .seconds(2), "\(pause)")
    }

    @Test("A station without audio is given up in time, one with long segments is not", arguments: [6, 60])
    func giveUp(seconds: Int) {
        var world = HLSWorld(seed: 9, giveUp: .seconds(60), list: { _ in nil })
        world.run(for: .seconds(300))
        #expect(world.oracle.stops.count == 1 && world.now == HLSWorld.epoch + .seconds(60))
        var station = Self.station
        (station.length, station.target) = (.seconds(seconds), .seconds(seconds))
        var long = HLSWorld(seed: 9, giveUp: .seconds(20), list: { [station] in station.list($0.now) })
        long.run(for: .seconds(900))
        #expect(!long.oracle.hasStopped && long.oracle.objections.isEmpty)
    }

    @Test("A segment that comes too late is not kept") func tooLate() throws {
        var machine = HLSMachine(name: "radio.test", giveUp: nil, seed: 1)
        machine.begin(HLSWorld.epoch)
        let id = HLSSegmentID(lineage: 0, number: 5)
        let isKept = machine.fetched(id, bytes: 1)
        #expect(!isKept)
    }

    @Test(
        "A start in the past begins with what was on air then, also if lists have one date", arguments: [true, false])
    func past(datesFirstOnly: Bool) {
        var station = Self.station
        (station.datesFirstOnly, station.window) = (datesFirstOnly, 20)
        let epoch = WallInstant(nanoseconds: 1_800_000_000_000_000_000 + HLSWorld.epoch.nanoseconds)
        var world = HLSWorld(
            seed: 10, start: .at(epoch - .seconds(40), HLSWorld.epoch), list: { [station] in station.list($0.now) })
        world.run(for: .seconds(60))
        let first = world.oracle.delivered.first?.number
        #expect(world.oracle.objections.isEmpty && first == 93)
    }

    @Test("An encoder that begins anew without dates, under the same names, loses nothing that lists have")
    func restartUnderSameNames() {
        var station = ListedStation(began: HLSWorld.epoch - .seconds(60))
        (station.isDated, station.keepsNames) = (false, true)
        var world = HLSWorld(
            seed: 11,
            list: { world in
                let run = Int((world.now - HLSWorld.epoch).wholeNanoseconds / 100_000_000_000)
                if run > station.run { (station.run, station.began) = (run, world.now - .seconds(6)) }
                return station.list(world.now)
            })
        world.run(for: .seconds(590))
        let oracle = world.oracle
        #expect(oracle.objections.isEmpty && oracle.lineages == 6 && oracle.leftOut.isEmpty)
        for lineage in 1..<6 {
            let numbers = oracle.delivered.filter { $0.lineage == lineage }.map(\.number)
            #expect(numbers == Array(0..<Int64(numbers.count)) && numbers.count >= 14, "\(lineage): \(numbers)")
        }
    }

    @Test("Of thousands of new segments in each list, none of which can be had, no more wait than a list may have")
    func manyMissing() {
        var start: Int64 = 0
        var lists = 0
        var world = HLSWorld(
            seed: 12,
            list: { _ in
                defer { (start, lists) = (start + 19_999, lists + 1) }
                return .listing((start..<start + 20_000).map { ListedSegment.listed($0) }, target: .seconds(1))
            },
            fetch: { $1.number < 20_000 ? 10_000 : nil })
        world.run(for: .seconds(8))
        let (leftOut, last) = (world.oracle.leftOut.count, lists * 19_999)
        #expect(world.oracle.objections.isEmpty && lists > 4)
        #expect(leftOut > last - 70_000 && leftOut > 20_000, "\(leftOut), \(last)")
    }
}
