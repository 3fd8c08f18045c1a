// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

@testable import aircheck

/// What `aircheck status` prints.
struct StatusTableTests {
    /// The lines: the summary, the header, and one line for each station.
    private static func table(stations: Int) -> [String] {
        let stations: [JSONValue] = (0..<stations).map { ["id": .string("station\($0)"), "state": "live"] }
        return StatusTable.lines(["stations": .array(stations)], width: 80)
    }

    @Test("Each station is listed with its state, uses, gaps, title and rate, and its last error above") func stations()
    {
        let away: JSONValue = [
            "id": "nova", "state": "waiting", "retry_seconds": 5.2, "gaps": 0, "listeners": .null, "title": .null,
            "recordings": [
                ["kind": "show", "show": "jazz", "show_name": "Jazz Hour", "elapsed": 0],
                ["kind": "manual", "number": 3, "elapsed": 59.5],
            ],
            "last_error": ["message": "the station refused\u{1B} the connection", "ago": 42.7],
        ]
        let live: JSONValue = [
            "id": "fip", "state": "live", "retry_seconds": .null, "kbps": 128, "listeners": 2, "gaps": 3,
            "gap_seconds": 75.5,
            "behind_seconds": 24.2, "title": "Miles Davis - So What",
            "recordings": [["kind": "log", "elapsed": 3_723]],
            "last_error": ["message": "the station closed the connection", "ago": 7_500],
        ]
        let idle: JSONValue = [
            "id": "jazz", "state": "idle", "gaps": 2, "behind_seconds": 0.8, "gap_seconds": 0, "listeners": 0,
            "recordings": [],
            "last_error": .null,
        ]
        let lines = StatusTable.lines(["stations": [live, away, idle]], width: .max)
        let columns = lines.map { line in line.split(separator: #/  +/#).map(String.init) }
        #expect(
            columns == [
                ["3 stations, 1 live, 1 failing, 3 recordings, 2 listeners"],
                ["nova: 42 s ago: the station refused the connection"],
                ["fip: 2 h ago: the station closed the connection"],
                ["fip 24 s behind the air"],
                ["STATION", "STATE", "LISTENERS", "RECORDING", "GAPS", "TITLE", "RATE"],
                ["fip", "live", "2", "always 1:02:03", "3 (1 min 15 s)", "Miles Davis - So What", "128 kbit/s"],
                ["nova", "waiting 5 s", "–", "Jazz Hour (waits), no. 3 0:59", "0"],
                ["jazz", "idle", "0", "–", "2"],
            ])
        let failing = StatusTable.lines(["stations": [live, away, idle]], width: .max, onlyFailing: true)
        #expect(failing.count == 4 && failing[0] == lines[0] && failing[1] == lines[1] && failing[3].hasPrefix("nova"))
        let json = StatusTable.onlyFailing(["uptime": 5, "stations": [live, away, idle]])
        #expect(json == ["uptime": 5, "stations": [away]])
    }

    @Test("A32: A station of which not the first entry of a list plays has a line that says so") func entry() {
        func lines(_ number: Int64?) -> [String] {
            let number = number.map(JSONValue.integer) ?? .null
            let entry: JSONValue = [
                "number": number, "of": 3, "station": "Radio\u{1B} Two", "url": "http://b.test/",
            ]
            return StatusTable.lines(["stations": [["id": "fip", "state": "live", "entry": entry]]], width: .max)
        }
        #expect(
            lines(2)[1]
                == "fip: entry 2 of 3 of its list plays (Radio Two); the entries before it are tried again")
        #expect(lines(1).count == 3)
        #expect(lines(nil)[1] == "fip: another station plays at its address (Radio Two)")
    }

    @Test("A recording that the disk refuses has a line of its own") func diskRefuses() {
        let station: JSONValue = [
            "id": "fip", "state": "live",
            "recordings": [["kind": "log", "elapsed": 5, "error": ["message": "the disk is full"]]],
        ]
        #expect(
            StatusTable.lines(["stations": [station]], width: .max)[1] == "fip: recording fails: the disk is full")
        #expect(StatusTable.isFailing(station))
    }

    @Test("In a pipe nothing is cut, and with 200 stations the problems come first") func pipe() {
        let name = Array(repeating: "A very long name of a show", count: 5).joined(separator: " ")
        var stations: [JSONValue] = (0..<199).map { ["id": .string("station\($0)"), "state": "live"] }
        stations.append([
            "id": "late", "state": "waiting", "last_error": ["message": "nobody is there", "ago": 3],
            "recordings": [["kind": "show", "show_name": .string(name), "elapsed": 60]],
        ])
        let lines = StatusTable.lines(["stations": .array(stations)], width: .max)
        #expect(lines[0] == "200 stations, 199 live, 1 failing, 1 recording, 0 listeners")
        #expect(lines[1] == "late: 3 s ago: nobody is there")
        #expect(lines.last?.contains(name + " 1:00") == true && lines.count == 203)
    }

    @Test("H18: Only what fails is listed, in JSON as well, with the rest of the answer") func onlyFailing() {
        let fails: [JSONValue] = [
            ["id": "late", "state": "waiting"],
            ["id": "full", "state": "live", "recordings": [["error": ["message": "no space"]]]],
        ]
        let status: JSONValue = ["version": "1", "stations": .array([["id": "fip", "state": "live"]] + fails)]
        #expect(StatusTable.onlyFailing(status) == ["version": "1", "stations": .array(fails)])
    }

    @Test("A table taller than the window says how many lines are missing, and how to see them") func tallTable() {
        let table = Self.table(stations: 30)
        #expect(StatusTable.fitting(table, height: 32, width: 80) == table)
        let shown = StatusTable.fitting(table, height: 24, width: 80)
        #expect(shown.count == 24 && shown.dropLast() == table.prefix(23))
        #expect(shown.last == "9 more lines: 'aircheck status --once' prints all")
        #expect(StatusTable.fitting(table, height: 1, width: 8).map(\.count) == [8])
    }

    @Test("In 80 columns no long text hides a station's state, listeners, recordings and gaps") func longTexts() {
        let long = String(repeating: "long ", count: 12)
        let station: JSONValue = [
            "id": .string(String(repeating: "x", count: 40)), "state": "connecting", "listeners": 12_345, "gaps": 12,
            "gap_seconds": 75.5, "title": "A Title",
            "recordings": [["kind": "show", "show": "x", "show_name": .string(long), "elapsed": 3_723]],
            "last_error": ["message": .string(long), "ago": 3],
        ]
        let lines = StatusTable.lines(["stations": [station]], width: 80)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 })
        for word in ["STATION", "STATE", "LISTENERS", "RECORDING", "GAPS"] { #expect(lines[2].contains(word)) }
        for word in ["connecting", "12345", "12 (1 min 15 s"] { #expect(lines[3].contains(word), "\(lines[3])") }
        // If the texts in the other columns are short, the title gets their space.
        let short: JSONValue = [
            "id": "fip", "state": "live", "listeners": 2, "gaps": 3, "gap_seconds": 75.5, "recordings": [],
            "title": "Miles Davis - So What", "kbps": 128, "last_error": ["message": .string(long), "ago": 3],
        ]
        #expect(StatusTable.lines(["stations": [short]], width: 80)[3].contains("Miles Davis - So What"))
    }

    @Test("The player is listed above the table, with what is wrong with its sound") func player() {
        let station: JSONValue = ["id": "fip", "state": "live"]
        let plays: JSONValue = [
            "station": "fip", "state_text": "playing", "volume": 80, "muted": false, "error": .null,
        ]
        let lines = StatusTable.lines(["stations": [station], "player": plays], width: 80)
        #expect(lines[1] == "player: fip, volume 80 %, playing")
        let silent: JSONValue = [
            "station": "fip", "state_text": "waiting for a sound server", "volume": 80, "muted": true,
            "error": ["message": "no sound server answers"],
        ]
        #expect(
            StatusTable.lines(["stations": [station], "player": silent], width: 80)[1]
                == "player: fip, muted, waiting for a sound server: no sound server answers")
        #expect(StatusTable.lines(["stations": [station], "player": .null], width: 80).count == 3)
    }
}
