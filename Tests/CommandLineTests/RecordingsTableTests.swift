// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Testing

@testable import aircheck

/// What `aircheck recordings list` prints.
struct RecordingsTableTests {
    private static func row(began: String) -> String {
        row(["id": "4f1c", "station": "fip", "began": .string(began), "state": "complete"])
    }

    private static func row(_ recording: JSONValue) -> String {
        RecordingsTable.lines(
            ["recordings": .array([recording])], in: FixedZone(offset: 3_600, identifier: "here")
        ).last ?? ""
    }

    @Test("A title that spans two files of a recording is shown once") func spanningTitle() {
        let title = { (at: String, text: String) -> JSONValue in ["at": .string(at), "text": .string(text)] }
        let lines = RecordingText.lines([
            "recording": [:],
            "titles": [
                title("2026-11-26T20:00:00Z", "Ann - One"), title("2026-11-26T20:03:00Z", "Bob - Two"),
                title("2026-11-26T20:05:00Z", "Bob - Two"), title("2026-11-26T20:07:00Z", "Ann - One"),
            ],
        ])
        let titles = lines.drop { $0 != "titles:" }.dropFirst()
        #expect(
            titles.map { $0.split(separator: " ").suffix(3).joined(separator: " ") } == [
                "Ann - One", "Bob - Two", "Ann - One",
            ])
    }

    @Test("The beginning is shown on the show's clock, with the offset if it differs from the reader's")
    func beginning() {
        #expect(Self.row(began: "2026-11-24T20:15:00.000+01:00").contains("2026-11-24 20:15  "))
        #expect(Self.row(began: "2026-11-24T14:15:00.000-05:00").contains("2026-11-24 14:15 -05:00  "))
        #expect(Self.row(began: "2026-11-24T19:15:00.000Z").contains("2026-11-24 19:15 UTC  "))
    }

    @Test("A first frame just before the full minute is shown as that minute") func roundedMinute() {
        #expect(Self.row(began: "2026-11-24T23:59:59.976+01:00").contains("2026-11-25 00:00  "))
        #expect(Self.row(began: "2026-11-24T20:14:59.400+01:00").contains("2026-11-24 20:14  "))
    }

    @Test(
        "A recording that continues another one says so, with the time missing or doubled between them",
        arguments: [
            (-2.1, "continues 4f1c (overlap of 2.1 s)"), (0.41, "continues 4f1c (pause of 0.4 s)"),
            (12, "continues 4f1c (pause of 12 s)"), (0.02, "continues 4f1c"),
        ])
    func continuation(seconds: Double, note: String) {
        let row = Self.row([
            "id": "77aa", "state": "complete", "continues": "4f1c", "continues_after_seconds": .number(seconds),
        ])
        #expect(row.hasSuffix(note), "\(row)")
    }

    @Test("A recording that began after its show says how much later") func lateBeginning() {
        let row = Self.row(["id": "77aa", "state": "complete", "late_seconds": 200, "gaps": 1])
        #expect(row.contains("3 min 20 s late, 1 gap"), "\(row)")
        #expect(Self.row(["id": "77aa", "state": "growing", "late_seconds": 4.25]).hasSuffix("under way, 4.2 s late"))
        #expect(!Self.row(["id": "77aa", "state": "complete", "late_seconds": .null]).contains("late"))
    }

    @Test("The length of gaps is listed if it is known") func gaps() {
        let recording: JSONObject = ["id": "77aa", "state": "complete", "gaps": 1]
        func row(_ missing: JSONValue) -> String {
            var recording = recording
            recording.append("missing_seconds", missing)
            return Self.row(.object(recording))
        }
        #expect(row(12.5).hasSuffix("  1 gap (12 s)") && row(0).hasSuffix("  1 gap"), "\(row(0))")
    }

    @Test("A recording that ended before its show says how much earlier") func earlyEnd() {
        let row = Self.row(["id": "77aa", "state": "complete", "early_seconds": 720.5, "gaps": 1])
        #expect(row.contains("ended early (12 min before the show's end), 1 gap"), "\(row)")
        #expect(!Self.row(["id": "77aa", "state": "complete", "early_seconds": .null]).contains("early"))
    }
}

/// What `aircheck recordings show` prints.
struct RecordingTextTests {
    /// The lines that `show` prints for two files, the second of which is growing. `state` is the state of the
    /// recording.
    private static func files(_ state: JSONValue) -> [String] {
        let answer: JSONValue = [
            "recording": ["id": "4f1c", "state": state], "folder": "/radio",
            "files": [
                ["path": "one.mp3", "state": "complete", "seconds": 3_600, "bytes": 57_600_000],
                ["path": "two.mp3.part", "state": "growing", "seconds": 0, "bytes": 1_000],
            ],
        ]
        return Array(RecordingText.lines(answer).drop { $0 != "in /radio:" }.dropFirst())
    }

    @Test("A growing file is listed with its length and size so far") func growingFile() {
        #expect(Self.files("growing") == ["  one.mp3  1:00:00, 57.6 MB", "  two.mp3.part  0:00, 1 kB, under way"])
    }

    @Test("Copies are listed behind the files, with the file that counts") func copies() {
        let answer: JSONValue = [
            "recording": ["id": "4f1c", "state": "complete"], "folder": "/radio",
            "files": [["path": "one.mp3", "state": "complete", "seconds": 3_600, "bytes": 57_600_000]],
            "copies": [["path": "sub/one.mp3", "original": "one.mp3"]],
        ]
        #expect(
            RecordingText.lines(answer).suffix(2) == [
                "  one.mp3  1:00:00, 57.6 MB", "  sub/one.mp3: a copy of one.mp3, which does not count",
            ])
    }

    @Test("An unfinished file that no longer grows is listed with its figures") func unfinishedFile() {
        #expect(Self.files("unfinished") == ["  one.mp3  1:00:00, 57.6 MB", "  two.mp3.part  0:00, 1 kB"])
    }
}

/// What `aircheck recordings search` prints.
struct TitlesTableTests {
    private static let title: JSONValue = [
        "at": "2026-11-24T20:15:00.000+01:00", "station_name": "FIP", "text": "Miles\u{1B} Davis - So What",
        "recording": "4f1c",
    ]

    @Test("Each title is listed with its time, station and recording") func titles() {
        let lines = TitlesTable.lines(["titles": [Self.title], "more": false])
        #expect(
            lines == [
                "ON AIR                         STATION  TITLE                  RECORDING",
                "2026-11-24T20:15:00.000+01:00  FIP      Miles Davis - So What  4f1c",
            ])
        #expect(TitlesTable.lines(["titles": [], "more": false]) == ["no title has these words"])
    }

    @Test("A list of titles that is cut off says so, and how to see the rest") func moreTitles() {
        let lines = TitlesTable.lines(["titles": [Self.title, Self.title], "more": true])
        #expect(lines.count == 4)
        #expect(
            lines.last == "there are more: these are the newest 2; --from, --until, --station and --show narrow the "
                + "search")
    }
}

/// What `aircheck recordings clean` prints.
struct RetentionListTests {
    private let wait =
        "keep-days does not delete any recording yet: Aircheck trusts this machine's clock only "
        + "once it has run steadily for a day"

    @Test("Files to be deleted are listed with reason and size, and with their total") func deletions() {
        let answer: JSONValue = [
            "age_has_to_wait": false,
            "deletions": [
                ["files": ["a/one", "a/two\n"], "reason": "age", "bytes": 3_000_000],
                ["files": ["b"], "reason": "space", "bytes": 1_000_000],
            ],
        ]
        #expect(
            RetentionList.lines(answer) == [
                "a/one (too old; 3.0 MB in 2 files)", "a/two (too old)", "b (less than free-space is free; 1.0 MB)",
                "3 files, 4.0 MB in all",
            ])
        #expect(RetentionList.lines(["deletions": []]) == ["nothing would be deleted now"])
    }

    @Test("While the rules about age do not apply yet, the first line says so") func ageWaits() {
        #expect(
            RetentionList.lines(["age_has_to_wait": true, "deletions": []]) == [wait, "nothing would be deleted now"])
        let answer: JSONValue = [
            "age_has_to_wait": true, "deletions": [["files": ["b"], "reason": "count", "bytes": 1_000_000]],
        ]
        #expect(RetentionList.lines(answer) == [wait, "b (too many; 1.0 MB)", "1 file, 1.0 MB in all"])
    }

    @Test("A forecast says how many files go and when, and why a floor deletes none") func forecast() {
        let none: JSONValue = ["files": 0, "bytes": 0, "waits_until": .null, "out_of_reach": false]
        #expect(RetentionList.forecast(none).isEmpty && RetentionList.forecast(.null).isEmpty)
        let some: JSONValue = [
            "files": 12, "bytes": 3_400_000_000, "waits_until": "2026-11-28T14:30:00.000+01:00",
            "out_of_reach": false,
        ]
        let lines = RetentionList.forecast(some)
        #expect(lines.count == 2 && lines[0].hasPrefix("12 files (3.4 GB) will be deleted"), "\(lines)")
        #expect(lines[0].contains("2026-11-28 14:30") && lines[0].contains("aircheck reload --now"))
        #expect(
            RetentionList.forecast(some, isApplied: false).first
                == "12 files (3.4 GB) will be deleted once a daemon uses this file")
        let floor: JSONValue = ["files": 0, "out_of_reach": true, "free_space": 500_000_000_000]
        #expect(RetentionList.forecast(floor).first?.contains("500.0 GB") == true)
    }
}

/// What `aircheck recordings verify --all` prints.
struct VerificationReportTests {
    @Test("A verification of all recordings is summed up, and its JSON has every file") func report() {
        var report = VerificationReport()
        report.add("a", [.init(paths: [["x.mp3"]], words: "fine", isRight: true)], listsFiles: true)
        #expect(report.summary == "1 recording in 1 file: all is well")
        report.add("b", [.init(paths: [["y.mp3"]], words: "the file is gone", isRight: false)], listsFiles: true)
        #expect(report.summary == "2 recordings in 2 files: something is wrong with 1 file")
        #expect(report.json["files_damaged"] == 1 && report.json["recordings_verified"] == 2)
        let last = report.json["recordings"]?.arrayValue?.last
        #expect(last?["ok"] == false && last?["files"]?.arrayValue?.first?["message"] == "the file is gone")
    }

    @Test("H21: A verification states the path of a file that is not UTF-8 so that it leads back to its bytes")
    func rawBytes() {
        let path = PathText.text(of: [0x61, 0xFC])
        var report = VerificationReport()
        report.add("a", [.init(paths: [[path, "x.mp3"]], words: "fine", isRight: true)], listsFiles: true)
        let recording = report.json["recordings"]?.arrayValue?.first
        #expect(recording?["files"]?.arrayValue?.first?["path"] == .string("\(path)/x.mp3"))
        #expect(recording?["raw_bytes"] == .string(PathText.note))
    }
}
