// SPDX-License-Identifier: MIT

import Catalog
import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// The file of manual recordings in the state folder, from which the next run continues them.
struct ManualRecordingsFileTests {
    private static let start = WallInstant(nanoseconds: 1_800_000_900_000_000_000)
    private static let clock = ClockReading(wall: start, now: MonotonicInstant(nanoseconds: 5_000_000_000))

    private static func time(_ seconds: Double) -> JSONValue {
        .string(CivilTime(start + .seconds(seconds), utcOffset: 0).rfc3339)
    }

    /// For each recording in the file, its span and the beginnings of its parts, in seconds from the beginning of this
    /// run.
    private static func spans(_ json: JSONValue) -> [[ClosedRange<Double>]] {
        ManualRecordings(json: json, clock).all.map { recording in
            ([recording.span] + (recording.parts.map { $0.start..<$0.start })).map {
                ($0.lowerBound - clock.now).inSeconds...($0.upperBound - clock.now).inSeconds
            }
        }
    }

    @Test("A recording that cannot be noted is reported, and is noted once that is possible") func failedWrite() throws
    {
        // The station is unavailable. So nothing is recorded, and nothing else has to be noted meanwhile.
        let rig = try DaemonRig(["fip": DaemonRig.script([.init(.seconds(0), for: .seconds(900), .gone)])])
        try rig.beginWithCatalog(try rig.configuration([DaemonRig.station("fip")]))
        // A folder in the place of the draft makes each write fail.
        try rig.folder.make("state/\(ManualRecordings.fileName).new")
        #expect(rig.daemon.record("fip", for: .seconds(100)) != nil)
        let isSaid = rig.reactor.pump {
            rig.events.contains { if case .notRemembered = $0 { true } else { false } }
        }
        #expect(isSaid && !rig.folder.names(in: "state").contains(ManualRecordings.fileName))
        #expect(rmdir(rig.folder.file("state/\(ManualRecordings.fileName).new")) == 0)
        rig.run(20)
        #expect(rig.reactor.pump { rig.folder.names(in: "state").contains(ManualRecordings.fileName) })
    }

    @Test("The time between two runs is what the clock says, unless it was not set or was set back")
    func timeBetweenRuns() throws {
        func file(_ written: JSONValue) -> JSONValue {
            let recording: JSONValue = [
                "number": 7, "station": "fip", "from": Self.time(-60), "until": Self.time(40),
                "parts": [["id": "a", "from": Self.time(-50)]],
            ]
            return ["at": written, "recordings": .array([recording])]
        }
        #expect(Self.spans(file(Self.time(-30))) == [[-60...40, -50 ... -50]])
        // The clock now shows a time earlier than that of writing, or one that cannot be compared with it.
        #expect(Self.spans(file(Self.time(20))) == [[-80...20, -70 ... -70]])
        let early: JSONValue = [
            "at": "1970-01-01T00:01:00Z",
            "recordings": .array([
                [
                    "number": 1, "station": "fip", "from": "1970-01-01T00:00:30Z", "until": "1970-01-01T00:02:30Z",
                    "parts": [["id": "a", "from": "1970-01-01T00:00:40Z"]],
                ]
            ]),
        ]
        #expect(Self.spans(early) == [[-30...90, -20 ... -20]])
        // This recording was over long ago.
        let old = Self.spans(["at": Self.time(-9_000), "recordings": .array([recording(from: -9_000, until: -8_000)])])
        #expect(old == [[-1_000...0]])
    }

    @Test("E7: Manual recordings that are over and not judged yet survive a clock that is not set")
    func overWithoutClock() throws {
        let over: JSONValue = [
            "number": 7, "station": "fip", "from": Self.time(-90), "until": Self.time(-30),
            "parts": [["id": "a", "from": Self.time(-80)]],
        ]
        let file: JSONValue = ["at": Self.time(-20), "over": [over]]
        let unset = ClockReading(wall: WallInstant(nanoseconds: 60_000_000_000), now: Self.clock.now)
        func spans(_ recordings: ManualRecordings, _ clock: ClockReading) -> [ClosedRange<Double>] {
            recordings.over.map {
                ($0.span.lowerBound - clock.now).inSeconds...($0.span.upperBound - clock.now).inSeconds
            }
        }
        // With the right clock, 20 seconds have passed; without one, nobody knows.
        #expect(spans(ManualRecordings(json: file, Self.clock), Self.clock) == [-90 ... -30])
        let kept = ManualRecordings(json: file, unset)
        #expect(spans(kept, unset) == [-70 ... -10])
        // Such a run writes the file with times of 1970.
        let again = ManualRecordings(json: kept.json(unset), Self.clock)
        #expect(spans(again, Self.clock) == [-70 ... -10] && again.over.first?.parts.map(\.id) == ["a"])
    }

    private func recording(number: Int64 = 1, from: Double, until: Double) -> JSONValue {
        [
            "number": .integer(number), "station": "fip", "from": Self.time(from), "until": Self.time(until),
        ]
    }

    @Test("A nonsensical file does no harm") func nonsense() throws {
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
                "parts": .array([
                    .null, 7, ["id": 7], ["id": "../x", "from": "2261-12-31T23:59:59Z"], ["id": "a", "from": "x"],
                ]),
            ],
            recording(number: 3, from: 0, until: 9),
        ]
        for written in [JSONValue.null, Self.time(0), "1678-01-01T00:00:00Z", "2261-12-31T23:59:59Z", 7] {
            let recordings = ManualRecordings(json: ["at": written, "recordings": .array(far)], Self.clock)
            #expect(recordings.all.map(\.number) == [1, 2, 3])
            for recording in recordings.all {
                #expect(recording.span.upperBound >= Self.clock.now)
                #expect(recording.span.upperBound - recording.span.lowerBound <= ManualRecording.longest)
                for part in recording.parts {
                    #expect((recording.span.lowerBound...recording.span.upperBound).contains(part.start))
                }
                #expect(recording.result(CatalogCoverage(), in: "", Self.clock).verdict == .missed)
            }
            #expect(recordings.json(Self.clock)["recordings"]?.arrayValue?.count == 3)
        }
        let many = (1...2_000).map { recording(number: $0, from: 0, until: 9) }
        #expect(Self.spans(["recordings": .array(many)]).count == ManualRecordings.most)
    }
}
