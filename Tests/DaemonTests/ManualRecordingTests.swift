// SPDX-License-Identifier: MIT

import Configuration
import EventLoop
import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// Recordings that a user requests from a running daemon.
struct ManualRecordingTests {
    /// 2027-01-15, at a quarter past some hour.
    private static let start = WallInstant(nanoseconds: 1_800_000_900_000_000_000)

    private static func rig(_ absences: [LiveScript.Absence] = [], at start: WallInstant = start) throws -> DaemonRig {
        try DaemonRig(["fip": DaemonRig.script(absences)], at: start)
    }

    private static func station() throws -> StationConfiguration {
        var station = DaemonRig.station("fip")
        station.files.name = try NameTemplate(parsing: "{sequence}")
        return station
    }

    private static func sidecar(_ rig: DaemonRig, _ name: String) throws -> Sidecar {
        try #require(Sidecar(parsing: try rig.folder.read("recordings/\(name.dropLast(4)).json")))
    }

    @Test("A user can request a recording and end it early") func requestAndEnd() throws {
        let rig = try Self.rig()
        rig.apply(try rig.configuration([DaemonRig.station("fip")]), for: 5)
        let first = try #require(rig.daemon.record("fip", for: .seconds(20)))
        #expect(rig.daemon.record("nova", for: .seconds(20)) == nil)
        rig.run(3)
        let second = try #require(rig.daemon.record("fip", for: .seconds(3_600)))
        rig.run(5)
        #expect(rig.daemon.endRecording(second.number) && !rig.daemon.endRecording(99))
        rig.run(30)
        #expect(rig.files.count == 2 && rig.files.allSatisfy { $0.hasSuffix(".mp3") })
        #expect(first.number != second.number)
        let spans = try rig.files.map { try rig.span($0) }
        #expect(abs(spans[0].to - spans[0].from - 20) < 1 && abs(spans[1].to - spans[1].from - 5) < 1.5, "\(spans)")
        // Only the first recording has a result: a user who ends a recording, as the second one, knows that the rest is
        // missing.
        #expect(rig.manualResults.mapValues(\.verdict) == [first.number: .complete])
    }

    /// What the clock shows at the beginning, and the number of seconds by which it is then set.
    private static let steps: [(WallInstant, Double)] = [
        (start, -3_600), (start, 3_600), (start, 1.5), (WallInstant(nanoseconds: 30_000_000_000), 1_800_000_000),
    ]

    @Test(
        "A recording lasts as long as requested, and its files have the right times, however the clock is set",
        arguments: steps)
    func clockSteps(start: WallInstant, step: Double) throws {
        let rig = try Self.rig(at: start)
        var station = try Self.station()
        station.files.segment = .period(.seconds(60))
        rig.apply(try rig.configuration([station]), for: 5)
        _ = try #require(rig.daemon.record("fip", for: .seconds(120)))
        rig.run(20)
        rig.stepClock(by: .seconds(step))
        rig.run(98)
        #expect(rig.manualResults.isEmpty)
        rig.run(15)
        let span = try rig.span(rig.files.sorted())
        #expect(abs(span.from - 5) < 0.1 && abs(span.to - 125) < 0.1, "\(span)")
        let result = try #require(rig.manualResults[1])
        #expect(result.verdict == .complete && result.lost == .zero, "\(result)")
        #expect(rig.told.map(\.name) == [.recordingStarted, .recordingFinished])
        let (first, last) = (try #require(rig.files.min()), try #require(rig.files.max()))
        #expect(first != last)
        let begins = try (Self.sidecar(rig, first).at?.instant, Self.sidecar(rig, last).at?.instant)
        let lastBegins = try rig.span(last).from
        #expect(abs((try #require(begins.0) - rig.began).inSeconds - 5) < 0.1)
        #expect(abs((try #require(begins.1) - rig.began).inSeconds - lastBegins - step) < 0.1)
    }

    @Test(
        "A recording requested while the station is down begins with the station, however the clock was set",
        arguments: [-3_600, -300, 3_600.0], [false, true])
    func stationDown(step: Double, isConnected: Bool) throws {
        let rig = try Self.rig([.init(.seconds(20), for: .seconds(20), .gone)])
        rig.apply(try rig.configuration([try Self.station()]))
        if isConnected { _ = try #require(rig.daemon.record("fip", for: .seconds(200))) }
        rig.run(25)
        rig.stepClock(by: .seconds(step))
        rig.run(2)
        let number = try #require(rig.daemon.record("fip", for: .seconds(60))).number
        rig.run(100)
        let result = try #require(rig.manualResults[number])
        #expect(result.lost < .seconds(20) && !result.files.isEmpty, "\(result)")
        #expect(rig.files.count == (isConnected ? 2 : 1), "\(rig.files)")
    }

    @Test("What is missing of a recording is reported within a minute of its end", arguments: [0, -3_600.0])
    func missing(step: Double) throws {
        let rig = try Self.rig([.init(.seconds(40), for: .seconds(10), .gone)])
        rig.apply(try rig.configuration([try Self.station()]), for: 5)
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        rig.run(20)
        rig.stepClock(by: .seconds(step))
        rig.run(39)
        #expect(rig.manualResults.isEmpty)
        rig.run(61)
        let result = try #require(rig.manualResults[1])
        // The burst after the outage brings back four seconds.
        #expect(result.verdict == .incomplete && (5.0...10).contains(result.lost.inSeconds), "\(result)")
        let told = rig.told.filter { $0.name == .recordingIncomplete }
        #expect(told.map(\.seconds) == [result.lost.inSeconds] && told.first?.station == "fip")
        #expect(told.first?.files == result.files && result.files.count == 1 && result.recordings.count == 1)
        #expect(rig.told.contains { $0.name == .recordingFinished })
    }

    @Test("A recording whose station is down for all of its time is reported as missed") func missed() throws {
        let rig = try Self.rig([.init(.seconds(0), for: .seconds(900), .gone)])
        rig.apply(try rig.configuration([try Self.station()]), for: 5)
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        rig.run(120)
        #expect(rig.files.isEmpty && rig.manualResults[1]?.verdict == .missed)
        let told = rig.told.filter { $0.name == .showMissed }
        #expect(told.count == 1 && told.first?.station == "fip" && told.first?.show == nil)
    }

    @Test(
        "A recording whose station is no longer configured ends, and what is missing is reported",
        arguments: [false, true])
    func unconfiguredStation(isRenamed: Bool) throws {
        let rig = try Self.rig()
        let station = try Self.station()
        rig.apply(try rig.configuration([station]), for: 5)
        let number = try #require(rig.daemon.record("fip", for: .seconds(60))).number
        rig.run(20)
        var renamed = station
        renamed.id = "fip-two"
        rig.apply(try rig.configuration(isRenamed ? [renamed] : []), for: 15)
        let result = try #require(rig.manualResults[number])
        #expect(result.verdict == .incomplete && abs(result.lost.inSeconds - 40) < 0.5, "\(result)")
        #expect(rig.files == ["001.mp3"] && result.files.count == 1 && result.recordings.count == 1)
        let span = try rig.span(rig.files)
        #expect(abs(span.from - 5) < 0.1 && abs(span.to - 25) < 0.5, "\(span)")
        let told = rig.told.filter { $0.name == .recordingIncomplete }
        #expect(told.count == 1 && told.first?.station == "fip")
    }

    @Test("A recording that begins late is incomplete by as much") func lateBegin() throws {
        let rig = try Self.rig([.init(.seconds(0), for: .seconds(30), .gone)])
        rig.apply(try rig.configuration([try Self.station()]))
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        rig.run(80)
        let span = try rig.span(rig.files)
        let result = try #require(rig.manualResults[1])
        #expect(result.verdict == .incomplete && abs(result.lost.inSeconds - span.from) < 0.2, "\(result) \(span)")
    }

    @Test("The seconds that it takes to connect are not missing") func connecting() throws {
        let rig = try Self.rig([.init(.seconds(0), for: .seconds(6), .gone)])
        rig.apply(try rig.configuration([try Self.station()]))
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        rig.run(80)
        let span = try rig.span(rig.files)
        #expect((0.5...10).contains(span.from) && abs(span.to - 60) < 0.1, "\(span)")
        #expect(rig.manualResults[1]?.verdict == .complete)
    }

    @Test("A recording that ends while the disk is unavailable is written when the disk is back")
    func unavailableDisk() throws {
        let rig = try Self.rig()
        rig.apply(try rig.configuration([try Self.station()]), for: 5)
        rig.system.setErrors(["openRoot": EIO, "create": EIO])
        _ = try #require(rig.daemon.record("fip", for: .seconds(20)))
        rig.run(50)
        #expect(rig.files.isEmpty && rig.manualResults.isEmpty)
        rig.system.setErrors([:])
        rig.run(10)
        #expect(rig.manualResults[1]?.verdict == .complete)
        let span = try rig.span(rig.files)
        #expect(abs(span.from - 5) < 0.1 && abs(span.to - 25) < 0.1, "\(span)")
    }

    @Test("A file that a user unprotects stays unprotected while its recording continues") func unprotected() throws {
        let rig = try Self.rig()
        var station = try Self.station()
        station.files.segment = .period(.seconds(20))
        rig.apply(try rig.configuration([station]), for: 5)
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        rig.run(30)
        let first = try #require(rig.files.filter { $0.hasSuffix(".mp3") }.min())
        var sidecar = try Self.sidecar(rig, first)
        #expect(sidecar.isProtected)
        sidecar.isProtected = false
        try rig.folder.write("recordings/\(first.dropLast(4)).json", String(decoding: sidecar.encoded, as: UTF8.self))
        rig.run(60)
        let files = rig.files.sorted()
        #expect(files.count >= 3 && files.allSatisfy { $0.hasSuffix(".mp3") }, "\(files)")
        #expect(try files.map { try Self.sidecar(rig, $0).isProtected } == files.map { $0 != first })
    }

    @Test("Retention leaves a manual recording alone") func retention() throws {
        let rig = try Self.rig()
        var station = try Self.station()
        station.record = .always
        station.files.segment = .period(.seconds(20))
        var configuration = try rig.configuration([station])
        configuration.stations[0].files.keep.last = 1
        try rig.beginWithCatalog(configuration)
        rig.run(5)
        _ = try #require(rig.daemon.record("fip", for: .seconds(15)))
        rig.live(400, step: 50)
        let files = rig.files.filter { $0.hasSuffix(".mp3") }
        let isProtected = try files.map { try Self.sidecar(rig, $0).isProtected }
        #expect(isProtected.count { $0 } >= 1 && isProtected.count < 10, "\(files)")
        #expect(try rig.span([try #require(files.first { try Self.sidecar(rig, $0).isProtected })]).to < 21)
    }
}
