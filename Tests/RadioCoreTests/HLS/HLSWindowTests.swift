// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import RadioCore
@testable import RadioFormats

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

    private func check(
        _ window: inout HLSWindow, _ list: MediaPlaylist, isQuiet: Bool = false, _ relation: HLSWindow.Relation,
        _ place: SourceLocation = #_sourceLocation
    ) {
        let found = window.relation(list, isQuiet: isQuiet)
        #expect(found == relation, sourceLocation: place)
    }

    @Test("A list that overlaps continues, and one with an older end is behind") func continues() {
        var window = Self.window()
        check(&window, Self.list(12..<18), .continues(isBehind: false))
        check(&window, Self.list(10..<16), .continues(isBehind: false))
        check(&window, Self.list(8..<14), .continues(isBehind: true))
    }

    @Test("A list without common segments is of another lineage; its dates say whether it is newer") func other() {
        var window = Self.window()
        check(&window, Self.list(40..<46), .other(isNewer: true))
        check(&window, Self.list(1..<5), .other(isNewer: false))
        var undated = Self.station
        undated.isDated = false
        check(&window, Self.list(40..<46, undated), .other(isNewer: false))
        check(&window, .listing([]), .other(isNewer: false))
    }

    @Test("Equal numbers with other names and dates are of another lineage") func restart() {
        var other = Self.station
        (other.run, other.began) = (1, Self.now)
        var window = Self.window()
        check(&window, Self.list(10..<16, other), .other(isNewer: true))
    }

    @Test("Edges may name segments differently if the dates agree, and date them differently if the names do")
    func edges() {
        var renamed = Self.station
        renamed.run = 7
        var window = Self.window()
        check(&window, Self.list(10..<17, renamed), .continues(isBehind: false))
        var redated = Self.station
        redated.began = redated.began + .seconds(3)
        check(&window, Self.list(10..<17, redated), .continues(isBehind: false))
        redated.began = redated.began + .seconds(30)
        check(&window, Self.list(10..<17, redated), .other(isNewer: true))
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
        #expect(window.entries.allSatisfy { $0.others.count <= 4 && !$0.others.contains($0.segment) })
    }

    @Test("What was delivered is forgotten after a thousand segments") func memory() {
        var window = HLSWindow()
        for start in stride(from: Int64(0), to: 9_000, by: 100) {
            _ = window.take(Self.list(start..<start + 100), Self.now)
            while window.next != nil { window.pass(.over) }
        }
        #expect(window.entries.count <= 1_100 && window.index(of: 8_999) != nil && window.index(of: 5) == nil)
    }

    /// The station, without dates, and with one name for all segments but for what `name` tells of a number.
    private static func undated(_ numbers: Range<Int64>, name: ((Int64) -> String)? = nil) -> MediaPlaylist {
        var list = list(numbers)
        for index in list.segments.indices {
            list.segments[index].date = nil
            if let name { list.segments[index].url = name(list.segments[index].number) }
        }
        return list
    }

    @Test("Without dates, a list that is behind but goes on while nothing else does is of another lineage")
    func undatedRestart() {
        var window = HLSWindow()
        _ = window.take(Self.undated(10..<40), Self.now)
        check(&window, Self.undated(10..<12), .continues(isBehind: true))
        check(&window, Self.undated(10..<13), .continues(isBehind: true))
        check(&window, Self.undated(10..<13), isQuiet: true, .other(isNewer: false))
        check(&window, Self.undated(10..<12), isQuiet: true, .continues(isBehind: true))
        // After news, it begins anew.
        _ = window.take(Self.undated(30..<41), Self.now)
        check(&window, Self.undated(10..<14), isQuiet: true, .continues(isBehind: true))
        // Dates tell that a list is only late.
        var dated = Self.window()
        check(&dated, Self.list(8..<13), isQuiet: true, .continues(isBehind: true))
        check(&dated, Self.list(8..<14), isQuiet: true, .continues(isBehind: true))
    }

    @Test("A list that is behind, and counts other discontinuities, is of another lineage") func discontinuities() {
        func list(_ numbers: Range<Int64>, sequence: Int64) -> MediaPlaylist {
            var list = Self.undated(numbers)
            list.discontinuitySequence = sequence
            for index in list.segments.indices { list.segments[index].discontinuity = sequence }
            return list
        }
        var window = HLSWindow()
        _ = window.take(list(10..<40, sequence: 3), Self.now)
        check(&window, list(20..<38, sequence: 3), .continues(isBehind: true))
        check(&window, list(10..<12, sequence: 0), .other(isNewer: false))
    }

    @Test(
        "If the name of a file does not tell segments apart, the whole address does",
        arguments: ["live/seg.ts?n=", "live/n/seg.ts?of="])
    func queries(path: String) {
        func list(_ numbers: Range<Int64>, plus: Int64 = 0) -> MediaPlaylist {
            Self.undated(numbers) { number in
                "http://radio.test/\(path.replacing("/n/", with: "/\(number + plus)/"))\(number + plus)"
            }
        }
        var window = HLSWindow()
        _ = window.take(list(10..<16), Self.now)
        check(&window, list(12..<18), .continues(isBehind: false))
        check(&window, list(10..<14, plus: 500), .other(isNewer: false))
    }

    @Test("A segment keeps its ranges, keys and sections with their addresses") func wholes() {
        func list(_ edge: String) -> MediaPlaylist {
            var list = Self.list(10..<16)
            for index in list.segments.indices {
                list.segments[index].url += "&edge=\(edge)"
                list.segments[index].key = .aes128(url: "http://radio.test/key?edge=\(edge)", vector: nil)
                list.segments[index].map = SegmentMap(url: "http://radio.test/map?edge=\(edge)", range: nil, key: nil)
            }
            return list
        }
        var window = HLSWindow()
        _ = window.take(list("a"), Self.now)
        window.update(11) { $0.progress = .held(5) }
        _ = window.take(list("b"), Self.now)
        let (first, held) = (window.entries[0], window.entries[1])
        #expect(first.segment == list("b").segments[0] && first.others == [list("a").segments[0]])
        // What is at hand was fetched by the older list.
        #expect(held.segment == list("a").segments[1])
    }

    @Test("If only the first segment of a list is dated, all are, and so is what no list dated before") func dates() {
        var station = Self.station
        (station.datesFirstOnly, station.window) = (true, 6)
        var window = HLSWindow()
        _ = window.take(Self.undated(160..<164), Self.now)
        _ = window.take(station.list(Self.now), Self.now)
        let due = window.entries.map { $0.date?.nanoseconds }
        let expected = window.entries.map { entry in
            (1_800_000_000_000_000_000 + Self.station.began.nanoseconds) + entry.number * 6_000_000_000
        }
        #expect(due == expected)
        station.began = station.began + .seconds(3_000)
        check(&window, station.list(Self.now + .seconds(3_000)), .other(isNewer: true))
    }

    @Test("What is awaited is more than a list has only if lists are hostile") func overfull() {
        var window = HLSWindow()
        _ = window.take(Self.list(0..<20_000), Self.now)
        #expect(!window.isOverfull)
        _ = window.take(Self.list(19_999..<20_001), Self.now)
        #expect(window.isOverfull)
        window.pass(.givenUp)
        #expect(!window.isOverfull)
    }

    @Test("A list of a day costs little each time") func cost() {
        let lists = (0..<10).map { start in Self.list(Int64(start)..<Int64(start) + 20_000) }
        var window = HLSWindow()
        _ = window.take(lists[0], Self.now)
        window.begin(at: 19_990)
        let spent = ContinuousClock().measure {
            for list in lists where window.relation(list, isQuiet: false) == .continues(isBehind: false) {
                _ = window.take(list, Self.now)
            }
        }
        #expect(window.entries.last?.number == 20_008 && spent < .milliseconds(50), "\(spent)")
    }
}
