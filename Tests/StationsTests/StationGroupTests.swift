// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Eight stations of one process, in virtual time.
struct StationGroupTests {
    private static let count = 8
    private static let programme = Broadcast([.music(.seconds(100))])

    /// Plays a script for each station until `length` is over, and counts the hedges every 50 ms.
    private func run(_ length: Duration, _ script: (Int) -> LiveScript) -> (most: Int, hedged: [Int]) {
        let reactor = ManualReactor()
        let names = (0..<Self.count).map { "station\($0).test" }
        let scripts = names.indices.map { (names[$0], script($0)) }
        let origin = VirtualOrigin(hosts: Dictionary(uniqueKeysWithValues: scripts), reactor: reactor)
        let group = StationGroup()
        let stations = names.indices.map {
            Programme(
                settings: StationSettings(
                    urls: ["http://\(names[$0])/live"], userAgent: "Aircheck/test", seed: UInt64($0)),
                client: origin, reactor: reactor, group: group)
        }
        for station in stations { station.start() }
        var most = 0
        for _ in 0..<Int(length / .milliseconds(50)) {
            reactor.advance(by: .milliseconds(50))
            most = max(most, stations.count { if case .hedging = $0.snapshot.activity { true } else { false } })
        }
        let hedged = stations.map(\.snapshot.hedges)
        for station in stations { station.stop() }
        return (most, hedged)
    }

    private func stalling(_ number: Int) -> LiveScript {
        // The first connection falls silent, and later connections send nothing at all.
        LiveScript(.stream(LiveStream(Self.programme, faults: [.at(.seconds(12), .stall)])), .silence)
    }

    @Test("Stations that all stall at the same instant get four hedges at once and no more") func allStall() {
        let found = run(.seconds(20), stalling)
        #expect(found.most == 4, "\(found)")
    }

    @Test("A single station that stalls gets a hedge, and the others get none") func oneStalls() {
        let found = run(.seconds(20)) { number in
            number == 3 ? stalling(number) : LiveScript(.stream(LiveStream(Self.programme)))
        }
        #expect(found.most == 1, "\(found)")
        #expect(found.hedged == [0, 0, 0, 1, 0, 0, 0, 0], "\(found)")
    }
}
