// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

@testable import Stations

/// The entries of a list: which of them is the station, and which may stand in for it.
struct ListEntryTests {
    private static let programmes = (1...3).map { Broadcast([.music(.seconds(160))], seed: UInt64($0)) }
    private static let heard = programmes.map { HeardFrames(of: $0) }

    /// A server of one entry. It goes away for a while, if that is wanted.
    private static func server(
        _ programme: Int, named name: String?, absent: LiveScript.Absence? = nil, type: String? = nil, lag: Int = 0
    ) -> LiveScript {
        let stream = LiveStream(
            programmes[programme], lag: .seconds(lag), fields: name.map { ["icy-name": $0] } ?? ["icy-pub": "0"])
        return LiveScript(.stream(stream), absences: absent.map { [$0] } ?? [])
    }

    private static func list(_ text: String, type: String = "audio/x-mpegurl") -> LiveScript {
        LiveScript(.text(text, type: type))
    }

    private static let three = list("#EXTM3U\nhttp://a.test/\nhttp://b.test/\nhttp://c.test/\n")
    private static let two = list("#EXTM3U\nhttp://a.test/\nhttp://b.test/\n")
    private static let outage = LiveScript.Absence(.seconds(20), for: .seconds(8), .gone)

    /// Runs a station at a list, and compares what is heard with one of the programmes.
    private static func run(
        _ hosts: [String: LiveScript], hearing programme: Int = 0, for length: Duration = .seconds(60),
        _ change: (inout StationSettings) -> Void = { _ in }
    ) -> VirtualStation.Outcome {
        VirtualStation(
            hosts: hosts.merging(["list.test": three]) { given, _ in given }, hearing: heard[programme],
            urls: ["http://list.test/x.m3u"], change
        ).run(for: length)
    }

    // MARK: Evidence

    @Test("A31: In an outage of a list's entry, frames of another station are never heard", arguments: [true, false])
    func otherStations(areNamed: Bool) throws {
        let outcome = Self.run([
            "a.test": Self.server(0, named: areNamed ? "A" : nil, absent: Self.outage),
            "b.test": Self.server(1, named: areNamed ? "B" : nil),
            "c.test": Self.server(2, named: areNamed ? "C" : nil),
        ])
        #expect(outcome.report.foreign == 0 && outcome.report.duplicated.isEmpty, "\(outcome)")
        let gap = try #require(outcome.heard.gaps.first)
        #expect(outcome.heard.gaps.count == 1, "\(outcome)")
        let lost = Duration.samples(Int64(outcome.report.lost.count * 1_152), at: 44_100)
        #expect(abs(((gap.length ?? .zero) - lost).inSeconds) < 0.3, "\(gap), \(lost)")
        #expect(Set(outcome.heard.infos.map(\.url)).count == 1)
        // Each of the others was asked once, and what it is was said.
        #expect(outcome.heard.failures.count { $0.failureClass == .otherStation } == 2, "\(outcome.heard.failures)")
        // The station is back soon after its server is.
        #expect(outcome.heard.longestPause < .seconds(14), "\(outcome.heard.longestPause)")
    }

    @Test(
        "A31: Entries with one name, or with the same frames, are mirrors of one station",
        arguments: [("A", "a"), (nil, nil)] as [(String?, String?)])
    func mirrors(first: String?, second: String?) {
        let hosts = [
            "a.test": Self.server(0, named: first, absent: .init(.seconds(20), for: .seconds(100), .gone)),
            "b.test": Self.server(0, named: second), "c.test": Self.server(2, named: "C"),
        ]
        let outcome = Self.run(hosts)
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.heard.longestPause < .seconds(5), "\(outcome.heard.longestPause)")
    }

    @Test(
        "A31: A list may say that its entries are one station",
        arguments: [
            (
                "[playlist]\nFile1=http://a.test/\nTitle1=(#1 - 23/500) Radio\nFile2=http://b.test/\n"
                    + "Title2=(#2 - 7/500) Radio\n", "audio/x-scpls"
            ),
            (
                "<?xml version='1.0'?><playlist><trackList><track><location>http://a.test/</location><location>http://b.test/</location>"
                    + "</track></trackList></playlist>", "application/xspf+xml"
            ),
        ])
    func stated(text: String, type: String) {
        // Each server has an encoder and a name of its own.
        let hosts = [
            "list.test": Self.list(text, type: type),
            "a.test": Self.server(0, named: "A", absent: .init(.seconds(20), for: .seconds(100), .gone)),
            "b.test": Self.server(1, named: "B"),
        ]
        let outcomes = [0, 1].map { Self.run(hosts, hearing: $0) }
        #expect(outcomes[0].report.foreign > 1_000 && outcomes[1].report.lost.isEmpty, "\(outcomes)")
        #expect(outcomes[0].heard.infos.allSatisfy { $0.changes == 0 })
        // Time alone drops no frame: the whole burst of the other encoder is there, and the gap says so.
        let gap = outcomes[0].heard.gaps.first
        // It is said once that the names differ.
        let renamed = outcomes[0].heard.notices.compactMap { notice -> [String?]? in
            if case .renamed(let info, let old) = notice { [old, info.icyName] } else { nil }
        }
        #expect(renamed == [["A", "B"]])
        #expect(outcomes[0].heard.gaps.count == 1 && (gap?.overlap ?? .zero) > .seconds(1), "\(outcomes[0])")
    }

    @Test("A31: Any entry may stand in if that is allowed, and it is said that the station changes")
    func anyEntry() throws {
        let hosts = [
            "a.test": Self.server(0, named: "A", absent: Self.outage), "b.test": Self.server(1, named: "B"),
            "c.test": Self.server(2, named: "C"),
        ]
        let outcome = Self.run(hosts) {
            $0.takesAnyEntry = true
            $0.name = "Mine"
        }
        // The station, another one in its place, and the station again as soon as it is back.
        #expect(outcome.heard.infos.map(\.name) == ["Mine", "B", "Mine"])
        #expect(outcome.heard.infos.map(\.changes) == [0, 1, 2])
        #expect(outcome.heard.infos.map(\.standsIn) == [false, true, false])
        let changes = outcome.heard.notices.compactMap { notice -> String? in
            if case .changed(let old, let info) = notice { "\(old.name) → \(info.name)" } else { nil }
        }
        #expect(changes == ["Mine → B", "B → Mine"])
        #expect(outcome.heard.gaps.count == 1, "\(outcome)")
        #expect(outcome.report.duplicated.isEmpty && outcome.heard.longestPause < .seconds(5), "\(outcome)")
    }

    @Test("A31: Names that differ count more than equal titles of a list")
    func titles() {
        let list = Self.list("#EXTM3U\n#EXTINF:-1,Jazz\nhttp://a.test/\n#EXTINF:-1,Jazz\nhttp://b.test/\n")
        func run(_ names: (String?, String?)) -> VirtualStation.Outcome {
            Self.run([
                "list.test": list, "a.test": Self.server(0, named: names.0, absent: Self.outage),
                "b.test": Self.server(1, named: names.1),
            ])
        }
        #expect(run(("Jazz FM", "Smooth Jazz")).report.foreign == 0)
        #expect(run((nil, nil)).report.foreign > 100)
    }

    @Test(
        "A29: An entry whose host has letters outside ASCII is played",
        arguments: ["münchen.test", "m%C3%BCnchen.test"])
    func hostOutsideASCII(host: String) {
        // The HTTP client gets the name in one of two forms, and looks up the same host for both.
        let hosts = [
            "list.test": Self.list("#EXTM3U\nhttp://\(host)/\n"), "m%C3%BCnchen.test": Self.server(0, named: "A"),
        ]
        let outcome = Self.run(hosts, for: .seconds(10))
        #expect(outcome.isWhole && outcome.report.places.count > 100, "\(outcome)")
    }

    // MARK: An earlier run

    private static let away = LiveScript.Absence(.zero, for: .seconds(12), .gone)

    @Test(
        "A35: The entry that was the station in an earlier run is the station, although others play at once",
        arguments: [true, false], ["http://a.test/", "http://a.test/?token=9"])
    func earlierRun(areNamed: Bool, address: String) throws {
        let names = areNamed ? ["A", "B"] : [nil, nil]
        let outcome = Self.run([
            "list.test": Self.two, "a.test": Self.server(0, named: names[0], absent: Self.away),
            "b.test": Self.server(1, named: names[1]),
        ]) { $0.choice = ListChoice(addresses: [address], name: names[0]) }
        #expect(outcome.report.foreign == 0 && outcome.report.places.count > 1_000, "\(outcome)")
        let refusal = try #require(outcome.heard.failures.first { $0.failureClass == .otherStation })
        #expect(refusal.message.hasSuffix("does not stand in for \(areNamed ? "A" : "http://a.test/")"), "\(refusal)")
        #expect(outcome.heard.infos.map(\.changes) == [0], "\(outcome.heard.infos)")
    }

    @Test("A35: A file that the list plays first does not change which entry is the station") func earlierRunAndFile() {
        let outcome = Self.run(
            [
                "a.test": Self.file(ranges: true), "b.test": Self.server(1, named: nil, absent: Self.away),
                "c.test": Self.server(2, named: nil),
            ], hearing: 1
        ) { $0.choice = ListChoice(addresses: ["http://b.test/"], name: nil) }
        #expect(outcome.report.foreign == Self.advert.frames.count, "\(outcome)")
        #expect(outcome.heard.infos.last?.url == "http://b.test/", "\(outcome.heard.infos)")
    }

    @Test("A35: An entry before the one of an earlier run is preferred as ever") func earlierRunLater() {
        let outcome = Self.run(["a.test": Self.server(0, named: "A"), "b.test": Self.server(1, named: "B")]) {
            $0.choice = ListChoice(addresses: ["http://b.test/"], name: "B")
        }
        #expect(outcome.isWhole && outcome.heard.infos.map(\.url) == ["http://a.test/"], "\(outcome)")
        let new = ListChoice(addresses: ["http://a.test/"], name: "A", before: [])
        let old = ListChoice(addresses: ["http://b.test/"], name: "B")
        #expect(outcome.heard.notices.contains(.chose(new, insteadOf: old)), "\(outcome.heard.notices)")
    }

    @Test("A35: A list that has another order in the next run has the same station", arguments: [true, false])
    func earlierRunInOtherOrder(areNamed: Bool) throws {
        let names = areNamed ? ["A", "B"] : [nil, nil]
        func run(_ list: String, _ choice: ListChoice?, absent: LiveScript.Absence?) -> VirtualStation.Outcome {
            Self.run([
                "list.test": Self.list(list), "a.test": Self.server(0, named: names[0], absent: absent),
                "b.test": Self.server(1, named: names[1]),
            ]) { $0.choice = choice }
        }
        func choice(_ outcome: VirtualStation.Outcome) -> ListChoice? {
            outcome.heard.notices.compactMap { if case .chose(let choice, _) = $0 { choice } else { nil } }.last
        }
        let first = run("http://a.test/\nhttp://b.test/\n", nil, absent: nil)
        let chosen = try #require(choice(first))
        // So long that the list is read again.
        let away = LiveScript.Absence(.zero, for: .seconds(25), .gone)
        let second = run("http://b.test/\nhttp://a.test/\n", chosen, absent: away)
        #expect(second.report.foreign == 0 && second.report.places.count > 1_000, "\(second)")
        #expect(second.heard.infos.allSatisfy { $0.url == "http://a.test/" })
    }

    @Test("A35: If the list has that entry no more, the first that plays is the station, and this is said")
    func lostEntry() {
        let old = ListChoice(addresses: ["http://old.test/"], name: "Old")
        let outcome = Self.run(
            [
                "list.test": Self.two, "a.test": Self.server(0, named: "A", absent: Self.away),
                "b.test": Self.server(1, named: "B"),
            ], hearing: 1, for: .seconds(5)
        ) { $0.choice = old }
        #expect(outcome.isWhole && outcome.heard.failures.allSatisfy { $0.failureClass != .otherStation }, "\(outcome)")
        let new = ListChoice(addresses: ["http://b.test/"], name: "B", before: ["http://a.test/"])
        #expect(outcome.heard.notices.contains(.chose(new, insteadOf: old)), "\(outcome.heard.notices)")
    }

    @Test("A35: An entry with a new address and the old name is the station of the earlier run") func renewedEntry() {
        let outcome = Self.run(
            ["list.test": Self.two, "a.test": Self.server(0, named: "Old"), "b.test": Self.server(1, named: "B")],
            for: .seconds(5)
        ) { $0.choice = ListChoice(addresses: ["http://edge7.test/"], name: "OLD") }
        let chosen = outcome.heard.notices.filter { if case .chose = $0 { true } else { false } }
        let new = ListChoice(addresses: ["http://a.test/"], name: "Old", before: [])
        #expect(outcome.isWhole && chosen == [.chose(new, insteadOf: nil)], "\(chosen)")
    }

    // MARK: A list that is read again

    /// A server of lists: the original list until ten seconds before the outage, then `later`.
    private static func lists(_ later: String) -> LiveScript {
        LiveScript { visit in
            let entries = visit.time < .seconds(10) ? "http://a.test/\nhttp://b.test/\n" : later
            return .text("#EXTM3U\n" + entries, type: "audio/x-mpegurl")
        }
    }

    private static let longOutage = LiveScript.Absence(.seconds(20), for: .seconds(25), .gone)

    @Test(
        "A31: A list that is read again in an outage, in another order or with new addresses, has the same station",
        arguments: [
            "http://b.test/\nhttp://a.test/\n", "http://a2.test/\nhttp://b2.test/\n",
            "http://a2.test/\nhttp://b.test/\n",
        ])
    func changedList(later: String) {
        let outcome = Self.run(
            [
                "list.test": Self.lists(later), "a.test": Self.server(0, named: "A", absent: Self.longOutage),
                "a2.test": Self.server(0, named: "A", absent: Self.longOutage),
                "b.test": Self.server(1, named: "B"), "b2.test": Self.server(1, named: "B"),
            ], for: .seconds(80))
        #expect(outcome.report.foreign == 0 && outcome.report.duplicated.isEmpty, "\(outcome)")
        #expect(outcome.heard.gaps.count == 1 && outcome.snapshot.activity == .delivering, "\(outcome)")
        #expect(outcome.log.requests.count { outcome.log.accepts[$0.connection].host == "list.test" } > 1)
    }

    @Test("A31: If a list that is read again has the station no more, another entry is a change of station")
    func droppedEntry() throws {
        let outcome = Self.run(
            [
                "list.test": Self.lists("http://b.test/\n"),
                "a.test": Self.server(0, named: "A", absent: .init(.seconds(20), for: .seconds(60), .gone)),
                "b.test": Self.server(1, named: "B"),
            ], for: .seconds(80))
        let last = try #require(outcome.heard.infos.last)
        #expect(last.icyName == "B" && last.changes == 1 && last.standsIn, "\(outcome.heard.infos)")
        #expect(outcome.report.foreign > 100)
    }

    // MARK: Preference

    @Test(
        "A32: A list's order is a preference: a better entry is heard within seconds of its return",
        arguments: [("A", "B"), ("A", "A"), (nil, nil)] as [(String?, String?)], [2, 15])
    func better(names: (String?, String?), seconds: Int) throws {
        let hosts = [
            "a.test": Self.server(0, named: names.0, absent: .init(.zero, for: .seconds(seconds), .refusing)),
            "b.test": Self.server(1, named: names.1), "c.test": Self.server(2, named: "C"),
        ]
        // The frames of a namesake may still come to match, for half a minute.
        let wait = names.0 == names.1 && names.0 != nil ? 30 : 0
        let outcome = Self.run(hosts, for: .seconds(60 + wait))
        let last = try #require(outcome.heard.infos.last)
        #expect(last.entry == StationInfo.Entry(number: 1, count: 3), "\(outcome.heard.infos)")
        #expect(outcome.heard.infos.first?.entry == StationInfo.Entry(number: 2, count: 3))
        let isOther = names.0 != "A" || names.1 != "A"
        #expect(last.changes == (isOther ? 1 : 0), "\(outcome.heard.infos)")
        let heard = Duration.samples(Int64((outcome.report.places.count - outcome.report.foreign) * 1_152), at: 44_100)
        #expect(heard > .seconds(60 - seconds * 2 - 8), "\(heard), \(outcome)")
        #expect(outcome.report.duplicated.isEmpty && outcome.report.lost.isEmpty, "\(outcome)")
        #expect(outcome.snapshot.activity == .delivering)
    }

    @Test("A32: A better entry with the same audio takes over without a seam") func betterMirror() {
        let hosts = [
            "a.test": Self.server(0, named: "A", absent: .init(.zero, for: .seconds(5), .refusing)),
            "b.test": Self.server(0, named: "A"), "c.test": Self.server(2, named: "C"),
        ]
        let outcome = Self.run(hosts)
        #expect(outcome.isWhole && outcome.heard.infos.last?.entry?.number == 1, "\(outcome)")
    }

    @Test(
        "A32: A better entry takes over without a seam wherever its edge is, and whoever sends what it lacks",
        arguments: [(0, 5), (5, 0), (0, 15), (15, 0), (0, 1), (1, 0), (0, 25), (25, 0)], [true, false])
    func betterEdge(of lags: (better: Int, other: Int), isFirst: Bool) {
        let absence = isFirst ? LiveScript.Absence(.zero, for: .seconds(5), .refusing) : Self.outage
        let hosts = [
            "a.test": Self.server(0, named: "A", absent: absence, lag: lags.better),
            "b.test": Self.server(0, named: "A", lag: lags.other), "c.test": Self.server(2, named: "C"),
        ]
        let outcome = Self.run(hosts, for: .seconds(100))
        #expect(outcome.report.duplicated.isEmpty, "\(outcome)")
        #expect(outcome.heard.infos.last?.entry?.number == 1, "\(outcome.heard.infos)")
        // The burst of the other one may be too short for what the better one had not sent before its outage.
        let isMissing = !isFirst && lags.better > 4
        #expect(
            outcome.report.lost.isEmpty != isMissing && outcome.heard.gaps.count == (isMissing ? 1 : 0), "\(outcome)")
    }

    @Test("A32: A better entry that stays away is asked once a minute, and costs nothing") func betterIsGone() {
        let hosts = [
            "a.test": LiveScript(.status(404, "Not Found")), "b.test": Self.server(1, named: "B"),
            "c.test": Self.server(2, named: "C"),
        ]
        let outcome = Self.run(hosts, hearing: 1, for: .seconds(100))
        #expect(outcome.isWhole && outcome.snapshot.hedges == 0, "\(outcome)")
        let asked = outcome.log.requests.count { outcome.log.accepts[$0.connection].host == "a.test" }
        #expect((4...8).contains(asked), "\(asked)")
        #expect(outcome.heard.failures.count == 1, "\(outcome.heard.failures)")
    }

    // MARK: A file before the station

    private static let advert = Broadcast([.music(.seconds(8))], seed: 9)

    private static func file(ranges: Bool, length: Bool = true) -> LiveScript {
        var head = LiveHead(200, "OK", ["Content-Type": "audio/mpeg"])
        if length { head.fields.append(("Content-Length", "\(advert.bytes.count)")) }
        if ranges { head.fields.append(("Accept-Ranges", "bytes")) }
        return LiveScript(.response(head, body: advert.bytes))
    }

    @Test(
        "A33: A file that a list plays first is foreign, and the station after it is whole",
        arguments: [(true, true), (true, false), (false, true)], [true, false])
    func opener(of kind: (ranges: Bool, mayBeFile: Bool), length: Bool) throws {
        let hosts = [
            "list.test": Self.two, "a.test": Self.file(ranges: kind.ranges, length: length),
            "b.test": Self.server(1, named: "B", absent: Self.outage),
        ]
        let outcome = Self.run(hosts, hearing: 1) { $0.allowsFinite = kind.mayBeFile }
        let foreign = try #require(outcome.heard.foreign.first)
        #expect(foreign.frames == 0..<Int64(Self.advert.frames.count) && outcome.heard.foreign.count == 1)
        #expect(outcome.report.foreign == Self.advert.frames.count, "\(outcome)")
        #expect(outcome.report.duplicated.isEmpty && outcome.report.disorders == 0, "\(outcome)")
        // The only gap is that of the outage, in which the file is not played again.
        #expect(outcome.heard.gaps.count == 1 && outcome.heard.failure == nil, "\(outcome)")
        #expect(outcome.heard.infos.last.map { ($0.kind, $0.name, $0.changes) } ?? (.finite, "", 0) == (.live, "B", 1))
        #expect(outcome.heard.infos.last?.entry == nil)
        let first = try #require(outcome.report.first)
        let connected = Self.programmes[1].frames[first].start
        #expect(connected < .seconds(37), "\(connected)")
    }

    @Test("A33: Two files in a row are foreign, and the station after them is whole") func openers() throws {
        let hosts = [
            "a.test": Self.file(ranges: true), "b.test": Self.file(ranges: true), "c.test": Self.server(2, named: "C"),
        ]
        let outcome = Self.run(hosts, hearing: 2)
        let count = Self.advert.frames.count
        #expect(outcome.heard.foreign.reduce(0) { $0 + $1.frames.count } == 2 * count, "\(outcome.heard.foreign)")
        #expect(outcome.report.foreign == 2 * count && outcome.report.duplicated.isEmpty, "\(outcome)")
        #expect(outcome.report.lost.isEmpty && outcome.report.places.count > 3 * count, "\(outcome)")
        #expect(outcome.heard.infos.last.map(\.name) == "C" && outcome.heard.failure == nil, "\(outcome)")
    }

    @Test("A33: A list with nothing but files is no success", arguments: [true, false]) func onlyFiles(ranges: Bool) {
        let hosts = [
            "list.test": Self.two, "a.test": Self.file(ranges: ranges), "b.test": Self.file(ranges: ranges),
        ]
        let outcome = Self.run(hosts)
        #expect(outcome.heard.hasEnded && outcome.heard.failure?.failureClass == .file, "\(outcome.heard.failures)")
    }

    @Test("A33: A file before a station that never comes is no success") func openerAlone() {
        let hosts = [
            "list.test": Self.two, "a.test": Self.file(ranges: true), "b.test": LiveScript(.status(404, "Not Found")),
        ]
        let outcome = Self.run(hosts, hearing: 1) { $0.giveUp = .seconds(20) }
        #expect(outcome.heard.hasEnded && outcome.heard.failure?.failureClass == .notFound, "\(outcome.heard.failures)")
    }

    @Test(
        "A33: A file that comes in real time and says nothing of its length is foreign once it comes again",
        arguments: [nil, "B"] as [String?])
    func pacedOpener(name: String?) throws {
        let hosts = [
            "list.test": Self.two,
            "a.test": LiveScript { visit in
                var stream = LiveStream(
                    Self.advert, burst: 0, fields: name.map { ["icy-name": $0] } ?? ["Content-Type": "audio/mpeg"])
                // Each connection begins with its first frame.
                stream.lag = .seconds(40) + visit.time
                stream.faults = [.afterBytes(Self.advert.bytes.count, .close)]
                return .stream(stream)
            }, "b.test": Self.server(1, named: "B"),
        ]
        let outcome = Self.run(hosts, hearing: 1)
        #expect(outcome.report.foreign == Self.advert.frames.count, "\(outcome)")
        #expect(outcome.heard.foreign.map(\.frames) == [0..<Int64(Self.advert.frames.count)], "\(outcome)")
        #expect(outcome.report.duplicated.isEmpty && outcome.report.lost.isEmpty, "\(outcome)")
        let first = try #require(outcome.report.first)
        // The station has been missing since the first frame of the file.
        let missing = Self.programmes[1].frames[first].start - .seconds(40)
        let gap = try #require(outcome.heard.gaps.first)
        #expect(outcome.heard.gaps.count == 1 && missing > .seconds(8), "\(outcome)")
        #expect(abs(((gap.length ?? .zero) - missing).inSeconds) < 0.5, "\(gap), \(missing)")
        #expect(outcome.heard.infos.last?.url == "http://b.test/")
    }

    @Test("A33: The time without the station after a file is a gap of its length", arguments: [true, false])
    func lateStation(ranges: Bool) throws {
        let hosts = [
            "list.test": Self.two, "a.test": Self.file(ranges: ranges),
            "b.test": Self.server(1, named: "B", absent: .init(.zero, for: .seconds(20), .gone)),
        ]
        let outcome = Self.run(hosts, hearing: 1)
        #expect(outcome.report.foreign == Self.advert.frames.count && outcome.report.lost.isEmpty, "\(outcome)")
        let first = try #require(outcome.report.first)
        let missing = Self.programmes[1].frames[first].start - .seconds(40)
        let gap = try #require(outcome.heard.gaps.first)
        #expect(outcome.heard.gaps.count == 1 && missing > .seconds(15), "\(outcome)")
        #expect(abs(((gap.length ?? .zero) - missing).inSeconds) < 0.5, "\(gap), \(missing)")
        #expect(outcome.heard.infos.last?.icyName == "B" && outcome.heard.infos.last?.standsIn == false)
    }
}
