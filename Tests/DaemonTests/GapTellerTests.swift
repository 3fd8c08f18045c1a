// SPDX-License-Identifier: MIT

import Configuration
import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import TestSupport
import Testing

@testable import Daemon

/// How often gaps are sent to hooks, in virtual time.
final class GapTellerTests {
    private let reactor = ManualReactor()
    private var told: [(event: HookEvent, at: Duration)] = []
    private lazy var began = reactor.now
    private lazy var teller = GapTeller(reactor: reactor) { [unowned self] in told.append(($0, reactor.now - began)) }

    private func gap(_ station: String = "fip", seconds: Double? = 1, cause: String = "why") {
        _ = began
        var event = HookEvent(.gap, at: reactor.wallNow, in: FixedZone.utc)
        (event.station, event.seconds, event.cause) = (station, seconds, cause)
        teller.hear(event)
    }

    @Test("A source that ends every second for an hour makes seven events, which count every gap") func hourOfGaps() {
        for number in 0..<3_600 {
            gap(cause: "\(number)")
            reactor.advance(by: .seconds(1))
        }
        #expect(told.map(\.at) == (0...6).map { .seconds($0 * 600) })
        #expect(told.first?.event.gaps == nil && told.first?.event.seconds == 1)
        #expect(told.reduce(0) { $0 + ($1.event.gaps ?? 1) } == 3_600)
        #expect(told.reduce(0) { $0 + ($1.event.seconds ?? 0) } == 3_600)
        // The event has the time and the cause of the last gap in the ten minutes.
        #expect(told[1].event.cause == "599" && told[1].event.at.instant == told[0].event.at.instant + .seconds(599))
    }

    @Test("Gaps that are far apart are each sent at once") func farApart() {
        for _ in 0..<3 {
            gap()
            reactor.advance(by: .seconds(601))
        }
        #expect(told.map(\.at) == [.zero, .seconds(601), .seconds(1_202)])
        #expect(told.allSatisfy { $0.event.gaps == nil })
    }

    @Test("A second gap is sent unchanged once the ten minutes are over") func secondGap() {
        gap()
        reactor.advance(by: .seconds(60))
        gap(seconds: 3, cause: "again")
        reactor.advance(by: .seconds(3_600))
        #expect(told.map(\.at) == [.zero, .seconds(600)])
        #expect(told[1].event.gaps == nil && told[1].event.seconds == 3 && told[1].event.cause == "again")
    }

    @Test("The span of several gaps is from the earliest to the latest, in whatever order they are told") func span() {
        func gap(_ from: Double, _ until: Double) {
            var event = HookEvent(.gap, at: reactor.wallNow, in: FixedZone.utc)
            let start = WallInstant(nanoseconds: 0)
            event.from = CivilTime(start + .seconds(from), utcOffset: 0)
            event.until = CivilTime(start + .seconds(until), utcOffset: 0)
            teller.hear(event)
        }
        for span in [(0.0, 1.0), (30, 40), (10, 20), (15, 50), (12, 13)] { gap(span.0, span.1) }
        teller.finish()
        let last = told.last?.event
        let start = WallInstant(nanoseconds: 0)
        #expect(last?.from?.instant == start + .seconds(10) && last?.until?.instant == start + .seconds(50))
    }

    @Test("A length is sent only if the length of each gap is known") func lengths() {
        gap()
        gap(seconds: 2)
        gap(seconds: nil)
        gap(seconds: 2)
        reactor.advance(by: .seconds(600))
        #expect(told[1].event.gaps == 3 && told[1].event.seconds == nil)
    }

    @Test("Stations do not wait for each other, and other events do not wait at all") func stations() {
        gap("fip")
        gap("fip")
        gap("jazz")
        teller.hear(HookEvent(.stationDown, at: reactor.wallNow, in: FixedZone.utc))
        teller.hear(HookEvent(.stationDown, at: reactor.wallNow, in: FixedZone.utc))
        #expect(told.map(\.event.name) == [.gap, .gap, .stationDown, .stationDown])
        #expect(told.map(\.event.station) == ["fip", "jazz", nil, nil])
    }

    @Test("Gaps that wait are known for the next run of the daemon, a second later at most") func waiting() {
        var stored: [HookEvent] = []
        teller.onChange = { [unowned self] in stored = teller.waiting }
        for _ in 0..<4 { gap() }
        reactor.advance(by: .seconds(1))
        #expect(told.map(\.event.gaps) == [nil] && stored.map(\.gaps) == [3])
        reactor.advance(by: .seconds(600))
        #expect(told.map(\.event.gaps) == [nil, 3] && teller.waiting.isEmpty)
    }

    @Test("Gaps that wait are sent at the end") func finish() {
        gap()
        gap()
        gap()
        teller.finish()
        #expect(told.map(\.event.gaps) == [nil, 2])
        reactor.advance(by: .seconds(3_600))
        #expect(told.count == 2)
    }
}
