// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import EventLoop
import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Daemon

/// Manual recordings across restarts of the daemon: what the file in the state folder says, and what is made of it.
struct ManualRestartTests {
    private static let broadcast = Broadcast([.music(.seconds(400))], MPEGShape(48))
    private static let frameLength = 1152.0 / 44_100
    /// The programme's time at the beginning of a test, in seconds.
    private static let onAir = 40.0
    private static let start = WallInstant(nanoseconds: 1_800_000_900_000_000_000)
    private static let clock = ClockReading(wall: start, now: MonotonicInstant(nanoseconds: 5_000_000_000))

    private static func begin(
        _ absences: [LiveScript.Absence] = []
    ) throws -> (rig: DaemonRig, configuration: Configuration) {
        var script = LiveScript(.stream(LiveStream(broadcast, burst: 24_000)))
        script.absences = absences
        let rig = try DaemonRig(["fip": script], at: start)
        let configuration = try rig.configuration([DaemonRig.station("fip")])
        try rig.openCatalog(configuration)
        rig.apply(configuration)
        rig.run(5)
        return (rig, configuration)
    }

    /// Starts a new daemon with the recordings of the last one.
    private static func resume(_ rig: DaemonRig, _ configuration: Configuration, _ json: JSONValue) throws {
        rig.restart()
        try rig.openCatalog(configuration)
        rig.apply(configuration)
        rig.daemon.resume(json)
    }

    /// The result of the recording after so many seconds, and once the catalog has answered.
    private static func result(_ rig: DaemonRig, after seconds: Double) throws -> ManualResult {
        for wait in [seconds, 15, 15] {
            rig.run(wait)
            guard rig.waitForCatalog() else { throw SetupError("the catalog is not done") }
        }
        return try #require(rig.manualResults[1])
    }

    /// When a file begins and ends, in seconds since the beginning; it has every frame in between once.
    private static func span(_ rig: DaemonRig, _ name: String) throws -> (from: Double, to: Double) {
        let places = try #require(broadcast.stretch(of: try rig.audio(name), startingAt: broadcast.starts), "\(name)")
        return (Double(places.lowerBound) * frameLength - onAir, Double(places.upperBound) * frameLength - onAir)
    }

    private static func time(_ seconds: Double) -> JSONValue {
        .string(CivilTime(start + .seconds(seconds), utcOffset: 0).rfc3339)
    }

    /// The spans of the recordings in a file, and their first audio, in seconds from the beginning of this run.
    private static func spans(_ json: JSONValue) -> [[ClosedRange<Double>]] {
        ManualRecordings(json: json, clock).all.map { recording in
            ([recording.span] + (recording.firstAudio.map { [$0..<$0] } ?? [])).map {
                ($0.lowerBound - clock.now).inSeconds...($0.upperBound - clock.now).inSeconds
            }
        }
    }

    @Test func `what somebody has asked for outlives a restart`() throws {
        let (rig, configuration) = try Self.begin()
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        let over = try #require(rig.daemon.record("fip", for: .seconds(20)))
        #expect(rig.daemon.endRecording(over.number))
        rig.run(20)
        rig.daemon.stop()
        rig.run(1)
        let json = try rig.manualFile()
        #expect(ManualRecordings(json: json, rig.reactor.clock).all.map(\.number) == [1])
        try Self.resume(rig, configuration, json)
        let result = try Self.result(rig, after: 60)
        #expect(rig.files.filter { $0.hasSuffix(".mp3") }.count == rig.files.count)
        let spans = try rig.files.map { try Self.span(rig, $0) }
        #expect(spans.contains { abs($0.to - 65) < 0.2 && $0.from < 28 }, "\(spans)")
        // The burst of the new connection reaches back over the second between both.
        #expect(result.verdict == .complete, "\(result)")
        #expect(
            result.recordings.count == 2
                && result.files.compactMap { $0.split(separator: "/").last } == rig.files.map { $0[...] })
    }

    @Test func `a recording goes on where it stopped if the clock is set back while no daemon runs`() throws {
        let (rig, configuration) = try Self.begin()
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        rig.run(20)
        rig.daemon.stop()
        rig.run(1)
        let json = try rig.manualFile()
        rig.reactor.stepWall(to: rig.reactor.wallNow - .seconds(3_600))
        try Self.resume(rig, configuration, json)
        let result = try Self.result(rig, after: 60)
        let spans = try rig.files.map { try Self.span(rig, $0) }
        // 20 of the 60 seconds are over.
        #expect(spans.contains { abs($0.to - 66) < 0.2 }, "\(spans)")
        #expect(result.verdict == .complete, "\(result)")
    }

    @Test func `a recording that ends while no daemon runs is reported by the next one`() throws {
        let (rig, configuration) = try Self.begin()
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        rig.run(20)
        rig.daemon.stop()
        rig.run(1)
        let json = try rig.manualFile()
        rig.run(100)
        try Self.resume(rig, configuration, json)
        let result = try Self.result(rig, after: 1)
        #expect(result.verdict == .incomplete && abs(result.lost.inSeconds - 40) < 1, "\(result)")
        #expect(result.recordings.count == 1 && result.files.count == 1)
    }

    @Test func `what is missing of a recording is said although the daemon was killed after that`() throws {
        let (rig, configuration) = try Self.begin([.init(.seconds(30), for: .seconds(20), .gone)])
        _ = try #require(rig.daemon.record("fip", for: .seconds(200)))
        rig.run(150)
        // A file is noted each minute. The recording is still under way then.
        let json = try rig.manualFile()
        rig.daemon.stop()
        rig.run(1)
        try Self.resume(rig, configuration, json)
        let result = try Self.result(rig, after: 60)
        // The burst brings back four seconds.
        #expect(result.verdict == .incomplete && (14.0...21).contains(result.lost.inSeconds), "\(result)")
        #expect(result.recordings.count == 2 && result.files.count == 2)
    }

    @Test func `the file is written anew each minute, because a crash gives no notice`() throws {
        let (rig, _) = try Self.begin()
        _ = try #require(rig.daemon.record("fip", for: .seconds(300)))
        rig.run(150)
        let recordings = ManualRecordings(json: try rig.manualFile(), rig.reactor.clock)
        let recording = try #require(recordings.all.first)
        let passed = (rig.reactor.now - recording.span.lowerBound).inSeconds
        #expect(abs(passed - 150) < 0.1, "\(passed)")
        #expect(try #require(recording.firstAudio) - recording.span.lowerBound < .seconds(0.1))
        #expect(recording.earlier.count == 1)
        let written = try #require(try rig.manualFile()["at"]?.stringValue.flatMap(CivilTime.init(rfc3339:)))
        #expect((rig.reactor.wallNow - written.instant).inSeconds < 61)
    }

    @Test(arguments: [20.0, 60])
    func `a hole in a day is told from a clock that drifts`(short: Double) {
        let span = Self.clock.now..<Self.clock.now + .seconds(86_400)
        let recording = ManualRecording(number: 1, station: "fip", span: span, earlier: ["a"])
        var coverage = CatalogCoverage()
        let file = CatalogFile(recording: "a", path: ["a.mp3"])
        coverage.files = [.init(file, at: 0, audio: Int64((86_400 - short) * 1_000))]
        let result = ManualResult(recording, coverage, in: "/recordings")
        #expect(result.verdict == (short < 26 ? .complete : .incomplete))
        #expect(result.lost == .seconds(short < 26 ? 0 : 60) && result.files == ["/recordings/a.mp3"])
    }

    @Test func `a step of the clock is noted at once`() throws {
        let (rig, _) = try Self.begin()
        _ = try #require(rig.daemon.record("fip", for: .seconds(300)))
        rig.run(10)
        rig.stepClock(by: .seconds(3_600))
        let recordings = ManualRecordings(json: try rig.manualFile(), rig.reactor.clock)
        let recording = try #require(recordings.all.first)
        #expect(abs((rig.reactor.now - recording.span.lowerBound).inSeconds - 10) < 0.1)
    }

    @Test func `time passes between two runs as the clock says, unless it was not set`() throws {
        func file(_ written: JSONValue) -> JSONValue {
            let recording: JSONValue = [
                "number": 7, "station": "fip", "from": Self.time(-60), "until": Self.time(40),
                "first_audio": Self.time(-50),
            ]
            return ["at": written, "recordings": .array([recording])]
        }
        #expect(Self.spans(file(Self.time(-30))) == [[-60...40, -50 ... -50]])
        // Now is earlier than the time of writing, or not to be compared with it.
        #expect(Self.spans(file(Self.time(20))) == [[-80...20, -70 ... -70]])
        let early: JSONValue = [
            "at": "1970-01-01T00:01:00Z",
            "recordings": .array([
                [
                    "number": 1, "station": "fip", "from": "1970-01-01T00:00:30Z", "until": "1970-01-01T00:02:30Z",
                    "first_audio": "1970-01-01T00:00:40Z",
                ]
            ]),
        ]
        #expect(Self.spans(early) == [[-30...90, -20 ... -20]])
        // Long over.
        let old = Self.spans(["at": Self.time(-9_000), "recordings": .array([recording(from: -9_000, until: -8_000)])])
        #expect(old == [[-1_000...0]])
    }

    private func recording(number: Int64 = 1, from: Double, until: Double) -> JSONValue {
        [
            "number": .integer(number), "station": "fip", "from": Self.time(from), "until": Self.time(until),
        ]
    }

    @Test func `a file that makes no sense harms nothing`() throws {
        let odd: [JSONValue] = [
            .null, ["station": "x"], recording(from: 10, until: 10), recording(from: 10, until: 0),
            recording(number: 0, from: 0, until: 9), recording(number: .max, from: 0, until: 9),
            recording(from: 0, until: 32 * 86_400),
            ["number": 2, "station": "fip", "from": "1678-01-01T00:00:00Z", "until": "2261-12-31T23:59:59Z"],
        ]
        #expect(Self.spans(["recordings": .array(odd)]).isEmpty && Self.spans(.null).isEmpty)
        let far: [JSONValue] = [
            ["number": 1, "station": "fip", "from": "2261-12-31T23:00:00Z", "until": "2261-12-31T23:59:59Z"],
            ["number": 2, "station": "fip", "from": "1678-01-01T00:00:00Z", "until": "1678-01-02T00:00:00Z"],
            [
                "number": 3, "station": "fip", "from": Self.time(-10), "until": Self.time(10),
                "first_audio": "2261-12-31T23:59:59Z", "recordings": .array([.null, 7, "../x", "a", "a"]),
            ],
            recording(number: 3, from: 0, until: 9),
        ]
        for written in [JSONValue.null, Self.time(0), "1678-01-01T00:00:00Z", "2261-12-31T23:59:59Z", 7] {
            let recordings = ManualRecordings(json: ["at": written, "recordings": .array(far)], Self.clock)
            #expect(recordings.all.map(\.number) == [1, 2, 3])
            for recording in recordings.all {
                #expect(recording.span.upperBound >= Self.clock.now)
                #expect(recording.span.upperBound - recording.span.lowerBound <= ManualRecording.longest)
                if let first = recording.firstAudio {
                    #expect((recording.span.lowerBound...recording.span.upperBound).contains(first))
                }
                #expect(ManualResult(recording, CatalogCoverage(), in: "").verdict == .missed)
            }
            #expect(recordings.json(Self.clock)["recordings"]?.arrayValue?.count == 3)
        }
        let many = (1...2_000).map { recording(number: $0, from: 0, until: 9) }
        #expect(Self.spans(["recordings": .array(many)]).count == ManualRecordings.most)
    }
}
