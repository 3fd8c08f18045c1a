// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import TestSupport
import Testing

@testable import Stations

/// Another stream at the address of a station, while the station is away.
struct OtherStreamTests {
    private static let programme = Broadcast([.music(.seconds(160))], seed: 1)
    private static let heard = HeardFrames(of: programme)
    private static let other = Broadcast([.music(.seconds(160))], seed: 2)
    private static let announcement = Broadcast([.music(.seconds(2))], seed: 3)

    private static func stream(
        _ broadcast: Broadcast, named name: String?, until end: Duration? = nil
    ) -> LiveScript.Answer {
        return .stream(
            LiveStream(
                broadcast, faults: end.map { [.at($0, .reset)] } ?? [], fields: name.map { ["icy-name": $0] } ?? [:]))
    }

    private static func run(
        named given: String? = nil, _ answer: @escaping @Sendable (LiveScript.Visit) -> LiveScript.Answer
    ) -> VirtualStation.Outcome {
        VirtualStation(LiveScript(answer: answer), hearing: heard) { $0.name = given }.run(for: .seconds(60))
    }

    @Test("A34: Another name at the same address, and other frames, are a change of station, and so is the return")
    func renamed() {
        let outcome = Self.run(named: "Mine") { visit in
            visit.time < .seconds(20)
                ? Self.stream(Self.programme, named: "A", until: .seconds(20) - visit.time)
                : visit.time < .seconds(30)
                    ? Self.stream(Self.other, named: "B", until: .seconds(30) - visit.time)
                    : Self.stream(Self.programme, named: "A")
        }
        #expect(outcome.heard.infos.map(\.name) == ["Mine", "B", "Mine"])
        #expect(outcome.heard.infos.map(\.changes) == [0, 1, 2])
        #expect(outcome.heard.infos.map(\.standsIn) == [false, true, false])
        // What the address sends is kept.
        #expect(outcome.report.foreign > 380 && outcome.report.duplicated.isEmpty, "\(outcome)")
        #expect(outcome.heard.failures.allSatisfy { $0.failureClass == .dropped }, "\(outcome.heard.failures)")
    }

    @Test("A34: Stations that take turns at one address continue where they were left, each frame once")
    func turns() throws {
        let broadcasts = [Self.programme, Self.other]
        let outcomes = broadcasts.map { broadcast in
            VirtualStation(
                LiveScript { visit in
                    let turn = Int(visit.time.inSeconds) / 5
                    let end = Duration.seconds(5 * (turn + 1)) - visit.time
                    // The burst reaches back before the end of the station's last turn.
                    return .stream(
                        LiveStream(
                            broadcasts[turn % 2], burst: 160_000, faults: [.at(end, .reset)],
                            fields: ["icy-name": turn.isMultiple(of: 2) ? "A" : "B"]))
                }, hearing: HeardFrames(of: broadcast)
            ).run(for: .seconds(44))
        }
        for outcome in outcomes {
            #expect(outcome.report.duplicated.isEmpty && outcome.report.lost.isEmpty, "\(outcome)")
            #expect(outcome.heard.infos.map(\.icyName) == (0..<9).map { $0 % 2 == 0 ? "A" : "B" })
            #expect(outcome.heard.infos.map(\.changes) == Array(0..<9) && outcome.heard.splices.count == 7)
        }
    }

    @Test("A34: A list at the address of a station, which leads to another stream, is a change of station")
    func ledElsewhere() {
        let other = LiveStream(Self.other, fields: ["icy-name": "B"])
        let hosts = [
            "a.test": LiveScript { visit in
                visit.time < .seconds(20)
                    ? Self.stream(Self.programme, named: "A", until: .seconds(20) - visit.time)
                    : .text("#EXTM3U\nhttp://b.test/\n", type: "audio/x-mpegurl")
            }, "b.test": LiveScript(.stream(other)),
        ]
        let outcome = VirtualStation(hosts: hosts, hearing: Self.heard, urls: ["http://a.test/"]).run(for: .seconds(60))
        #expect(outcome.heard.infos.map(\.icyName) == ["A", "B"])
        #expect(outcome.heard.infos.map(\.changes) == [0, 1])
    }

    @Test(
        "A34: The same frames under another name, or a stream without a name, are no change of station",
        arguments: ["B", nil] as [String?])
    func unproven(name: String?) {
        let broadcast = name == nil ? Self.other : Self.programme
        let outcome = Self.run { visit in
            visit.time < .seconds(20)
                ? Self.stream(Self.programme, named: "A", until: .seconds(20) - visit.time)
                : Self.stream(broadcast, named: name)
        }
        #expect(outcome.heard.infos.allSatisfy { $0.changes == 0 && !$0.standsIn })
        #expect(name == nil ? outcome.report.foreign > 1_000 : outcome.isWhole, "\(outcome)")
    }

    @Test("A34: A short stream under another name is kept whole") func short() {
        let outcome = Self.run { visit in
            visit.number == 0
                ? Self.stream(Self.programme, named: "A", until: .seconds(20))
                : visit.number == 1
                    ? .response(LiveHead(200, "OK", ["icy-name": "B"]), body: Self.announcement.bytes)
                    : Self.stream(Self.programme, named: "A")
        }
        #expect(outcome.report.foreign == Self.announcement.frames.count, "\(outcome)")
        #expect(outcome.heard.infos.map(\.changes) == [0, 1, 2] && outcome.heard.foreign.isEmpty)
    }

    @Test(
        "A34: A file in place of the station is kept once, as a foreign span, and the station continues as if it had not been",
        arguments: [22, 40])
    func file(back: Int) throws {
        let outcome = Self.run(named: "Mine") { visit in
            if visit.time < .seconds(20) {
                return Self.stream(Self.programme, named: "A", until: .seconds(20) - visit.time)
            }
            guard visit.time < .seconds(back) else { return Self.stream(Self.programme, named: "A") }
            let length = "\(Self.announcement.bytes.count)"
            return .response(LiveHead(200, "OK", ["Content-Length": length]), body: Self.announcement.bytes)
        }
        let foreign = try #require(outcome.heard.foreign.first)
        let count = Int64(Self.announcement.frames.count)
        #expect(outcome.heard.foreign.count == 1 && Int64(foreign.frames.count) == count, "\(outcome)")
        #expect(outcome.report.foreign == Int(count) && outcome.report.duplicated.isEmpty, "\(outcome)")
        #expect(outcome.heard.infos.map(\.standsIn).contains(true))
        let last = try #require(outcome.heard.infos.last)
        #expect(last.name == "Mine" && !last.standsIn && last.changes == 2)
        #expect(outcome.heard.failures.contains { $0.failureClass == .file }, "\(outcome.heard.failures)")
        // Nothing is missing if the burst reaches back. Else the gap after the file has the length of what is missing.
        // A gap that was reported with the file lies in the foreign span, so recordings remove it.
        let lost = Duration.samples(Int64(outcome.report.lost.count * 1_152), at: 44_100)
        let places = zip(outcome.heard.gaps, outcome.heard.framesBeforeGaps)
        let gaps = places.filter { !foreign.frames.contains(Int64($1)) }
        #expect(gaps.count == (back == 22 ? 0 : 1) && (lost == .zero) == (back == 22), "\(outcome)")
        for (gap, _) in gaps { #expect(abs(((gap.length ?? .zero) - lost).inSeconds) < 0.3, "\(gap), \(lost)") }
    }

    /// A file in place of a station: whether its head announces its length, the name that its server sends, the name of
    /// the station, and how long it plays.
    struct InPlace {
        var hasLength: Bool
        var name: String?
        var station: String?
        var seconds = 2

        static let all = [
            InPlace(hasLength: true, station: nil), InPlace(hasLength: true, station: nil, seconds: 150),
            InPlace(hasLength: false, station: nil), InPlace(hasLength: false, station: "A"),
            InPlace(hasLength: false, station: "A", seconds: 40), InPlace(hasLength: false, station: "A", seconds: 150),
            InPlace(hasLength: true, name: "A", station: "A"), InPlace(hasLength: true, name: "B", station: "A"),
        ]
    }

    /// Answers with the programme, except for a time, in which it answers as `answer` says.
    private static func run(
        station: String?, until back: Int, _ answer: @escaping @Sendable (LiveScript.Visit) -> LiveScript.Answer
    ) -> VirtualStation.Outcome {
        run { visit in
            if visit.time < .seconds(20) {
                return stream(programme, named: station, until: .seconds(20) - visit.time)
            }
            return visit.time < .seconds(back) ? answer(visit) : stream(programme, named: station)
        }
    }

    private static func file(_ body: [UInt8], hasLength: Bool = true, named name: String? = nil) -> LiveScript.Answer {
        var fields = [("Content-Type", "audio/mpeg")]
        if hasLength { fields.append(("Content-Length", "\(body.count)")) }
        if let name { fields.append(("icy-name", name)) }
        var head = LiveHead(200, "OK", [:])
        head.fields = fields
        return .response(head, body: body)
    }

    @Test(
        "A34: Whatever its head says, a file in place of a station is kept once, is foreign, and ends nothing",
        arguments: InPlace.all)
    func inPlace(of kind: InPlace) throws {
        let audio = Broadcast([.music(.seconds(kind.seconds))], seed: 5)
        let outcome = Self.run(station: kind.station, until: 40) { _ in
            Self.file(audio.bytes, hasLength: kind.hasLength, named: kind.name)
        }
        #expect(outcome.log.accepts.count > 8 && outcome.snapshot.activity == .delivering, "\(outcome)")
        let foreign = try #require(outcome.heard.foreign.first)
        #expect(outcome.heard.foreign.count == 1 && foreign.frames.count == audio.frames.count, "\(outcome)")
        #expect(outcome.report.foreign == audio.frames.count && outcome.report.duplicated.isEmpty, "\(outcome)")
        // It was on air when it arrived.
        let start = try #require(outcome.heard.wallStart) + .seconds(20)
        #expect(abs((foreign.at - start).inSeconds) < 2, "\((foreign.at - start).inSeconds)")
        // The outage goes on, and its gap has the length of what is missing.
        let lost = Duration.samples(Int64(outcome.report.lost.count * 1_152), at: 44_100)
        let places = zip(outcome.heard.gaps, outcome.heard.framesBeforeGaps)
        let gaps = places.filter { !foreign.frames.contains(Int64($1)) }.map(\.0)
        #expect(gaps.count == 1 && lost > .seconds(10), "\(outcome)")
        for gap in gaps { #expect(abs(((gap.length ?? .zero) - lost).inSeconds) < 0.3, "\(gap), \(lost)") }
    }

    @Test("A34: A file in place of a station is told as foreign", arguments: InPlace.all) func told(of kind: InPlace) {
        let audio = Broadcast([.music(.seconds(kind.seconds))], seed: 5)
        let outcome = Self.run(station: kind.station, until: 40) { _ in
            Self.file(audio.bytes, hasLength: kind.hasLength, named: kind.name)
        }
        let told = outcome.heard.notices.compactMap { if case .stretch(let stretch) = $0 { stretch } else { nil } }
        #expect(!told.isEmpty && told == outcome.heard.stretches, "\(told)")
    }

    @Test("A34: The burst that a radio server sends each time while its source is away is no file") func sameBurst() {
        let burst = Broadcast([.music(.seconds(6))], seed: 5)
        let outcome = Self.run(station: "A", until: 40) { _ in
            Self.file(burst.bytes, hasLength: false, named: "A")
        }
        #expect(outcome.log.accepts.count > 4 && outcome.heard.foreign.isEmpty, "\(outcome)")
    }

    @Test("A34: Files of which a station's address sends one after the other are kept once each", arguments: [2, 150])
    func files(seconds: Int) {
        let files = (6...8).map { Broadcast([.music(.seconds(seconds + Int($0)))], seed: $0) }
        let outcome = Self.run(station: "A", until: 40) { visit in
            Self.file(files[visit.number % 3].bytes, hasLength: seconds == 2)
        }
        #expect(outcome.log.accepts.count > 8, "\(outcome)")
        #expect(outcome.report.foreign == files.reduce(0) { $0 + $1.frames.count }, "\(outcome)")
        #expect(outcome.heard.foreign.count == 3 && outcome.report.duplicated.isEmpty, "\(outcome)")
    }

    @Test("A34: A station that begins like a file in its place is heard from its first own frame on") func jingle() {
        let jingle = Broadcast([.music(.seconds(4))], seed: 5)
        let outcome = Self.run { visit in
            if visit.time < .seconds(20) {
                return Self.stream(Self.programme, named: "A", until: .seconds(20) - visit.time)
            }
            guard visit.time > .seconds(40) else { return Self.file(jingle.bytes) }
            return .stream(LiveStream(Self.programme, fields: ["icy-name": "A"], advert: .init(jingle, catchUp: .zero)))
        }
        #expect(outcome.snapshot.activity == .delivering && outcome.report.duplicated.isEmpty, "\(outcome)")
        #expect(outcome.report.places.compactMap(\.self).count > 38 * 38 - 200, "\(outcome)")
    }

    @Test("A34: What a station sends again after another one was heard is told as repeated") func repeated() throws {
        let outcome = Self.run { visit in
            if visit.time < .seconds(8) {
                return Self.stream(Self.programme, named: "A", until: .seconds(8) - visit.time)
            }
            if visit.time < .seconds(14) {
                return Self.stream(Self.other, named: "B", until: .seconds(14) - visit.time)
            }
            return .stream(LiveStream(Self.programme, lag: .seconds(20), fields: ["icy-name": "A"]))
        }
        #expect(outcome.heard.infos.map(\.changes) == [0, 1, 2] && outcome.heard.foreign.isEmpty, "\(outcome)")
        let repeated = try #require(outcome.heard.repeated.first)
        let places = outcome.report.places.compactMap(\.self)
        #expect(outcome.heard.repeated.count == 1 && repeated.frames.count > 300, "\(outcome)")
        #expect(repeated.frames.count == places.count - Set(places).count, "\(outcome)")
    }

    @Test(
        "A34: New files in place of a station, one at each try, are all foreign, and come at a pace that slows down",
        arguments: [2, 20])
    func newFiles(seconds: Int) {
        let script = LiveScript { visit in
            visit.time < .seconds(20)
                ? Self.stream(Self.programme, named: "A", until: .seconds(20) - visit.time)
                : Self.file(Broadcast([.music(.seconds(seconds))], seed: 1_000 + UInt64(visit.number)).bytes)
        }
        let station = VirtualStation(script, hearing: Self.heard)
        station.station.start()
        var counts: [Int] = []
        for _ in 0..<4 {
            station.reactor.advance(by: .seconds(1_800))
            counts.append(station.origin.log.accepts.count)
        }
        let outcome = station.end()
        let foreign = outcome.heard.foreign.reduce(0) { $0 + $1.frames.count }
        #expect(foreign == outcome.report.foreign && foreign > 0, "\(outcome)")
        // Each try brings one file, and after an hour there is one try a minute.
        #expect(counts[0] < 400 && counts[3] - counts[1] < 80, "\(counts)")
    }
}
