// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// A19: many stations of one process that fail at the same time.
struct FlappingTests {
    private static let programme = Broadcast([.music(.seconds(110))], MPEGShape(32, isMono: true))

    /// Stations with an origin each, all under one clock.
    private static func stations(_ count: Int, _ reactor: ManualReactor, _ script: LiveScript) -> [VirtualStation] {
        let heard = HeardFrames(of: programme)
        let group = StationGroup()
        return (0..<count).map { number in
            VirtualStation(script, hearing: heard, seed: UInt64(number), reactor: reactor, group: group)
        }
    }

    @Test(
        "A19: 200 stations that flap together make one attempt each at a time, spread out, and only expected gaps")
    func together() {
        let script = LiveScript(
            .stream(LiveStream(Self.programme, burst: 16 * 1_024)),
            absences: [.init(.seconds(6), for: .seconds(2), .gone), .init(.seconds(12), for: .seconds(10), .gone)])
        let reactor = ManualReactor()
        let began = reactor.now
        let stations = Self.stations(200, reactor, script)
        for station in stations { station.station.start() }
        var mostUnderWay = 0
        while reactor.now - began < .seconds(30) {
            reactor.advance(by: .milliseconds(50))
            mostUnderWay = max(mostUnderWay, stations.map(\.origin.transfersUnderWay).max() ?? 0)
        }
        #expect(mostUnderWay == 1)
        // Comparing delivered frames with the programme is slow, so a few stations stand for all.
        for (number, station) in stations.enumerated() where number % 25 == 0 {
            let outcome = station.end()
            // The burst of 16 KiB plays 4 s, which covers the first absence, but not the second.
            #expect(outcome.heard.gaps.count == 1, "station \(number): \(outcome)")
            #expect(outcome.report.duplicated.isEmpty && outcome.report.foreign == 0, "station \(number): \(outcome)")
        }
        let logs = stations.map(\.origin.log)
        #expect(logs.allSatisfy { $0.accepts.count == 3 })
        // After each station's first try, no tenth of a second has more tries than a quarter of the stations.
        var tries: [Int: Int] = [:]
        for log in logs {
            for refusal in log.refusals where refusal.at - began > .milliseconds(12_200) {
                tries[Int((refusal.at - began).inSeconds * 10), default: 0] += 1
            }
        }
        #expect(tries.values.max() ?? 0 <= 50, "\(tries.sorted { $0.key < $1.key })")
    }

    @Test("A19: Hedges for at most half of the stations are open when all stall together, and nothing is lost")
    func stalled() {
        let script = LiveScript { visit in
            .stream(LiveStream(Self.programme, faults: visit.number == 0 ? [.at(.seconds(12), .stall)] : []))
        }
        let reactor = ManualReactor()
        let began = reactor.now
        let stations = Self.stations(20, reactor, script)
        for station in stations {
            station.origin.connectLatency = .milliseconds(300)
            station.station.start()
        }
        var mostHedges = 0
        while reactor.now - began < .seconds(30) {
            reactor.advance(by: .milliseconds(20))
            mostHedges = max(mostHedges, stations.count { $0.origin.transfersUnderWay > 1 })
        }
        // At most four hedges are open at a time until half of the stations are back. The other stations are then a
        // minority, and get hedges as if each were alone.
        #expect((1...10).contains(mostHedges), "\(mostHedges)")
        for (number, station) in stations.enumerated() {
            let outcome = station.end()
            #expect(outcome.isWhole, "station \(number): \(outcome)")
        }
    }
}
