// SPDX-License-Identifier: MIT

import ArgumentParser
import Instants
import RadioCore
import RadioFormats
import Testing

@testable import Control
@testable import aircheck

/// What `aircheck recordings` asks the daemon.
struct RecordingQueryTests {
    /// The clocks of Berlin in 2026.
    private struct Berlin: TimeZoneRules {
        let identifier = "Europe/Berlin"
        /// Summer time: from 29 March to 25 October, at 01:00 UTC each.
        private let summer = 1_774_746_000..<Int64(1_792_890_000)

        func utcOffset(at instant: WallInstant) -> Int {
            summer.contains(instant.nanoseconds / 1_000_000_000) ? 7_200 : 3_600
        }
    }

    private static func items(_ target: ControlTarget) -> [String] {
        target.text.split(separator: "?").dropFirst().first?.split(separator: "&").map(String.init) ?? []
    }

    private static func listed(_ arguments: [String]) throws -> [String] {
        let list = try ListRecordings.parse(arguments)
        return items(RecordingPages.page(list.target(in: Berlin()), after: 0, at: nil, limit: list.limit))
    }

    @Test("Without options, recordings list asks for the newest fifty") func defaultQuery() throws {
        #expect(try Self.listed([]) == ["limit=50"])
    }

    @Test("Each option is a condition of the query") func conditions() throws {
        let items = try Self.listed([
            "--from", "2026-05-01", "--until", "2026-06-01", "--station", "fip", "--show", "jazz", "--text",
            "miles davis", "--limit", "7",
        ])
        #expect(
            Set(items) == [
                "station=fip", "show=jazz", "text=miles%20davis", "limit=7",
                "from=2026-05-01T00%3A00%3A00.000%2B02%3A00", "until=2026-06-01T00%3A00%3A00.000%2B02%3A00",
            ])
        let later = RecordingPages.page(
            ControlTarget("/v1/recordings"), after: 1_000, at: ["after": "4f1c", "after_time": -5], limit: 1_500)
        #expect(Set(Self.items(later)) == ["limit=500", "after=4f1c", "after_time=-5"])
    }

    @Test(
        "A day begins at midnight, also when the clocks change on that day",
        arguments: [
            ("2026-03-28", "00%3A00%3A00.000%2B01%3A00"), ("2026-03-29", "00%3A00%3A00.000%2B01%3A00"),
            ("2026-03-30", "00%3A00%3A00.000%2B02%3A00"), ("2026-10-24", "00%3A00%3A00.000%2B02%3A00"),
            ("2026-10-25", "00%3A00%3A00.000%2B02%3A00"), ("2026-10-26", "00%3A00%3A00.000%2B01%3A00"),
        ])
    func midnight(day: String, midnight: String) throws {
        #expect(try Self.listed(["--from", day]).contains("from=\(day)T\(midnight)"))
        #expect(try Self.listed(["--until", day]).contains("until=\(day)T\(midnight)"))
    }

    @Test("A search has the same conditions as a list") func search() throws {
        let arguments = [
            "miles", "davis", "--from", "2026-10-25", "--until", "2026-10-26", "--station", "fip", "--show", "jazz",
        ]
        let target = try SearchRecordings.parse(arguments).target(in: Berlin())
        #expect(target.path == "/v1/titles")
        #expect(
            Set(Self.items(target)) == [
                "text=miles%20davis", "station=fip", "show=jazz", "from=2026-10-25T00%3A00%3A00.000%2B02%3A00",
                "until=2026-10-26T00%3A00%3A00.000%2B01%3A00",
            ])
    }

    @Test("A text that is no date is refused", arguments: ["2026-02-29", "yesterday", "20:00", ""])
    func invalidDate(_ text: String) {
        #expect(throws: (any Error).self) { try ListRecordings.parse(["--from", text]) }
    }
}
