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

    @Test func `a table that is taller than the window says how much is missing, and how to see it`() {
        let table = Self.table(stations: 30)
        #expect(StatusTable.fitting(table, height: 31, width: 80) == table)
        let shown = StatusTable.fitting(table, height: 24, width: 80)
        #expect(shown.count == 24 && shown.dropLast() == table.prefix(23))
        #expect(shown.last == "8 more lines: 'aircheck status --once' prints all")
        #expect(StatusTable.fitting(table, height: 1, width: 8).map(\.count) == [8])
    }
}
