// SPDX-License-Identifier: MIT

import Glibc
import TestTools
import Testing
import WallClock

@Suite struct TimeZonesTests {
    @Test(
        "A text that cannot be a zone's name is refused",
        arguments: [
            ("", nil), ("/", nil), ("/etc/localtime", nil), ("..", nil), ("../etc/passwd", nil), ("Europe/../UTC", nil),
            ("Europe//Berlin", "Europe/Berlin"), ("Europe/Berlin/", "Europe/Berlin"), ("./UTC", "UTC"),
            ("Europe/New York", nil), ("America/New York", "America/New_York"), ("new york", "America/New_York"),
            ("Europe/Berlin\0", "Europe/Berlin"), ("Europe/Bérlin", "Europe/Berlin"), ("zone1970.tab", nil),
            (String(repeating: "a/", count: 50) + "a", nil), ("UTC\n", "UTC"), (":UTC", "UTC"),
        ] as [(String, String?)])
    func invalidName(name: String, nearest: String?) {
        let error = #expect(throws: ZoneError.self) { try TimeZones().zone(named: name) }
        #expect(error == .invalidName(name, nearest: nearest))
    }

    @Test(
        "An unknown name is refused with the nearest known one",
        arguments: [
            ("Europe/Berln", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"), ("Berlin", "Europe/Berlin"),
            ("Amercia/New_York", "America/New_York"), ("Lord_Howe", "Australia/Lord_Howe"), ("UTCC", "UTC"),
            ("Middle_Earth/Bree", nil), ("Europe", nil), (String(repeating: "a", count: 100), nil),
        ] as [(String, String?)])
    func unknownName(name: String, nearest: String?) {
        let error = #expect(throws: ZoneError.self) { try TimeZones().zone(named: name) }
        #expect(error == .unknown(name, nearest: nearest))
    }

    @Test("The first folder that has the file is used") func folderOrder() throws {
        let folder = try TemporaryFolder()
        let zones = TimeZones(folders: [folder.path + "/none", folder.path] + TimeZones.systemFolders)
        let berlin = try bytes(ofFile: TimeZones.systemFolders[0] + "/Europe/Berlin")
        try folder.write("Here", berlin)
        try folder.write("UTC", berlin)
        let instant = WallClock.now()
        let expected = try zones.zone(named: "Europe/Berlin").utcOffset(at: instant)
        #expect(expected > 0)
        #expect(try zones.zone(named: "Here").utcOffset(at: instant) == expected)
        #expect(try zones.zone(named: "UTC").utcOffset(at: instant) == expected)
    }

    @Test("A file that is no zone is an error") func invalidFiles() throws {
        let folder = try TemporaryFolder()
        let zones = TimeZones(folders: [folder.path])
        func error(_ name: String) -> ZoneError? {
            #expect(throws: ZoneError.self) { try zones.zone(named: name) }
        }
        try folder.write("Text", "Europe/Berlin\n")
        try folder.write("Empty", "")
        try folder.write("Large", [UInt8](repeating: 0, count: 262_145))
        #expect(mkfifo(folder.file("Pipe"), 0o600) == 0)
        #expect(symlink("Loop", folder.file("Loop")) == 0)
        #expect(error("Text") == .invalid(folder.file("Text"), .notZoneFile))
        #expect(error("Empty") == .invalid(folder.file("Empty"), .truncated))
        #expect(error("Large") == .invalid(folder.file("Large"), .tooLong))
        #expect(error("Pipe") == .unknown("Pipe", nearest: nil))
        #expect(error("Loop") == .unknown("Loop", nearest: nil))
        #expect(error("Text/Berlin") == .unknown("Text/Berlin", nearest: nil))
        let none = TimeZones(folders: [folder.file("none"), folder.file("neither")])
        #expect(none.known.isEmpty)
        let missing = #expect(throws: ZoneError.self) { try none.zone(named: "UTC") }
        #expect(missing == .noDatabase([folder.file("none"), folder.file("neither")]))
    }

    @Test("The names come from the best list that exists") func names() throws {
        let folder = try TemporaryFolder()
        let zones = TimeZones(folders: [folder.path])
        try folder.write(
            "zone.tab", "# a comment\nDE\t+5230+01322\tEurope/Busingen\tBusingen\nDE\t+1\nDE\t+1\tEurope/../x\n")
        #expect(zones.known == ["Europe/Busingen"])
        try folder.write("zone1970.tab", "#\nDE,DK\t+5230+01322\tEurope/Berlin\tmost of Germany\nUA\t+1\tEurope/Kyiv\n")
        #expect(zones.known == ["Europe/Berlin", "Europe/Kyiv"])
        try folder.write(
            "tzdata.zi", "# version 2025b\nR d 1916 o - Jun 14 23s 1 S\nZ A/C 1 - x\nL A/C A/B\nL A/C\nZ\n\n")
        #expect(zones.known == ["A/B", "A/C"] && zones.nearest(to: "b") == "A/B")
    }

    @Test("Each error says what to do") func errors() {
        for (error, words) in [
            (
                .unknown("Berln", nearest: "Europe/Berlin"),
                "there is no time zone \"Berln\"; did you mean \"Europe/Berlin\"?"
            ),
            (
                .unknown("X", nearest: nil),
                "there is no time zone \"X\"; write for example Europe/Berlin, America/New_York or UTC"
            ),
            (
                .invalidName("../x", nearest: nil),
                "\"../x\" cannot be the name of a time zone; write for example Europe/Berlin, America/New_York or UTC"
            ),
            (.noDatabase(["/a", "/b"]), "this machine has no time zones in /a or /b; install its package tzdata"),
            (.unreadable("/a/X", "Permission denied"), "the time zone file /a/X cannot be read: Permission denied"),
            (
                .invalid("/a/X", .order),
                """
                the time zone file /a/X has clock changes in the wrong order; install the package tzdata again, or \
                choose another time zone
                """
            ),
        ] as [(ZoneError, String)] { #expect(error.description == words) }
    }
}
