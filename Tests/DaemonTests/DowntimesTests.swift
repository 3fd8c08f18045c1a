// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import RadioFormats
import Recorder
import TestSupport
import Testing

@testable import Daemon

/// Why audio is missing around the time in which no daemon ran.
struct DowntimesTests {
    private static func at(_ seconds: Double) -> WallInstant { WallInstant(nanoseconds: 0) + .seconds(seconds) }
    private static func span(_ from: Double, _ to: Double) -> Range<WallInstant> { at(from)..<at(to) }

    private static func causes(_ missing: Range<WallInstant>, failure: String? = nil) -> [RecordingResult.Cause] {
        Downtimes(lastSign: at(100)).causes(of: missing, in: "fip", start: at(160)) { _ in failure }
    }

    @Test("Only audio between the last sign of life and the start is missing because Aircheck was not running")
    func divided() {
        let (down, unknown) = (Downtimes.cause, Downtimes.unknownCause)
        #expect(
            Self.causes(Self.span(40, 300), failure: "503") == [
                .init(span: Self.span(40, 100), text: unknown), .init(span: Self.span(100, 160), text: down),
                .init(span: Self.span(160, 300), text: "503"),
            ])
        #expect(Self.causes(Self.span(40, 90), failure: "503") == [.init(span: Self.span(40, 90), text: unknown)])
        #expect(Self.causes(Self.span(170, 175), failure: "503") == [.init(span: Self.span(170, 175), text: "503")])
        // The end of the audio that was not written, and the time to connect, belong to the restart.
        #expect(Self.causes(Self.span(97, 163)) == [.init(span: Self.span(97, 163), text: down)])
        #expect(
            Self.causes(Self.span(97, 163), failure: "503").map(\.span) == [Self.span(97, 160), Self.span(160, 163)])
        #expect(Self.causes(Self.span(110, 400)).map(\.text) == [down, unknown])
        let never = Downtimes().causes(of: Self.span(40, 120), in: "fip", start: Self.at(160)) { _ in nil }
        #expect(never.map(\.text) == [down])
    }

    @Test("The times that a clock leaves out are not times at which Aircheck did not run") func clockJumps() {
        var jumps = ClockJumps()
        func look(_ now: Double, _ wall: Double) {
            jumps.look(ClockReading(wall: Self.at(wall), now: MonotonicInstant(nanoseconds: 0) + .seconds(now)))
        }
        func causes(_ from: Double, _ to: Double) -> [RecordingResult.Cause] {
            Self.span(from, to).divided(by: jumps.causes) { [.init(span: $0, text: "503")] }
        }
        look(0, 1_000)
        look(10, 1_010)
        look(20, 4_620)
        #expect(causes(900, 1_010) == [.init(span: Self.span(900, 1_010), text: "503")])
        #expect(
            causes(1_000, 5_000) == [
                .init(span: Self.span(1_000, 1_020), text: "503"),
                .init(span: Self.span(1_020, 4_620), text: RecordingResult.clockSet),
                .init(span: Self.span(4_620, 5_000), text: "503"),
            ])
        // The clock was wrong, so most of these times are still to come.
        look(60, 1_060)
        #expect(causes(1_040, 1_060).map(\.text) == [RecordingResult.clockSet])
        #expect(causes(1_060, 2_000).map(\.text) == ["503"])
        // The clock of the last run was ahead of the true time.
        let last = Downtimes(lastSign: Self.at(4_000))
        let ahead = last.causes(of: Self.span(100, 150), in: "fip", start: Self.at(160)) { _ in nil }
        #expect(ahead.map(\.text) == [RecordingResult.clockSet])
    }

    @Test("Downtimes before the last one are known, too, over restarts") func earlier() {
        let first = Downtimes(lastSign: Self.at(100)).json(start: Self.at(160))
        let downtimes = Downtimes(first, lastSign: Self.at(300))
        let stored = Downtimes(downtimes.json(start: Self.at(320)), lastSign: Self.at(500))
        let causes = stored.causes(of: Self.span(50, 510), in: "fip", start: Self.at(505)) { _ in nil }
        #expect(
            causes.map(\.span) == [
                Self.span(50, 100), Self.span(100, 160), Self.span(160, 300), Self.span(300, 320),
                Self.span(320, 500), Self.span(500, 510),
            ])
        #expect(causes.enumerated().allSatisfy { ($1.text == Downtimes.cause) == ($0 % 2 == 1) })
        #expect(Downtimes([["from": "x"], 3, .null]) == Downtimes())
    }

    @Test("What was wrong when each earlier run ended is known over restarts") func faults() {
        func fault(_ cause: String, since: Double) -> StandingFault {
            StandingFault(station: "fip", since: Self.at(since), cause: cause, isTold: false)
        }
        let first = Downtimes(lastSign: Self.at(100), faults: [fault("the disk is full", since: 40)])
        let second = Downtimes(
            first.json(start: Self.at(160)), lastSign: Self.at(300), faults: [fault("503", since: 200)])
        let third = Downtimes(second.json(start: Self.at(320)), lastSign: Self.at(500))
        let texts = { (missing: Range<WallInstant>, station: String) in
            third.causes(of: missing, in: station, start: Self.at(505)) { _ in nil }.map(\.text)
        }
        #expect(
            texts(Self.span(50, 490), "fip") == [
                "the disk is full", Downtimes.cause, "503", Downtimes.cause, Downtimes.unknownCause,
            ])
        #expect(texts(Self.span(50, 90), "nova") == [Downtimes.unknownCause])
        // A fault from before the audio ended is the reason also shortly before the end of a run.
        #expect(texts(Self.span(97, 163), "fip") == ["the disk is full", Downtimes.cause])
    }

    @Test("Before the first run of all, no daemon ran: the runs after it know that, too") func firstRun() {
        let second = Downtimes(Downtimes().json(start: Self.at(100)), lastSign: Self.at(150))
        let third = Downtimes(second.json(start: Self.at(160)), lastSign: Self.at(200))
        for (downtimes, start) in [(second, 160.0), (third, 220)] {
            let causes = downtimes.causes(of: Self.span(40, 101), in: "fip", start: Self.at(start)) { _ in nil }
            #expect(causes == [.init(span: Self.span(40, 101), text: Downtimes.cause)])
        }
    }

    @Test("A missing stretch has the causes of the gaps in it, and for the rest those of the time around them")
    func gaps() throws {
        let recorded = RecordingResult.Recorded(recording: "r", files: [])
        let gap = Self.span(20, 30)
        let coverages = [
            RecordingResult.Coverage(
                of: recorded, at: Self.at(0), length: .seconds(30), gaps: [gap],
                causes: [.init(span: gap, text: "the server closed")]),
            RecordingResult.Coverage(of: recorded, at: Self.at(80), length: .seconds(20)),
        ]
        let result = RecordingResult(window: Self.span(0, 100), coverages: coverages).explained { span in
            Downtimes(lastSign: Self.at(40)).causes(of: span, in: "fip", start: Self.at(79)) { _ in nil }
        }
        #expect(
            result.causes == [
                .init(span: Self.span(20, 30), text: "the server closed"),
                .init(span: Self.span(30, 40), text: Downtimes.unknownCause),
                .init(span: Self.span(40, 80), text: Downtimes.cause),
            ])
        #expect(result.cause == "\(Downtimes.cause); the server closed; \(Downtimes.unknownCause)")
    }

    /// The station goes away before or after the daemon is killed, or both.
    @Test(
        "The seconds of each cause are those of the station's and of the daemon's absences, in gaps and ledger",
        arguments: 0..<8)
    func truth(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let kill = Double.random(in: 121...126, using: &random)
        let away = Double.random(in: 20...60, using: &random)
        let (stop, start) = (kill, kill + away)
        var absences: [Range<Double>] = []
        if seed & 1 == 0 { absences.append(kill - Double.random(in: 20...50, using: &random)..<kill + 10) }
        if seed & 2 == 0 { absences.append(start - 5..<start + Double.random(in: 15...50, using: &random)) }
        let rig = try DaemonRig([
            "fip": DaemonRig.script(
                absences.map { .init(.seconds($0.lowerBound), for: .seconds($0.upperBound - $0.lowerBound), .gone) })
        ])
        let station = DaemonRig.station("fip", shows: [try rig.show("one", from: 5, to: start + 70)])
        let configuration = try rig.configuration([station])
        try rig.beginWithCatalog(configuration)
        for end in [59, 62, 119, kill] {
            rig.live(end - (rig.reactor.wallNow - rig.began).inSeconds)
        }
        rig.crash(away: .seconds(away))
        try rig.startAgain(configuration)
        while (rig.reactor.wallNow - rig.began).inSeconds < start + 80 {
            rig.live(2)
        }
        #expect(rig.reactor.pump { rig.results["one"] != nil })

        // The truth: the frames that are in no file.
        let places = try rig.files.map { try rig.span($0) }.sorted { $0.from < $1.from }
        try #require(places.count == 2)
        let hole = places[0].to..<places[1].from
        let down = hole.clamped(to: stop..<start)
        func length(_ span: Range<Double>) -> Double { span.upperBound - span.lowerBound }
        let (truth, whole) = (length(down), length(hole))

        let gaps = try rig.sidecars().values.flatMap(\.gaps)
        let told = rig.told.filter { $0.name == .gap && $0.cause == Downtimes.cause }
        #expect(told.count == 1 && abs((told.first?.seconds ?? 0) - truth) < 6)
        let entry = try #require(ShowLedgerTests.entries(rig).first?["missing"]?.arrayValue)
        let books: [String: [(String, Double)]] = [
            "gaps": gaps.map { ($0.cause, Double($0.milliseconds ?? 0) / 1_000) },
            "ledger": entry.map { ($0["cause"]?.stringValue ?? "", $0["seconds"]?.doubleValue ?? 0) },
        ]
        for (name, causes) in books {
            let found = causes.filter { $0.0 == Downtimes.cause }.reduce(0) { $0 + $1.1 }
            let sum = causes.reduce(0) { $0 + $1.1 }
            // The sign of life is up to five seconds old, and connecting takes a moment.
            #expect(abs(found - truth) < 6 && abs(sum - whole) < 1, "\(name): \(causes), \(truth) of \(whole)")
        }
        let named = rig.results["one"]?.cause ?? ""
        #expect(named.contains(Downtimes.cause) && named.contains(";") == !absences.isEmpty, "\(named)")
    }
}
