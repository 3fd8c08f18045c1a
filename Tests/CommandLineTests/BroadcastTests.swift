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
        let lines = BroadcastsTable.lines([
            "shows": .array([
                [
                    "station": "fip", "name": "Jazz", "from": "2026-11-27T20:00:00.000+01:00", "result": "incomplete",
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
        ])
        #expect(lines.count == 3 && lines[1].hasPrefix("2026-11-27 20:00  fip"))
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
        #expect(Broadcast.inOrder(recordings) == ["first", "second", "third"])
        // Nonsense ends, too.
        let circle = [
            Self.recording("a", began: "1", from: from, continues: "b"),
            Self.recording("b", began: "2", from: from, continues: "a"),
        ]
        #expect(Set(Broadcast.inOrder(circle)) == ["a", "b"])
    }

    @Test("A broadcast of a day begins on that day, or shortly before midnight if it is recorded early") func day()
        throws
    {
        let night = Self.recording("night", began: "", from: "2026-11-26T23:58:00.000+01:00")
        let evening = Self.recording("evening", began: "", from: "2026-11-27T20:00:00.000-05:00")
        func found(_ recordings: [JSONValue], _ date: String) throws -> [String?] {
            Broadcast.select(recordings, try CalendarDate(parsing: date)).map { $0["id"]?.stringValue }
        }
        #expect(try found([night], "2026-11-27") == ["night"] && found([night], "2026-11-26") == ["night"])
        #expect(try found([evening], "2026-11-27") == ["evening"] && found([evening], "2026-11-28") == [])
        #expect(try found([night, evening], "2026-11-27") == ["evening"])
    }

    @Test("A file is listed with its own ID, on the days on which it was on air") func files() throws {
        let detail: JSONValue = [
            "recording": ["id": "4f1c", "station": "fip"],
            "files": .array([
                ["number": .integer(1), "at": "2026-11-26T23:00:00Z", "seconds": .number(3_599), "state": "complete"],
                ["number": .integer(2), "at": "2026-11-27T00:00:00Z", "seconds": .number(3_600), "state": "complete"],
                ["number": .integer(3), "at": "2026-11-27T01:00:00Z", "seconds": .number(0), "state": "growing"],
            ]),
        ]
        func ids(_ arguments: [String]) throws -> [String?] {
            let filter = try RecordingFilter.parse(arguments)
            return RecordedFileList.files(of: detail, filter, in: FixedZone.utc).map { $0["id"]?.stringValue }
        }
        #expect(try ids([]) == ["4f1c.1", "4f1c.2", "4f1c.3"])
        #expect(try ids(["--from", "2026-11-27"]) == ["4f1c.2", "4f1c.3"])
        #expect(try ids(["--until", "2026-11-27"]) == ["4f1c.1"])
        let lines = RecordedFileList.lines(RecordedFileList.files(of: detail, try .parse([]), in: FixedZone.utc))
        #expect(
            lines.count == 4 && lines[1].hasPrefix("4f1c.1  2026-11-26 23:00:00") && lines[3].hasSuffix("under way"))
    }

    @Test("An export names a recording, or a show and a day") func exportArguments() {
        for arguments in [
            [], ["--show", "x"], ["id", "--show", "x", "--date", "2026-11-27"], ["id", "--station", "a"],
        ] {
            #expect(throws: (any Error).self) { try ExportRecording.parse(arguments + ["--output", "f"]) }
        }
        #expect(throws: Never.self) { try ExportRecording.parse(["id", "--output", "f"]) }
        #expect(throws: Never.self) {
            try ExportRecording.parse(["--show", "x", "--date", "2026-11-27", "--station", "a", "--output", "f"])
        }
    }
}
