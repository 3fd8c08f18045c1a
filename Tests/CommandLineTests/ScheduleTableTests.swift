// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

@testable import aircheck

/// What `aircheck schedule` prints.
struct ScheduleTableTests {
    private static func show(
        _ station: String, refused: Bool = false, overlaps: [JSONValue] = [], bytes: JSONValue = .null
    ) -> JSONValue {
        [
            "station": .string(station), "name": "Jazz\u{1B} Hour", "start": "2026-11-26T20:00:00.000+01:00",
            "end": "2026-11-26T21:30:00.000+01:00", "refused": .bool(refused), "overlaps": .array(overlaps),
            "bytes_expected": bytes,
        ]
    }

    @Test("Each show is listed with its times, its space and the shows that overlap it") func shows() {
        let lines = ScheduleTable.lines([
            "shows": [
                Self.show("fip", bytes: 86_400_000), Self.show("nova", overlaps: ["fip/a"]),
                Self.show("jazz", overlaps: ["fip/a", "nova/b"]), Self.show("rock", refused: true, overlaps: ["fip/a"]),
            ]
        ])
        #expect(
            lines == [
                "WHEN                  UNTIL  STATION  SHOW       SPACE",
                "Thu 2026-11-26 20:00  21:30  fip      Jazz Hour  86.4 MB",
                "Thu 2026-11-26 20:00  21:30  nova     Jazz Hour           at the same time as 1 other show",
                "Thu 2026-11-26 20:00  21:30  jazz     Jazz Hour           at the same time as 2 other shows",
                "Thu 2026-11-26 20:00  21:30  rock     Jazz Hour           not recorded, or only in part: "
                    + "too many recordings at this time",
            ])
        #expect(ScheduleTable.lines(["shows": []]) == ["no show airs in this time"])
    }

    @Test("A schedule with too many shows says where it ends") func cut() {
        let schedule: JSONValue = [
            "until": "2026-11-28T06:30:00.000+01:00", "cut": true, "shows": [Self.show("fip"), Self.show("nova")],
        ]
        #expect(
            ScheduleTable.lines(schedule).last
                == "only until Sat 2026-11-28 06:30: these are 2 shows, the most that are listed")
    }

    @Test("The lines below the schedule say how much space it needs, and when the disk will be full") func space() {
        let lines = ScheduleTable.lines([
            "shows": [], "always": [["station": "fip", "bytes_expected": 2_000_000_000], ["station": "new"]],
            "bytes_expected": 3_500_000_000, "bytes_free": 1_200_000_000,
            "full_at": "2026-11-28T06:30:00.000+01:00", "unknown": ["new", "nova"],
        ])
        #expect(
            lines.dropFirst(2) == [
                "recorded all the time: fip: about 2.0 GB", "recorded all the time: new",
                "space needed: about 3.5 GB; free: 1.2 GB – the disk will be full at Sat 2026-11-28 06:30, "
                    + "unless older recordings are deleted",
                "stations not counted, because their bit rate is not known yet: new, nova",
            ])
        let enough = ScheduleTable.lines([
            "shows": [], "bytes_expected": 3_500_000_000, "bytes_free": 9_000_000_000, "full_at": .null,
        ])
        #expect(enough.last == "space needed: about 3.5 GB; free: 9.0 GB")
    }
}
