// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore
import RadioFormats
import Testing

@testable import aircheck

/// Broadcasts of shows as `aircheck recordings` lists and exports them, and the files of recordings.
struct BroadcastTests {
    private static func recording(_ id: String, began: String, from: String, continues: String? = nil) -> JSONValue {
        [
            "id": .string(id), "began": .string(began), "from": .string(from),
            "continues": continues.map(JSONValue.string) ?? .null,
        ]
    }

    @Test("A broadcast is listed with its result, what is missing, when and why") func table() {
        let lines = BroadcastsTable.lines(
            [
                "shows": .array([
                    [
                        "station": "fip", "name": "Jazz", "from": "2026-11-27T20:00:00.000+01:00",
                        "result": "incomplete",
                        "missing_seconds": .number(75),
                        "missing": .array([
                            [
                                "from": "2026-11-27T20:10:00.000+01:00", "until": "2026-11-27T20:11:15.000+01:00",
                                "cause": "Aircheck was not running",
                            ]
                        ]),
                    ],
                    ["station": "fip", "name": "News", "from": "2026-11-27T19:00:00.000+01:00", "result": "complete"],
                ])
            ], in: FixedZone(offset: 3_600, identifier: "here"))
        #expect(lines.count == 3 && lines[1].hasPrefix("2026-11-27 20:00  fip"))
        let far = BroadcastsTable.lines(
            ["shows": .array([["name": "Jazz", "from": "2026-11-27T20:00:00.000+01:00"]])], in: FixedZone.utc)
        #expect(far.last?.hasPrefix("2026-11-27 20:00 +01:00  ") == true, "\(far)")
        #expect(lines[1].contains("20:10:00-20:11:15: Aircheck was not running"), "\(lines)")
        #expect(lines[1].contains("incomplete, 1 min 15 s missing"), "\(lines)")
        #expect(lines[2].contains("complete") && !lines[2].contains("missing"))
        #expect(BroadcastsTable.lines([:]) == ["no show has ended yet"])
    }

    @Test("The recordings of a broadcast follow each other, whatever the clock showed") func order() {
        let from = "2026-11-27T20:00:00.000+01:00"
        let recordings = [
            Self.recording("third", began: "2026-11-27T20:40:00Z", from: from, continues: "second"),
            Self.recording("second", began: "2026-11-27T20:09:30Z", from: from, continues: "first"),
            Self.recording("first", began: "2026-11-27T20:10:00Z", from: from),
        ]
        #expect(BroadcastRecordings.inOrder(recordings) == ["first", "second", "third"])
        // Nonsense ends, too.
        let circle = [
            Self.recording("a", began: "1", from: from, continues: "b"),
            Self.recording("b", began: "2", from: from, continues: "a"),
        ]
        #expect(Set(BroadcastRecordings.inOrder(circle)) == ["a", "b"])
    }

    @Test("Of several broadcasts of a day, the one that is on at a time is meant") func starts() throws {
        func recording(_ id: String, _ from: String, _ until: String, station: String = "fip") -> JSONValue {
            ["id": .string(id), "station": .string(station), "from": .string(from), "until": .string(until)]
        }
        // Each is recorded from two minutes before until five minutes after it.
        let night = recording("night", "2026-11-26T23:58:00.000-05:00", "2026-11-27T01:05:00.000-05:00")
        let seven = recording("seven", "2026-11-27T06:58:00.000-05:00", "2026-11-27T08:05:00.000-05:00")
        let rest = recording("rest", "2026-11-27T06:58:00.000-05:00", "2026-11-27T08:05:00.000-05:00")
        let eight = recording("eight", "2026-11-27T07:57:59.500-05:00", "2026-11-27T09:05:00.000-05:00")
        let date = try CalendarDate(parsing: "2026-11-27")
        func found(_ recordings: [JSONValue], _ start: String? = nil) throws -> [String?] {
            let start = try start.map(ArgumentValue.time)
            return try BroadcastRecordings.select(recordings, show: "x", date: date, start: start).map {
                $0["id"]?.stringValue
            }
        }
        let all = [eight, rest, seven, night]
        #expect(try found([night]) == ["night"] && found([rest, seven]) == ["rest", "seven"])
        #expect(try found(all, "00:00") == ["night"] && found(all, "07:00") == ["rest", "seven"])
        // A time after midnight, of a broadcast that begins before it.
        let late = recording("late", "2026-11-27T23:59:00.000-05:00", "2026-11-28T00:05:00.000-05:00")
        #expect(try found([late, night], "00:01") == ["night"] && found([late, seven], "00:01") == ["late"])
        #expect(try found(all, "08:00") == ["eight"] && found(all, "06:58") == ["rest", "seven"])
        func complaint(_ recordings: [JSONValue], _ start: String? = nil) -> String {
            do { return "\(try found(recordings, start))" } catch { return "\(error)" }
        }
        #expect(complaint(all).contains("several times on 2026-11-27: choose a broadcast with --start, "))
        #expect(complaint(all).contains("--start, 23:58 or 06:58 or 07:58"), "\(complaint(all))")
        #expect(complaint(all, "12:00").contains("not on at 12:00 on 2026-11-27: choose 23:58 or 06:58 or 07:58"))
        let other = recording("other", "2026-11-27T06:58:00.000-05:00", "", station: "nova")
        #expect(complaint([seven, other]).contains("choose one of fip, nova with --station"))
    }

    @Test("A file is listed with its own ID, on the days on which it was on air") func files() throws {
        let detail: JSONValue = [
            "recording": ["id": "4f1c", "station": "fip"],
            "files": .array([
                ["number": .integer(1), "at": "2026-11-26T23:00:00Z", "seconds": .number(3_599), "state": "complete"],
                ["number": .integer(2), "at": "2026-11-27T00:00:00Z", "seconds": .number(3_600), "state": "complete"],
                ["number": .integer(3), "at": "2026-11-27T01:00:00Z", "seconds": .number(0), "state": "growing"],
                ["number": .null, "at": "2026-11-26T23:30:00Z", "seconds": .number(9), "state": "complete"],
            ]),
        ]
        func ids(_ arguments: [String]) throws -> [String?] {
            let filter = try RecordingFilter.parse(arguments)
            return RecordedFileList.files(of: detail, filter, in: FixedZone.utc).map { $0["id"]?.stringValue }
        }
        #expect(try ids([]) == ["4f1c.1", "4f1c.2", "4f1c.3", "4f1c.0"])
        #expect(try ids(["--from", "2026-11-27"]) == ["4f1c.2", "4f1c.3"])
        #expect(try ids(["--until", "2026-11-27"]) == ["4f1c.1", "4f1c.0"])
        let lines = RecordedFileList.lines(RecordedFileList.files(of: detail, try .parse([]), in: FixedZone.utc))
        #expect(
            lines.count == 5 && lines[1].hasPrefix("4f1c.1  2026-11-26 23:00:00") && lines[3].hasSuffix("under way"))
    }

    @Test("An export names a recording, or a show and a day") func exportArguments() {
        for arguments in [
            [], ["--show", "x"], ["id", "--show", "x", "--date", "2026-11-27"], ["id", "--station", "a"],
            ["id", "--start", "07:00"], ["id", "--from", "25:00"], ["id", "--to", "2026-11-27"],
        ] {
            #expect(throws: (any Error).self) { try ExportRecording.parse(arguments + ["--output", "f"]) }
        }
        #expect(throws: Never.self) {
            try ExportRecording.parse(["id", "--output", "f", "--from", "20:15", "--to", "2026-11-24T20:15:30+01:00"])
        }
        #expect(throws: Never.self) {
            try ExportRecording.parse(["--show", "x", "--date", "2026-11-27", "--station", "a", "--output", "f"])
        }
    }
}
