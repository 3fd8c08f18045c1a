// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

@testable import aircheck

/// What `aircheck status` prints.
struct StatusTableTests {
    /// The header, and a line for each station.
    private static func table(stations: Int) -> [String] {
        let stations: [JSONValue] = (0..<stations).map { ["id": .string("station\($0)"), "state_text": "live"] }
        return StatusTable.lines(["stations": .array(stations)], width: 80)
    }

    private static func place(of words: String, in line: String) -> Int? {
        line.firstRange(of: words).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }

    @Test func `each station has its rate, listeners, recordings, gaps, title, and last error`() {
        let away: JSONValue = [
            "id": "nova", "state_text": "trying again in 5 s", "gaps": 0, "listeners": .null, "title": .null,
            "recordings": [
                ["kind": "show", "show": "jazz", "show_name": "Jazz Hour", "elapsed": 0],
                ["kind": "manual", "number": 3, "elapsed": 59.5],
            ],
            "last_error": ["message": "the station refused\u{1B} the connection", "ago": 42.7],
        ]
        let live: JSONValue = [
            "id": "fip", "state_text": "on air", "kbps": 128, "listeners": 2, "gaps": 3, "gap_seconds": 75.5,
            "title": "Miles Davis - So What", "recordings": [["kind": "log", "elapsed": 3_723]],
            "last_error": ["message": "the station closed the connection", "ago": 7_500],
        ]
        let idle: JSONValue = [
            "id": "jazz", "state_text": "not needed now", "gaps": 0, "listeners": 0, "recordings": [],
            "last_error": .null,
        ]
        let lines = StatusTable.lines(["stations": [live, away, idle]], width: .max)
        let columns = lines.map { line in line.split(separator: #/  +/#).map(String.init) }
        #expect(
            columns == [
                ["STATION", "STATE", "RATE", "LISTENERS", "RECORDING", "GAPS", "TITLE", "LAST ERROR"],
                [
                    "fip", "on air", "128 kbit/s", "2", "always 1:02:03", "3 (1 min 15 s)", "Miles Davis - So What",
                    "2 h ago: the station closed the connection",
                ],
                [
                    "nova", "trying again in 5 s", "–", "Jazz Hour (waits), no. 3 0:59", "0",
                    "42 s ago: the station refused the connection",
                ],
                ["jazz", "not needed now", "0", "–", "0"],
            ])
        // What a station does not have is left blank, and the rest stands below its head.
        #expect(Self.place(of: "LAST ERROR", in: lines[0]) == Self.place(of: "42 s ago", in: lines[2]))
    }

    @Test func `a recording that the disk refuses has a line of its own`() {
        let station: JSONValue = [
            "id": "fip", "state_text": "on air",
            "recordings": [["kind": "log", "elapsed": 5, "error": ["message": "the disk is full"]]],
        ]
        #expect(
            StatusTable.lines(["stations": [station]], width: .max).last == "fip: recording fails: the disk is full")
    }

    @Test func `a table that is taller than the window says how much is missing, and how to see it`() {
        let table = Self.table(stations: 30)
        #expect(StatusTable.fitting(table, height: 31, width: 80) == table)
        let shown = StatusTable.fitting(table, height: 24, width: 80)
        #expect(shown.count == 24 && shown.dropLast() == table.prefix(23))
        #expect(shown.last == "8 more lines: 'aircheck status --once' prints all")
        #expect(StatusTable.fitting(table, height: 1, width: 8).map(\.count) == [8])
    }
}
