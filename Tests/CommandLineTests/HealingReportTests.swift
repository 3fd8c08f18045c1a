// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing
import Words

@testable import Storage
@testable import aircheck

/// What `aircheck recordings heal` says.
struct HealingReportTests {
    private static func segment(_ name: String) -> LibrarySegment {
        var sidecar = Sidecar(.complete, frames: 1_000, bytes: 417_000)
        sidecar.recording = "r"
        return LibrarySegment(
            folders: ["FIP"], base: name, audio: .init(fileExtension: "mp3", bytes: 417_000, isPart: false),
            description: .sidecar(sidecar))
    }

    private static func finding(isWhole: Bool) throws -> HealingSearch.Finding {
        let frames = (0..<40).map { UInt64($0) }
        let match = try #require(
            GapMatch(
                before: Array(frames[..<10]), after: isWhole ? Array(frames[30...]) : [], in: frames, begins: 10,
                ends: 30, length: 35))
        return HealingSearch.Finding(
            segment: segment("a"),
            gap: .init(
                at: CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0), milliseconds: 2_000, cause: "", tried: [],
                position: 10),
            sources: [.init(segment: segment("b"), frames: 50..<70)], match: match, length: .milliseconds(1_500))
    }

    @Test("What was healed, could be healed or was not healed is one line and one object each")
    func words() throws {
        let (whole, part) = try (Self.finding(isWhole: true), Self.finding(isWhole: false))
        #expect(
            Wording.line(whole, .found)
                == "FIP/a.mp3: can be healed: 1.5 s at 1970-01-01T00:00:00.000Z from FIP/b.mp3")
        #expect(
            Wording.line(part, .healed)
                == "FIP/a.mp3: healed: 1.5 s at 1970-01-01T00:00:00.000Z from FIP/b.mp3; 0.5 s missing still")
        #expect(
            Wording.line(part, .failed(.changed))
                == "FIP/a.mp3: not healed: somebody has edited, replaced or moved it")
        var report = HealingReport()
        #expect(report.isEmpty && report.json["healed"]?.arrayValue == [])
        report.add(whole, .found)
        #expect(!report.hasHealed && !report.hasFailed)
        report.add(part, .healed)
        report.add(part, .failed(.inUse))
        #expect(report.hasHealed && report.hasFailed)
        let entries = try #require(report.json["healed"]?.arrayValue)
        #expect(entries.map { $0["state"]?.stringValue } == ["found", "healed", "failed"])
        #expect(entries[0]["path"] == "FIP/a.mp3" && entries[0]["from"] == "FIP/b.mp3" && entries[0]["frames"] == 20)
        #expect(entries[0]["rest_seconds"]?.doubleValue == 0 && entries[1]["rest_seconds"]?.doubleValue == 0.5)
        #expect(entries[2]["error"] == "a process is working on it")
        let settled = HealingReport(settled: [["a.mp3"]], unsettled: [["FIP", "b.mp3"]])
        #expect(!settled.isEmpty && settled.hasHealed && settled.json["unsettled"]?.arrayValue == ["FIP/b.mp3"])
        #expect(settled.lines.first == "a.mp3: its healing, which was interrupted, is settled")
    }
}
