// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@testable import WallClock

/// Files and rules that no database has, made by hand.
@Suite struct ZoneFormatTests {
    @Test("A file of each version is read", arguments: [1, 2, 3, 4] as [UInt8])
    func versions(version: UInt8) throws {
        var file = ZoneImage(version: version)
        file.changes = [(-100, 1), (1_000_000, 0)]
        file.types = [(3600, 0), (-7200, 1)]
        file.footer = "<+03>-3"
        let rules = try ZoneRules(parsing: file.bytes)
        let last = version == 1 ? 3600 : 10_800
        for (second, offset) in [
            (Int64.min, 3600), (-101, 3600), (-100, -7200), (999_999, -7200), (1_000_000, last), (1 << 40, last),
        ] {
            #expect(rules.offset(at: second) == offset, "version \(version) at \(second)")
        }
        file.footer = ""
        #expect(try ZoneRules(parsing: file.bytes).offset(at: 2_000_000) == 3600)
        file.changes = []
        #expect(try ZoneRules(parsing: file.bytes).offset(at: 2_000_000) == 3600)
        file.footer = "AAA-4"
        for second in [-1 << 33, 0, 1 << 33] as [Int64] {
            #expect(try ZoneRules(parsing: file.bytes).offset(at: second) == (version == 1 ? 3600 : 14_400))
        }
    }

    @Test("Each flaw of a file is reported") func flaws() throws {
        func flaw(_ change: (inout ZoneImage) -> Void) -> ZoneFlaw? {
            var file = ZoneImage(version: 2)
            file.changes = [(0, 0), (100, 1)]
            file.types = [(0, 0), (3600, 1)]
            change(&file)
            do throws(ZoneFlaw) {
                _ = try ZoneRules(parsing: file.bytes)
                return nil
            } catch { return error }
        }
        #expect(flaw { _ in } == nil)
        #expect(flaw { $0.magic = "TZiF" } == .notZoneFile)
        #expect(flaw { $0.version = 5 } == .version(UInt8(ascii: "5")))
        #expect(flaw { $0.changes[1].at = 0 } == .order)
        #expect(flaw { $0.changes[1].at = -1 } == .order)
        #expect(flaw { $0.changes[1].type = 2 } == .type)
        #expect(flaw { $0.types[1].offset = 86_400 } == .offset)
        #expect(flaw { $0.types[1].offset = -86_400 } == .offset)
        #expect(flaw { $0.types[1].offset = .min } == .offset)
        #expect(flaw { $0.types[1].isSummer = 2 } == .type)
        #expect(flaw { $0.types = [] } == .counts)
        #expect(flaw { $0.types = Array(repeating: (0, 0), count: 257) } == .counts)
        #expect(flaw { $0.names = [] } == .counts)
        #expect(flaw { $0.standardMarks = 1 } == .counts)
        #expect(flaw { $0.utcMarks = 1 } == .counts)
        #expect(flaw { $0.utcMarks = 2 } == nil)
        #expect(flaw { $0.leapSeconds = 1 } == .leapSeconds)
        #expect(flaw { $0.claimedChanges = .max } == .truncated)
        #expect(flaw { $0.footer = "nonsense" } == .rules("nonsense"))
        #expect(flaw { $0.footer = "\u{1B}[2J" } == .rules("[2J"))
        #expect(flaw { $0.end = "" } == .truncated)
        #expect(flaw { $0.end = "\nX" } == .truncated)
        #expect(flaw { $0.end = String(repeating: "\n", count: 262_144) } == .tooLong)
    }

    @Test(
        "Rules for future times follow POSIX",
        arguments: [
            ("UTC0", ["2026-01-01T00:00:00Z": 0]), ("<+03>-3", ["2026-01-01T00:00:00Z": 10_800]),
            ("<-0330>+3:30", ["2026-01-01T00:00:00Z": -12_600]), ("LMT-0:53:28", ["2026-01-01T00:00:00Z": 3208]),
            (
                "CET-1CEST,M3.5.0,M10.5.0/3",
                [
                    "2026-03-29T00:59:59Z": 3600, "2026-03-29T01:00:00Z": 7200, "2026-10-25T00:59:59Z": 7200,
                    "2026-10-25T01:00:00Z": 3600, "2026-01-01T00:00:00Z": 3600, "2026-12-31T23:59:59Z": 3600,
                ]
            ),
            // In the southern hemisphere, summer time spans the end of the year.
            (
                "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
                [
                    "2026-04-04T14:59:59Z": 39_600, "2026-04-04T15:00:00Z": 37_800, "2026-10-03T15:29:59Z": 37_800,
                    "2026-10-03T15:30:00Z": 39_600, "2026-12-31T23:59:59Z": 39_600, "2027-01-01T00:00:00Z": 39_600,
                ]
            ),
            // The changes fall on days other than the named one.
            (
                "EET-2EEST,M3.4.4/50,M10.4.4/50",
                ["2026-03-27T23:59:59Z": 7200, "2026-03-28T00:00:00Z": 10_800, "2026-10-24T00:00:00Z": 7200]
            ),
            (
                "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
                ["2026-03-29T00:59:59Z": -7200, "2026-03-29T01:00:00Z": -3600, "2026-10-25T01:00:00Z": -7200]
            ),
            // The change falls into the year after: 167 hours from 31 December are 6 January.
            (
                "AAA0BBB,J365/167,J200",
                ["2026-01-06T22:59:59Z": 0, "2027-01-06T23:00:00Z": 3600, "2026-07-19T00:59:59Z": 3600]
            ),
            // The change falls into the year before: −167 hours from 1 January are 25 December.
            (
                "AAA0BBB,J1/-167,J200",
                ["2026-12-25T00:59:59Z": 0, "2026-12-25T01:00:00Z": 3600, "2026-07-19T01:00:00Z": 0]
            ),
            // The form with J does not count 29 February, and the form without J does.
            (
                "AAA0BBB,J60/0,J61/0",
                ["2028-02-29T23:59:59Z": 0, "2028-03-01T00:00:00Z": 3600, "2027-03-01T00:00:00Z": 3600]
            ),
            (
                "AAA0BBB,59/0,60/0",
                ["2028-02-29T00:00:00Z": 3600, "2028-03-01T00:00:00Z": 0, "2027-03-01T00:00:00Z": 3600]
            ),
            // Winter time is the exception, or summer time lasts all year.
            (
                "IST-1GMT0,M10.5.0,M3.5.0/1",
                ["2026-01-01T00:00:00Z": 0, "2026-07-01T00:00:00Z": 3600, "2026-10-25T01:00:00Z": 0]
            ),
            (
                "AAA3EDT4,0/0,J365/23",
                [
                    "2026-01-01T03:00:00Z": -14_400, "2026-01-01T02:59:59Z": -14_400, "2026-07-01T00:00:00Z": -14_400,
                    "2025-12-31T23:00:00Z": -14_400, "2026-01-01T04:00:00Z": -14_400,
                ]
            ),
        ] as [(String, [String: Int])])
    func rules(text: String, offsets: [String: Int]) throws {
        let rules = try PosixRules(parsing: Array(text.utf8))
        for (time, offset) in offsets {
            let instant = try #require(CivilTime(rfc3339: time)).instant
            #expect(rules.offset(at: instant.nanoseconds / 1_000_000_000) == offset, "\(text) at \(time)")
        }
    }

    @Test(
        "Invalid rules are refused",
        arguments: [
            "", "0", "UTC", "UT0", "<+0>-3", "<+03-3", "+03>-3", "UTC24", "UTC-24", "UTC25", "UTC0:60", "UTC0:00:60",
            "UTC0 ",
            "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,M10.5.0/3,", "CET-1CEST,M13.5.0,M10.5.0",
            "CET-1CEST,M0.5.0,M1.1.1",
            "CET-1CEST,M3.0.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J1",
            "CET-1CEST,J366,J1", "CET-1CEST,366,1", "CET-1CEST,1/168,2", "CET-1CEST,1/-168,2", "CET-1CEST,1/,2",
            "CET-1CEST,1/2:,2", "CET-23CEST,1,2", "CET-1CEST-24,1,2", "CET-1CEST,-1,2", "CET--1", "CET+-1", "CÉT-1",
            "CET-0001", "UTC0\0", "UTC0\nUTC0",
        ])
    func otherRules(text: String) {
        #expect(throws: ZoneFlaw.self) { try PosixRules(parsing: Array(text.utf8)) }
    }
}

/// A time zone file made of parts.
private struct ZoneImage {
    var magic = "TZif"
    var version: UInt8
    var changes: [(at: Int64, type: UInt8)] = []
    var types: [(offset: Int32, isSummer: UInt8)] = [(0, 0)]
    var names = Array("AAA\0".utf8)
    var standardMarks = 0
    var utcMarks = 0
    var leapSeconds = 0
    var claimedChanges: UInt32?
    var footer = "AAA0"
    var end = "\n"

    init(version: UInt8) { self.version = version }

    var bytes: [UInt8] {
        if version == 1 { return block(4) }
        // The block for old programs is skipped, so its content does not matter.
        var old = self
        (old.types, old.changes, old.claimedChanges) = ([(.max, 9)], [(5, 200), (4, 100)], nil)
        (old.standardMarks, old.utcMarks, old.leapSeconds, old.names) = (0, 0, 3, Array("AAA\0".utf8))
        return old.block(4) + block(8) + Array("\n\(footer)\(end)".utf8)
    }

    private func block(_ timeSize: Int) -> [UInt8] {
        var bytes = Array(magic.utf8) + [version == 1 ? 0 : UInt8(ascii: "0") + version]
        bytes += [UInt8](repeating: 0, count: 15)
        let counts = [utcMarks, standardMarks, leapSeconds, changes.count, types.count, names.count].map(UInt32.init)
        for (place, count) in counts.enumerated() { bytes += big(place == 3 ? claimedChanges ?? count : count) }
        for change in changes { bytes += timeSize == 4 ? big(Int32(truncatingIfNeeded: change.at)) : big(change.at) }
        bytes += changes.map(\.type)
        for type in types { bytes += big(type.offset) + [type.isSummer, 0] }
        let marks = leapSeconds * (timeSize + 4) + standardMarks + utcMarks
        return bytes + names + [UInt8](repeating: 0, count: marks)
    }

    private func big(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }
}
