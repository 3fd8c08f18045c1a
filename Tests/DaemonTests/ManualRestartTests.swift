// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import EventLoop
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// Manual recordings across restarts of the daemon.
struct ManualRestartTests {
    private static let start = WallInstant(nanoseconds: 1_800_000_900_000_000_000)

    private static func begin(
        _ absences: [LiveScript.Absence] = []
    ) throws -> (rig: DaemonRig, configuration: Configuration) {
        let rig = try DaemonRig(["fip": DaemonRig.script(absences)], at: start)
        let configuration = try rig.configuration([DaemonRig.station("fip")])
        try rig.beginWithCatalog(configuration)
        rig.run(5)
        return (rig, configuration)
    }

    /// Stops the daemon, and returns the file of manual recordings that it leaves for the next daemon.
    private static func stop(_ rig: DaemonRig) throws -> JSONValue {
        rig.daemon.stop()
        rig.run(1)
        return try rig.manualFile()
    }

    /// Starts a new daemon with the recordings of the last one.
    private static func resume(_ rig: DaemonRig, _ configuration: Configuration, _ json: JSONValue) throws {
        rig.restart()
        try rig.beginWithCatalog(configuration, after: rig.earlier(ManualRecordings.fileName, json))
    }

    /// Lets these seconds pass, and waits for the catalog's answer. Returns the result of the recording.
    private static func result(_ rig: DaemonRig, after seconds: Double) throws -> RecordingResult {
        for wait in [seconds, 15, 15] {
            rig.run(wait)
            guard rig.waitForCatalog() else { throw SetupError("the catalog is not done") }
        }
        return try #require(rig.manualResults[1])
    }

    @Test("A manual recording survives a restart") func restart() throws {
        let (rig, configuration) = try Self.begin()
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        let over = try #require(rig.daemon.record("fip", for: .seconds(20)))
        #expect(rig.daemon.endRecording(over.number))
        rig.run(20)
        let json = try Self.stop(rig)
        #expect(ManualRecordings(json: json, rig.reactor.readClocks()).all.map(\.number) == [1])
        try Self.resume(rig, configuration, json)
        let result = try Self.result(rig, after: 60)
        #expect(rig.files.filter { $0.hasSuffix(".mp3") }.count == rig.files.count)
        let spans = try rig.files.map { try rig.span($0) }
        #expect(spans.contains { abs($0.to - 65) < 0.2 && $0.from < 28 }, "\(spans)")
        // The burst of the new connection covers the second between both parts.
        #expect(result.verdict == .complete, "\(result)")
        #expect(
            result.recordings.count == 2
                && result.files.compactMap { $0.split(separator: "/").last } == rig.files.map { $0[...] })
    }

    @Test("I2: A manual recording continues none of an earlier run that had the same number") func sameNumber() throws {
        let (rig, configuration) = try Self.begin()
        _ = try #require(rig.daemon.record("fip", for: .seconds(10)))
        rig.live(30)
        rig.restart(away: 2)
        try rig.startAgain(configuration, for: 20)
        _ = try #require(rig.daemon.record("fip", for: .seconds(10)))
        rig.live(30)
        let sidecars = try rig.sidecars().values
        #expect(sidecars.count == 2 && sidecars.allSatisfy { $0.continues == nil && $0.gaps.isEmpty }, "\(sidecars)")
    }

    @Test("A recording resumes where it stopped if the clock is set back while no daemon runs")
    func clockSetBack() throws {
        let (rig, configuration) = try Self.begin()
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        rig.run(20)
        let json = try Self.stop(rig)
        rig.reactor.stepWall(to: rig.reactor.wallNow - .seconds(3_600))
        try Self.resume(rig, configuration, json)
        let result = try Self.result(rig, after: 60)
        let spans = try rig.files.map { try rig.span($0) }
        // 20 of the 60 seconds were over when the daemon stopped.
        #expect(spans.contains { abs($0.to - 66) < 0.2 }, "\(spans)")
        #expect(result.verdict == .complete, "\(result)")
    }

    @Test("A recording that ends while no daemon runs is reported by the next one") func endedBetweenRuns() throws {
        let (rig, configuration) = try Self.begin()
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        rig.run(20)
        let json = try Self.stop(rig)
        rig.run(100)
        try Self.resume(rig, configuration, json)
        let result = try Self.result(rig, after: 1)
        #expect(result.verdict == .incomplete && abs(result.lost.inSeconds - 40) < 1, "\(result)")
        #expect(result.recordings.count == 1 && result.files.count == 1)
    }

    @Test("A recording whose station is no longer configured after a restart is reported")
    func unconfiguredStation() throws {
        let (rig, configuration) = try Self.begin()
        _ = try #require(rig.daemon.record("fip", for: .seconds(600)))
        rig.run(20)
        let json = try Self.stop(rig)
        var without = configuration
        without.stations = []
        try Self.resume(rig, without, json)
        let result = try Self.result(rig, after: 1)
        #expect(result.verdict == .incomplete && abs(result.lost.inSeconds - 580) < 1, "\(result)")
        #expect(result.recordings.count == 1 && result.files.count == 1)
    }

    @Test("What was missing of a recording before the daemon was killed is reported by the next one")
    func missingBeforeKill() throws {
        let (rig, configuration) = try Self.begin([.init(.seconds(30), for: .seconds(20), .gone)])
        _ = try #require(rig.daemon.record("fip", for: .seconds(200)))
        rig.run(150)
        // This is what a kill would leave: the file is written once a minute, and the recording is under way.
        let json = try rig.manualFile()
        rig.daemon.stop()
        rig.run(1)
        try Self.resume(rig, configuration, json)
        let result = try Self.result(rig, after: 60)
        // The burst brings back four seconds.
        #expect(result.verdict == .incomplete && (14.0...21).contains(result.lost.inSeconds), "\(result)")
        #expect(result.recordings.count == 2 && result.files.count == 2)
    }

    @Test("The file is written anew each minute, because a crash gives no notice") func everyMinute() throws {
        let (rig, _) = try Self.begin()
        _ = try #require(rig.daemon.record("fip", for: .seconds(300)))
        rig.run(150)
        let recordings = ManualRecordings(json: try rig.manualFile(), rig.reactor.readClocks())
        let recording = try #require(recordings.all.first)
        let passed = (rig.reactor.now - recording.span.lowerBound).inSeconds
        #expect(abs(passed - 150) < 0.1, "\(passed)")
        #expect(recording.parts.count == 1 && recording.catalogedParts.count == 1)
        #expect(try #require(recording.parts.first).start - recording.span.lowerBound < .seconds(0.1))
        let written = try #require(try rig.manualFile()["at"]?.stringValue.flatMap(CivilTime.init(rfc3339:)))
        #expect((rig.reactor.wallNow - written.instant).inSeconds < 61)
    }

    @Test("A step of the clock is noted at once") func clockStep() throws {
        let (rig, _) = try Self.begin()
        _ = try #require(rig.daemon.record("fip", for: .seconds(300)))
        rig.run(10)
        rig.stepClock(by: .seconds(3_600))
        let recordings = ManualRecordings(json: try rig.manualFile(), rig.reactor.readClocks())
        let recording = try #require(recordings.all.first)
        #expect(abs((rig.reactor.now - recording.span.lowerBound).inSeconds - 10) < 0.1)
    }
}
