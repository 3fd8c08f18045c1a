// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import TestTools
import Testing
import WallClock

/// The system's time zones, compared with the output of `zdump` (Debian's package libc-bin).
@Suite struct ZoneFileTests {
    private static let folder = TimeZones.systemFolders[0]

    @Test("Every zone has the offsets that zdump prints, from 1970 to 2038") func zdump() throws {
        let zones = TimeZones()
        let names = zones.known
        #expect(names.count > 400 && names.contains("Europe/Berlin") && names.contains("Arctic/Longyearbyen"))
        // Many names have the same content, so one name for each content is enough.
        var contents: [[UInt8]: String] = [:]
        for name in names {
            let zone = try zones.zone(named: name)
            #expect(zone.identifier == name)
            contents[try bytes(ofFile: "\(Self.folder)/\(name)")] = name
        }
        let distinct = contents.values.sorted()
        #expect(distinct.count > 250)
        // Some zones have many more changes than others, so the zones go to two `zdump` processes alternately.
        let halves = (0..<2).map { half in distinct.indices.filter { $0 % 2 == half }.map { distinct[$0] } }
        let dumps = try halves.map { try ChildProcess("/usr/bin/zdump", ["-v", "-c", "1970,2038"] + $0) }
        var said: Set<String> = []
        var compared = 0
        for dump in dumps {
            let outcome = try dump.wait(within: .seconds(60))
            #expect(outcome.succeeded, "\(outcome.standardError)")
            var zone: ZoneFile?
            var wrong: [String] = []
            for line in outcome.standardOutput.split(separator: UInt8(ascii: "\n")) {
                guard let instant = ZoneDump.instant(line), let offset = ZoneDump.offset(line) else { continue }
                compared += 1
                let name = ZoneDump.name(line)
                if zone?.identifier != name {
                    zone = try zones.zone(named: name)
                    said.insert(name)
                }
                if zone?.utcOffset(at: instant) != offset { wrong.append(String(decoding: line, as: UTF8.self)) }
            }
            #expect(wrong.isEmpty, "\(wrong.count) wrong, the first: \(wrong.prefix(5))")
        }
        // zdump prints nothing for a zone without changes.
        #expect(said.count > 200 && compared > 20_000)
    }

    @Test("The rules of a zone apply after its last listed change") func rulesContinue() throws {
        for (name, text, offset) in [
            ("Europe/Berlin", "2100-03-28T00:59:59.999Z", 3600), ("Europe/Berlin", "2100-03-28T01:00:00Z", 7200),
            ("America/New_York", "2090-11-05T05:59:59Z", -14_400),
            ("America/New_York", "2090-11-05T06:00:00Z", -18_000),
            ("Australia/Lord_Howe", "2077-04-03T14:59:59Z", 39_600),
            ("Australia/Lord_Howe", "2077-04-03T15:00:00Z", 37_800),
            // In Ireland, winter time is the exception, and spans the end of the year.
            ("Europe/Dublin", "2080-01-01T00:00:00Z", 0), ("Europe/Dublin", "2080-07-01T00:00:00Z", 3600),
            // The rule has negative hours: the change is on the day before.
            ("America/Nuuk", "2080-03-31T00:59:59Z", -7200), ("America/Nuuk", "2080-03-31T01:00:00Z", -3600),
            ("Pacific/Auckland", "2261-12-31T00:00:00Z", 46_800), ("Asia/Kolkata", "2261-12-31T00:00:00Z", 19_800),
            ("UTC", "2026-11-21T00:00:00Z", 0), ("Etc/GMT+5", "1700-01-01T00:00:00Z", -18_000),
            ("Europe/Berlin", "1700-01-01T00:00:00Z", 3208), ("Europe/Berlin", "1940-04-01T00:59:59.999999999Z", 3600),
            ("Europe/Berlin", "1940-04-01T01:00:00Z", 7200), ("Pacific/Apia", "2011-12-30T09:59:59Z", -36_000),
            ("Pacific/Apia", "2011-12-30T10:00:00Z", 50_400),
        ] {
            let instant = try #require(CivilTime(rfc3339: text)).instant
            #expect(try TimeZones().zone(named: name).utcOffset(at: instant) == offset, "\(name) \(text)")
        }
    }

    @Test("A zone file that is cut off anywhere is an error") func cutOff() throws {
        for name in ["Europe/Berlin", "Asia/Kolkata", "UTC"] {
            let whole = try bytes(ofFile: "\(Self.folder)/\(name)")
            _ = try ZoneFile(identifier: name, parsing: whole)
            for length in 0..<whole.count {
                #expect(throws: ZoneFlaw.self) {
                    try ZoneFile(identifier: name, parsing: Array(whole.prefix(length)))
                }
            }
        }
    }

    @Test("A zone file with wrong bytes is an error or another zone") func wrongBytes() throws {
        var random = SplitMix64(seed: 5)
        var accepted = 0
        let instants = [Int64.min, -1, 0, 1_795_263_775_000_000_000, .max].map(WallInstant.init(nanoseconds:))
        for name in ["Asia/Kolkata", "Africa/Lagos", "Asia/Gaza", "Australia/Lord_Howe"] {
            let whole = try bytes(ofFile: "\(Self.folder)/\(name)")
            let header = whole.lastPlace(of: Array("TZif".utf8))
            for _ in 0..<500 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    // Half of the changed bytes are in the headers and the footer.
                    let place =
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0: header + Int.random(in: 0..<44, using: &random)
                        case 1: bytes.count - Int.random(in: 1...40, using: &random)
                        default: Int.random(in: 0..<bytes.count, using: &random)
                        }
                    bytes[min(place, bytes.count - 1)] = random.bytes(1)[0]
                }
                guard let zone = try? ZoneFile(identifier: name, parsing: bytes) else { continue }
                accepted += 1
                for instant in instants { #expect(abs(zone.utcOffset(at: instant)) < 86_400) }
            }
        }
        #expect(accepted > 100 && accepted < 1900)
    }
}

/// Lines of zdump: `Europe/Berlin  Sun Mar 29 01:00:00 2026 UT = Sun Mar 29 03:00:00 2026 CEST isdst=1 gmtoff=7200`.
private enum ZoneDump {
    typealias Line = ArraySlice<UInt8>

    static func name(_ line: Line) -> String {
        String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    }

    /// The UTC time of a line; nil if the line has none within the years that matter.
    static func instant(_ line: Line) -> WallInstant? {
        let text = line.drop { $0 != UInt8(ascii: " ") }.drop { $0 == UInt8(ascii: " ") }.prefix(24)
        let words = text.split(separator: UInt8(ascii: " "))
        guard words.count == 5, let year = number(words[4]), (1900...2040).contains(year), let day = number(words[2]),
            let month = months.firstIndex(of: Array(words[1]))
        else { return nil }
        let clock = words[3].split(separator: UInt8(ascii: ":")).compactMap(number)
        guard clock.count == 3 else { return nil }
        return CivilTime(
            year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2], utcOffset: 0)?
            .instant
    }

    static func offset(_ line: Line) -> Int? {
        guard let place = line.lastIndex(of: UInt8(ascii: "=")) else { return nil }
        let text = line[(place + 1)...]
        return text.first == UInt8(ascii: "-") ? number(text.dropFirst()).map { -$0 } : number(text)
    }

    private static func number(_ digits: Line) -> Int? {
        var number = 0
        for digit in digits {
            guard digit >= 48, digit <= 57 else { return nil }
            number = number * 10 + Int(digit - 48)
        }
        return digits.isEmpty ? nil : number
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ].map { Array($0.utf8) }
}

extension [UInt8] {
    /// The index at which the last occurrence of `bytes` begins; 0 if there is none.
    fileprivate func lastPlace(of bytes: [UInt8]) -> Int {
        indices.reversed().first { self[$0...].starts(with: bytes) } ?? 0
    }
}
