// SPDX-License-Identifier: MIT

import Configuration
import Glibc
import RadioCore
import RadioFormats
import TestTools
import Testing

/// Settings that are allowed but probably a mistake.
@Suite("Doubts about a configuration")
struct DoubtTests {
    private let folder: TemporaryFolder
    private let today: CalendarDate

    init() throws {
        folder = try TemporaryFolder()
        today = try CalendarDate(parsing: "2026-11-28")
    }

    /// The places and problems of everything doubtful: `12 station[1].id`.
    private func doubts(_ text: String) throws -> [String] {
        let notes = try parse(text, folder: folder.path).get().notes
        return (notes.doubts + notes.expectations.compactMap { $0.fault(today: today) }).map {
            #expect(!$0.problem.isEmpty)
            return "\($0.line) \($0.key)"
        }
    }

    @Test("Files, folders and programs that are missing are named with their lines") func missingFiles() throws {
        let files = try doubts(station("ca-file = \"ca.pem\"\nfallback = \"fallback.mp3\""))
        #expect(files.sorted() == ["4 station[1].ca-file", "5 station[1].fallback"])
        #expect(try doubts("[server]\naccess-log = \"logs/access.log\"") == ["2 server.access-log"])
        #expect(try doubts("[[hook]]\non = \"gap\"\nrun = [\"\(folder.file("none"))\"]") == ["3 hook[1].run"])
        try folder.write("file", "")
        #expect(try doubts("[[hook]]\non = \"gap\"\nrun = [\"\(folder.file("file"))\"]") == ["3 hook[1].run"])
        let mail = try parse("[[hook]]\non = \"gap\"\nmail = \"me@a.example\"").get().notes.expectations
        #expect(mail.map(\.kind) == [.program("/usr/sbin/sendmail")])
        #expect(try doubts("[storage]\nrecordings = \"file\"") == ["2 storage.recordings"])
        #expect(try doubts("[storage]\nrecordings = \"here\"\nstate = \"here\"") == ["2 storage.recordings"])
        #expect(try doubts("[storage]\nrecordings = \"state\"") == ["2 storage.recordings"])
    }

    @Test("D35: Stations whose names are equal in names of files are doubtful") func equalNames() throws {
        func doubts(_ names: [String]) throws -> [String] {
            try self.doubts(
                names.enumerated().map { index, name in
                    "[[station]]\nid = \"s\(index)\"\nurl = \"http://s.example/\(index)\"\nname = \"\(name)\"\n"
                }.joined())
        }
        #expect(try doubts(["Jazz", "jazz"]) == ["8 station[2].name"])
        #expect(try doubts(["A/B", "A|B", "a:b"]) == ["8 station[2].name", "12 station[3].name"])
        #expect(try doubts(["A", "B"]).isEmpty)
    }

    @Test("H21: A folder whose name is not UTF-8 is found") func rawPaths() throws {
        let place = folder.file(PathText.text(of: [0x66, 0xFC]))
        #expect(mkdir(place.pathBytes, 0o700) == 0)
        defer { rmdir(place.pathBytes) }
        let notes = try parse("[server]\naccess-log = \"access.log\"", folder: place).get().notes
        #expect(!notes.expectations.isEmpty)
        #expect(notes.expectations.allSatisfy { $0.fault(today: today) == nil })
    }

    @Test("Files that are there, and addresses, are not doubtful") func presentFiles() throws {
        for name in ["ca.pem", "fallback.mp3"] { try folder.write(name, "") }
        for name in ["logs", "music", "recordings"] { try folder.make(name) }
        #expect(try doubts(station("ca-file = \"ca.pem\"\nfallback = \"fallback.mp3\"")).isEmpty)
        #expect(try doubts(station("fallback = \"music\"")).isEmpty)
        #expect(try doubts(station("fallback = \"https://fip.example/b\"")).isEmpty)
        #expect(try doubts("[server]\naccess-log = \"logs/access.log\"").isEmpty)
        #expect(try doubts("[server]\naccess-log = \"-\"").isEmpty)
        #expect(try doubts("[[hook]]\non = \"gap\"\nrun = [\"/bin/true\"]").isEmpty)
        #expect(try doubts("[storage]\nrecordings = \"recordings\"\nstate = \"not/yet\"").isEmpty)
        #expect(try doubts("[storage]\nrecordings = \"not/yet\"").isEmpty)
    }

    @Test(
        "Shows that are never on, or over, are doubtful",
        arguments: [
            "days = \"sat\"\nfrom = 2026-12-07\nuntil = 2026-12-11", "days = \"2026-12-24\"\nskip = [2026-12-24]",
            "days = \"2025-12-24\"", "days = \"daily\"\nuntil = 2026-11-27", "days = \"daily\"\nuntil = 2020-01-01",
            "days = \"5th mon\"\nfrom = 2026-12-01\nuntil = 2027-02-28",
        ])
    func neverOn(_ days: String) throws {
        let found = try doubts(Self.show(days))
        #expect(found.contains("8 station[1].show[1].days"), "\(found)")
    }

    @Test(
        "Shows that are on some day are not doubtful",
        arguments: [
            "days = \"daily\"", "days = \"2026-11-28\"", "days = \"daily\"\nuntil = 2026-11-28", "days = \"5th mon\"",
            "days = \"2099-12-24\"", "days = \"every 52nd week mon from 2040-01-02\"",
            "days = \"mon\"\nfrom = 2090-01-01",
            "days = \"2025-12-24\"\n[[station.show.change]]\ndate = 2026-12-24\nstart = \"10:00\"",
        ])
    func everOn(_ days: String) throws {
        #expect(try doubts(Self.show(days)).isEmpty)
    }

    @Test("Skipped dates on which the show is not on anyway are doubtful") func uselessSkips() throws {
        let text = Self.show(
            "days = \"mon-fri\"\nfrom = 2026-12-01\nskip = [2026-12-24,\n2026-12-26,\n2026-11-30, \"2027-01-01\"]")
        #expect(try doubts(text) == ["11 station[1].show[1].skip", "12 station[1].show[1].skip"])
        func change(_ lines: String) -> String { "\n[[station.show.change]]\n\(lines)" }
        let changes = Self.show(
            "days = \"mon-fri\"" + change("date = 2026-12-24\nskip = true") + change("date = 2026-12-26\nskip = true")
                + change("date = 2026-12-27\nstart = \"10:00\""))
        #expect(try doubts(changes) == ["13 station[1].show[1].change[2].date"])
    }

    /// A show whose `days` are in line 8.
    private static func show(_ days: String) -> String {
        station("[[station.show]]\nid = \"jazz\"\nstart = \"19:00\"\nlength = \"1h\"\n\(days)")
    }
}

/// Several starts and single dates of a show.
@Suite("Dates of a show")
struct ShowDatesTests {
    private func read(_ lines: String) throws -> Show {
        let text = station("[[station.show]]\nid = \"jazz\"\ndays = \"mon-fri\"\n\(lines)")
        return try #require(try parse(text).get().stations.first?.shows.first?.show)
    }

    @Test("A show may start several times a day, and single dates may differ") func changes() throws {
        let show = try read(
            """
            start = ["18:30", "07:00"]
            length = "1h"
            [[station.show.change]]
            date = 2026-12-24
            skip = true
            [[station.show.change]]
            date = 2026-12-26
            start = "09:30"
            """)
        #expect(show.start.description == "07:00" && show.furtherStarts.map(\.description) == ["18:30"])
        #expect(show.skipped == [try CalendarDate(parsing: "2026-12-24")])
        #expect(show.moved.map { "\($0) \($1)" } == ["2026-12-26 09:30"])
    }

    @Test("Contradictions have their lines") func faults() {
        let show = "[[station.show]]\nid = \"jazz\"\ndays = \"mon-fri\"\n"
        let cases: [(String, [String])] = [
            ("start = []\nlength = \"1h\"", ["7 station[1].show[1].start"]),
            ("start = [\"07:00\", \"07:00\"]\nlength = \"1h\"", ["7 station[1].show[1].start"]),
            ("start = [\"07:00\", \"09:00\"]\nend = \"08:00\"", ["8 station[1].show[1].end"]),
            (
                "start = \"07:00\"\nlength = \"1h\"\n[[station.show.change]]\ndate = 2026-12-24",
                ["9 station[1].show[1].change[1]"]
            ),
            (
                "start = \"07:00\"\nlength = \"1h\"\n[[station.show.change]]\ndate = 2026-12-24\nstart = \"08:00\"\nskip = true",
                ["12 station[1].show[1].change[1].skip"]
            ),
            (
                "start = \"07:00\"\nlength = \"1h\"\n[[station.show.change]]\ndate = 2026-12-24\nskip = true\n"
                    + "[[station.show.change]]\ndate = 2026-12-24\nskip = true",
                ["13 station[1].show[1].change[2].date"]
            ),
        ]
        for (lines, expected) in cases { #expect(places(station(show + lines)) == expected, "\(lines)") }
    }

    @Test("The rule keep-at-least is read for everything, a station and a show, and may not exceed keep-days")
    func keptAtLeast() throws {
        let configuration = try parse("[storage]\nkeep-at-least = \"7d\"\n" + station("keep-at-least = \"2d\"")).get()
        #expect(configuration.storage.keep.atLeast == .seconds(7 * 86_400))
        #expect(configuration.stations[0].files.keep.atLeast == .seconds(2 * 86_400))
        #expect(places("[storage]\nkeep-days = 5\nkeep-at-least = \"6d\"") == ["3 storage.keep-at-least"])
        #expect(places("[storage]\nkeep-at-least = \"0s\"") == ["2 storage.keep-at-least"])
    }
}
