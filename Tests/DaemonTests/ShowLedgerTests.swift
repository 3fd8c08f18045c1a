// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

@testable import Configuration
@testable import Daemon

/// The ledger of shows: which broadcasts are complete, what is missing, and why.
struct ShowLedgerTests {
    static func entries(_ rig: DaemonRig) -> [JSONValue] {
        #expect(rig.waitForCatalog())
        return StateLedger(folder: rig.folder.file("state"), name: StateLedger.shows).entries()
    }

    @Test("Each broadcast is entered with its result, what is missing, and why") func reasons() throws {
        let away = LiveScript.Absence(.seconds(90), for: .seconds(200), .gone)
        let rig = try DaemonRig(["fip": DaemonRig.script([away]), "nova": DaemonRig.script()])
        var stations = ["fip", "nova"].map { DaemonRig.station($0) }
        stations[0].shows = [
            try rig.show("whole", from: 10, to: 30), try rig.show("part", from: 70, to: 110),
            try rig.show("none", from: 150, to: 170),
        ]
        stations[1].shows = [try rig.show("crowded", from: 15, to: 25)]
        var configuration = try rig.configuration(stations)
        configuration.storage.stationsAtOnce = 1
        try rig.beginWithCatalog(configuration)
        rig.live(220, step: 10)
        let entries = Dictionary(
            Self.entries(rig).map { ($0["show"]?.stringValue ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        #expect(
            entries.mapValues { $0["result"]?.stringValue } == [
                "whole": "complete", "part": "incomplete", "none": "missed", "crowded": "missed",
            ])
        func cause(_ show: String) -> String? { entries[show]?["missing"]?.arrayValue?.first?["cause"]?.stringValue }
        #expect(
            entries["whole"]?["missing"]?.arrayValue == [] && entries["whole"]?["recordings"]?.arrayValue?.count == 1)
        #expect(cause("part")?.isEmpty == false && cause("part") != "no audio arrived")
        let missing = entries["part"]?["missing_seconds"]?.doubleValue ?? 0
        #expect(abs(missing - 20) < 1, "\(missing)")
        #expect(cause("none")?.isEmpty == false && cause("crowded")?.contains("stations-at-once") == true)
        #expect(rig.told.filter { $0.name == .showComplete }.map(\.show) == ["whole"])
    }

    @Test("A show that came and went while no daemon ran is missed for that reason") func notRunning() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        let station = DaemonRig.station("fip", shows: [try rig.show("one", from: 40, to: 60)])
        let configuration = try rig.configuration([station])
        try rig.beginWithCatalog(configuration)
        rig.run(5)
        rig.daemon.stop()
        rig.live(1)
        rig.pass(.seconds(90))
        rig.restart()
        try rig.startAgain(configuration)
        rig.live(8, step: 2)
        let entry = try #require(Self.entries(rig).first)
        #expect(entry["result"] == "missed" && entry["missing_seconds"]?.doubleValue == 20)
        #expect(entry["missing"]?.arrayValue?.first?["cause"] == "Aircheck was not running")
    }

    @Test("The entry of a broadcast with many gaps and long causes fits into a line") func longEntry() throws {
        let start = WallInstant(nanoseconds: 0)
        let window = start..<start + .seconds(600)
        let coverages = (0..<300).map { number in
            RecordingResult.Coverage(
                of: .init(recording: "r\(number)", files: []), at: start + .seconds(2 * number), length: .seconds(1))
        }
        let quotes = String(repeating: "\"", count: 300)
        let show = Show(
            id: "jazz", name: quotes, days: try ShowDays(parsing: ["daily"]), start: try TimeOfDay(parsing: "07:00"),
            end: .length(.seconds(600)), zone: "UTC")
        let date = try CalendarDate(parsing: "1970-01-01")
        let airing = Airing(show: "jazz", date: date, broadcast: window, recording: window)
        let result = RecordingResult(window: window, coverages: coverages).explained { [.init(span: $0, text: quotes)] }
        let record = BroadcastRecord(
            airing: ShowAiring(station: "fip", show: show, airing: airing), result: result, zone: FixedZone.utc)
        #expect(record.result.missing.count == 300)
        #expect(record.json["missing"]?.arrayValue?.count == BroadcastRecord.mostMissing)
        #expect(record.json.encoded(.compact).count < 1 << 16)
    }

    @Test("The list has the newest broadcasts first, each once, as far as the filter allows") func list() throws {
        func entry(_ station: String, _ show: String, _ hour: Int, _ result: String = "complete") -> JSONValue {
            [
                "station": .string(station), "show": .string(show), "result": .string(result),
                "from": .string("2026-11-27T\(hour):00:00Z"),
            ]
        }
        let entries = [
            entry("a", "x", 10), entry("a", "y", 11), entry("b", "x", 12), entry("a", "x", 13),
            // A crash has entered this broadcast twice; the newest entry counts. The last entry is nonsense.
            entry("a", "y", 11, "incomplete"), ["station": "a"],
        ]
        func select(
            station: String? = nil, show: String? = nil, from: String? = nil, until: String? = nil, most: Int = 9
        ) -> [String] {
            BroadcastList.select(
                entries, station: station, show: show, from: from.flatMap(CivilTime.init(rfc3339:)),
                until: until.flatMap(CivilTime.init(rfc3339:)), atMost: most
            ).map {
                "\($0["station"]?.stringValue ?? "")\($0["show"]?.stringValue ?? "") \($0["result"]?.stringValue ?? "")"
            }
        }
        #expect(select() == ["ax complete", "bx complete", "ay incomplete", "ax complete"])
        #expect(select(station: "a", show: "x").count == 2 && select(most: 1) == ["ax complete"])
        #expect(
            select(from: "2026-11-27T11:00:00Z", until: "2026-11-27T13:00:00Z") == ["bx complete", "ay incomplete"])
    }
}
