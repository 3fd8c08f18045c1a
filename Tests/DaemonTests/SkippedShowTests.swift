// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// Broadcasts that users skip, and recordings of shows that they end.
struct SkippedShowTests {
    private let rig: DaemonRig

    init() throws { rig = try Self.rig() }

    /// 2027-01-15, at a quarter past some hour.
    private static let start = WallInstant(nanoseconds: 1_800_000_900_000_000_000)

    private static func rig() throws -> DaemonRig { try DaemonRig(["fip": DaemonRig.script()], at: start) }

    private static func configuration(_ rig: DaemonRig, showFrom from: Double, to: Double) throws -> Configuration {
        let station = DaemonRig.station(
            "fip", shows: [try rig.show("jazz", from: from, to: to), try rig.show("news", from: from, to: to)])
        return try rig.configuration([station])
    }

    private static func broadcasts(_ rig: DaemonRig, _ show: String, _ day: String) throws -> Set<UseKey> {
        let requests = rig.daemon.showRequests
        return Set(try requests.broadcasts(of: requests.show(named: show), on: day).map(\.key))
    }

    @Test("A skipped broadcast is not recorded and not missed, others are recorded") func skipped() throws {
        rig.apply(try Self.configuration(rig, showFrom: 120, to: 150))
        try rig.daemon.skip(Self.broadcasts(rig, "fip/jazz", "today"), true)
        rig.run(250)
        #expect(rig.results.mapValues(\.verdict) == ["news": .complete] && rig.files == ["news.mp3"])
    }

    @Test("A skipped broadcast may be recorded after all") func undone() throws {
        rig.apply(try Self.configuration(rig, showFrom: 120, to: 150))
        let today = try Self.broadcasts(rig, "jazz", "today")
        try rig.daemon.skip(today, true)
        rig.run(10)
        try rig.daemon.skip(today, false)
        rig.run(240)
        #expect(rig.results.mapValues(\.verdict) == ["jazz": .complete, "news": .complete])
    }

    @Test("The recording of a show can be ended; the rest is not missed, and what was recorded is kept")
    func stopped() throws {
        rig.apply(try Self.configuration(rig, showFrom: 70, to: 130))
        #expect(throws: Failure.self) {
            let requests = rig.daemon.showRequests
            _ = try requests.present(of: requests.show(named: "jazz"))
        }
        rig.run(100)
        let requests = rig.daemon.showRequests
        try rig.daemon.skip(Set(requests.present(of: requests.show(named: "jazz")).map(\.key)), true)
        rig.run(120)
        #expect(rig.results.mapValues(\.verdict) == ["news": .complete])
        let span = try rig.span("jazz.mp3")
        #expect(abs(span.from - 70) < 0.5 && abs(span.to - 100) < 5, "\(span)")
        #expect(rig.told.contains { $0.name == .recordingFinished && $0.show == "jazz" })
    }

    @Test("I21: Skipped broadcasts that cannot be noted are reported") func failedWrite() throws {
        try rig.beginWithCatalog(try Self.configuration(rig, showFrom: 120, to: 150))
        // A folder in the place of the draft makes each write fail.
        try rig.folder.make("state/\(SkippedBroadcasts.fileName).new")
        try rig.daemon.skip(Self.broadcasts(rig, "jazz", "today"), true)
        let isSaid = rig.reactor.pump {
            rig.events.contains { if case .notRemembered = $0 { true } else { false } }
        }
        #expect(isSaid)
    }

    @Test("Skipped broadcasts survive a restart") func restarted() throws {
        let configuration = try Self.configuration(rig, showFrom: 120, to: 150)
        try rig.beginWithCatalog(configuration)
        #expect(rig.reactor.pump { rig.rebuilds == [true] })
        try rig.daemon.skip(Self.broadcasts(rig, "jazz", "today"), true)
        #expect(rig.waitForCatalog())
        let stored = try JSONValue(parsing: rig.folder.read("state/\(SkippedBroadcasts.fileName)"), limit: 10_000)
        rig.restart(away: 1)
        try rig.beginWithCatalog(configuration, after: rig.earlier(SkippedBroadcasts.fileName, stored))
        rig.live(250, step: 10)
        #expect(rig.results.mapValues(\.verdict) == ["news": .complete])
    }

    @Test("After midnight, a day of the week may be that on which a show began that is still on")
    func afterMidnight() throws {
        // The midnight after a Friday.
        let rig = try DaemonRig(
            ["fip": DaemonRig.script()], at: WallInstant(nanoseconds: 86_400_000_000_000 * 20_834) - .seconds(40))
        var station = DaemonRig.station("fip", shows: [try rig.show("night", from: 10, to: 70)])
        station.shows[0].show.days = try ShowDays(parsing: ["fri"])
        rig.apply(try rig.configuration([station]))
        func found(_ day: String) throws -> [CalendarDate] {
            let requests = rig.daemon.showRequests
            return try requests.broadcasts(of: requests.show(named: "night"), on: day).map(\.airing.date)
        }
        let friday = CalendarDate(dayNumber: 20_833)
        rig.run(50)
        #expect(try found("fri") == [friday] && found("\(friday)") == [friday])
        #expect(throws: Failure.self) { try found("today") }
        rig.run(60)
        #expect(try found("fri") == [friday.adding(days: 7)])
        do {
            #expect(try found("\(friday)").isEmpty)
        } catch let failure as Failure {
            #expect(failure.failureClass == .notFound && failure.message.contains("is over"), "\(failure)")
        }
    }

    @Test("Shows and days are found as people name them, and refusals say what to do") func requests() throws {
        var (one, two) = (DaemonRig.station("fip"), DaemonRig.station("nova"))
        one.shows = [try rig.show("jazz", from: 100, to: 200), try rig.show("news", from: 100, to: 200)]
        two.shows = [try rig.show("news", from: 100, to: 200)]
        rig.apply(try rig.configuration([one, two]))
        let requests = rig.daemon.showRequests
        #expect(try requests.show(named: "jazz").station == "fip")
        #expect(try requests.show(named: "nova/news").station == "nova")
        let today = CalendarDate(CivilTime(rig.began, utcOffset: 0))
        for day in ["today", "TODAY", "\(today)", "fri"] {
            let found = try requests.broadcasts(of: requests.show(named: "jazz"), on: day)
            #expect(found.map(\.airing.date) == [today], "\(day)")
        }
        for (show, day) in [("news", "today"), ("blues", "today"), ("jazz", "tomorrow"), ("jazz", "someday")] {
            #expect(throws: Failure.self, "\(show) \(day)") {
                _ = try requests.broadcasts(of: requests.show(named: show), on: day)
            }
        }
    }
}
