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

    @Test func `the beginning is that of the show's own clock, and says so where the reader's differs`() {
        #expect(Self.row(began: "2026-11-24T20:15:00.000+01:00").contains("2026-11-24 20:15  "))
        #expect(Self.row(began: "2026-11-24T14:15:00.000-05:00").contains("2026-11-24 14:15 -05:00  "))
        #expect(Self.row(began: "2026-11-24T19:15:00.000Z").contains("2026-11-24 19:15 UTC  "))
    }

    @Test(arguments: [
        (-2.1, "continues 4f1c (2.1 s are in both)"), (0.41, "continues 4f1c (0.4 s between them)"),
        (12, "continues 4f1c (12 s between them)"), (0.02, "continues 4f1c"),
    ])
    func `what continues an interrupted recording says so, and what is missing or in both`(
        seconds: Double, note: String
    ) {
        let row = Self.row([
            "id": "77aa", "state": "complete", "continues": "4f1c", "continues_after_seconds": .number(seconds),
        ])
        #expect(row.hasSuffix(note), "\(row)")
    }
}
