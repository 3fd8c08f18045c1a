// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import Testing

@testable import RadioCore

struct HLSWindowTests {
    private static let now = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    /// A window that knows the segments 10 to 15.
    private static func window(_ station: ListedStation = station) -> HLSWindow {
        var window = HLSWindow()
        _ = window.take(list(10..<16, station), now)
        return window
    }

    private static let station = ListedStation(began: now - .seconds(1_000))

    private static func list(_ numbers: Range<Int64>, _ station: ListedStation = station) -> MediaPlaylist {
        .listing(numbers.map(station.segment))
    }

    @Test("A list that overlaps continues, and one with an older end is behind") func continues() {
        let window = Self.window()
        #expect(window.relation(Self.list(12..<18)) == .continues(isBehind: false))
        #expect(window.relation(Self.list(10..<16)) == .continues(isBehind: false))
        #expect(window.relation(Self.list(8..<14)) == .continues(isBehind: true))
    }

    @Test("A list without common segments is of another lineage; its dates say whether it is newer") func other() {
        let window = Self.window()
        #expect(window.relation(Self.list(40..<46)) == .other(isNewer: true))
        #expect(window.relation(Self.list(1..<5)) == .other(isNewer: false))
        var undated = Self.station
        undated.isDated = false
        #expect(window.relation(Self.list(40..<46, undated)) == .other(isNewer: false))
        #expect(window.relation(.listing([])) == .other(isNewer: false))
    }

    @Test("Equal numbers with other names and dates are of another lineage") func restart() {
        var other = Self.station
        (other.run, other.began) = (1, Self.now)
        #expect(Self.window().relation(Self.list(10..<16, other)) == .other(isNewer: true))
    }

    @Test("Edges may name segments differently if the dates agree, and date them differently if the names do")
    func edges() {
        var renamed = Self.station
        renamed.run = 7
        #expect(Self.window().relation(Self.list(10..<17, renamed)) == .continues(isBehind: false))
        var redated = Self.station
        redated.began = redated.began + .seconds(3)
        #expect(Self.window().relation(Self.list(10..<17, redated)) == .continues(isBehind: false))
        redated.began = redated.began + .seconds(30)
        #expect(Self.window().relation(Self.list(10..<17, redated)) == .other(isNewer: true))
    }

    @Test("Only new segments are news, and the end of a segment was at the edge when it was listed, or before")
    func news() {
        var window = Self.window()
        #expect(window.entries.map(\.number) == Array(10..<16))
        #expect(window.entries.last?.due == Self.now && window.entries[4].due == Self.now - .seconds(6))
        let olderIsNews = window.take(Self.list(8..<14), Self.now)
        #expect(!olderIsNews && window.entries.count == 6)
        let newerIsNews = window.take(Self.list(12..<18), Self.now + .seconds(9))
        #expect(newerIsNews && window.entries.count == 8 && window.longestList == .seconds(36))
        #expect(window.availableUntil(window.entries[6]) == Self.now + .seconds(9 + 6 + 36))
    }

    @Test("A segment has few addresses, however often they change") func addresses() {
        var window = Self.window()
        for token in 0..<50 {
            var list = Self.list(10..<16)
            for index in list.segments.indices { list.segments[index].url += "&edge=\(token % 9)" }
            _ = window.take(list, Self.now)
        }
        #expect(window.entries.allSatisfy { $0.otherURLs.count <= 4 && !$0.otherURLs.contains($0.segment.url) })
    }

    @Test("What was delivered is forgotten after a thousand segments") func memory() {
        var window = HLSWindow()
        for start in stride(from: Int64(0), to: 9_000, by: 100) {
            _ = window.take(Self.list(start..<start + 100), Self.now)
            while window.next != nil { window.pass(.over) }
        }
        #expect(window.entries.count <= 1_100 && window.index(of: 8_999) != nil && window.index(of: 5) == nil)
    }

    @Test(
        "Dates of lists are those of RFC 3339, with an offset without a colon, or without any",
        arguments: [
            ("2026-03-01T12:00:00.250Z", 250), ("2026-03-01T13:00:00+0100", 0), ("2026-03-01T12:00:00", 0),
            ("2026-03-01T10:30:00.5-01:30", 500), ("2026-03-01T12:00:00.125", 125),
        ])
    func dates(text: String, milliseconds: Int64) throws {
        let noon = try #require(CivilTime(rfc3339: "2026-03-01T12:00:00Z")).instant
        #expect(CivilTime(listDate: text)?.instant == noon + .milliseconds(milliseconds))
    }

    @Test(
        "What is no date is none",
        arguments: ["", "Z", "2026-13-01T00:00:00Z", "12:00:00", "+0000", "\u{e9}\u{e9}-0100"])
    func noDates(text: String) { #expect(CivilTime(listDate: text) == nil) }
}
