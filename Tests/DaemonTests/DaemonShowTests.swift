// SPDX-License-Identifier: MIT

import Configuration
import EventLoop
import Glibc
import HTTPServer
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// Shows of a running daemon.
struct DaemonShowTests {
    private let rig: DaemonRig

    init() throws { rig = try DaemonRig(["fip": DaemonRig.script()]) }

    @Test("Sockets of the service manager are served, and reloads keep them") func inheritedSockets() throws {
        let port = try Loopback.freePort()
        let socket = try Loopback.listen(port: port)
        #expect(fcntl(socket, F_SETFL, O_NONBLOCK) == 0)
        let configuration = try rig.configuration([DaemonRig.station("fip")])
        rig.sockets.inherit([socket])
        rig.apply(configuration, for: 3)
        #expect(Int(rig.port) == port)
        let listener = rig.listen("fip")
        rig.run(2)
        var changed = configuration
        changed.stations.append(DaemonRig.station("nova"))
        rig.apply(changed, for: 2)
        let heard = rig.listen("fip")
        rig.run(1)
        #expect(listener.collect().end == nil && !heard.collect().received.isEmpty)
    }

    @Test("Sockets of the service manager stay even if their address is configured and then removed")
    func inheritedAddress() throws {
        let port = try Loopback.freePort()
        let socket = try Loopback.listen(port: port)
        #expect(fcntl(socket, F_SETFL, O_NONBLOCK) == 0)
        var configuration = try rig.configuration([DaemonRig.station("fip")])
        let address = try #require(SocketAddress("127.0.0.1:\(port)"))
        (configuration.server.listen, configuration.server.listensByDefault) = ([address], false)
        rig.sockets.inherit([socket])
        rig.apply(configuration, for: 3)
        configuration.server.listen = []
        rig.apply(configuration, for: 2)
        #expect(Int(rig.port) == port)
        let listener = rig.listen("fip")
        rig.run(2)
        #expect(!listener.collect().received.isEmpty)
    }

    @Test("Sockets of the service manager are served while another address is unavailable")
    func unavailableAddress() throws {
        let port = try Loopback.freePort()
        let socket = try Loopback.listen(port: port)
        #expect(fcntl(socket, F_SETFL, O_NONBLOCK) == 0)
        let taken = try Loopback.listen(port: try Loopback.freePort())
        let other = try #require(SocketAddress("127.0.0.1:\(try Loopback.port(of: taken))"))
        var configuration = try rig.configuration([DaemonRig.station("fip")])
        (configuration.server.listen, configuration.server.listensByDefault) = ([other], false)
        rig.sockets.inherit([socket])
        rig.apply(configuration, for: 3)
        #expect(Int(rig.port) == port)
        #expect(rig.events.contains { if case .notListening = $0 { true } else { false } })
        let listener = rig.listen("fip")
        rig.run(2)
        #expect(listener.collect().end == nil && !listener.collect().received.isEmpty)
        // The other address is free now, and is tried again within seconds.
        Loopback.close(taken)
        rig.run(6) { _ = listener.collect() }
        var listening: [SocketAddress] = []
        for case .listening(let addresses) in rig.events { listening = addresses }
        #expect(listening.map { Int($0.port) } == [port, Int(other.port)])
        #expect(listener.collect().end == nil)
        let second = rig.reactor.connect(port: other.port)
        second.send("GET /fip HTTP/1.0\r\n\r\n")
        rig.run(1)
        #expect(!second.collect().received.isEmpty)
    }

    @Test("A station is connected a minute before its show and disconnected after it") func lead() throws {
        var station = DaemonRig.station("fip")
        station.relay = nil
        station.shows = [try rig.show("one", from: 100, to: 130), try rig.show("two", from: 110, to: 150)]
        rig.apply(try rig.configuration([station]), for: 39)
        #expect(rig.origin.log.accepts.isEmpty)
        rig.run(120)
        for (name, from, to) in [("one", 100.0, 130.0), ("two", 110, 150)] {
            let span = try rig.span("\(name).mp3")
            #expect(abs(span.from - from) < 0.1 && abs(span.to - to) < 0.1, "\(name): \(span)")
        }
        #expect(rig.origin.log.accepts.count == 1 && rig.origin.transfersUnderWay == 0)
        #expect(rig.results.mapValues(\.verdict) == ["one": .complete, "two": .complete])
    }

    @Test("A show under way at the start begins at once, and a show that is over is not recorded")
    func underWay() throws {
        let station = DaemonRig.station(
            "fip", shows: [try rig.show("late", from: -50, to: 30), try rig.show("over", from: -90, to: -30)])
        rig.apply(try rig.configuration([station]), for: 50)
        let span = try rig.span("late.mp3")
        #expect(span.from < 1 && abs(span.to - 30) < 0.1)
        #expect(rig.results["late"]?.verdict == .incomplete && rig.files == ["late.mp3"])
        let late = rig.events.compactMap { event in
            if case .recordingBegan(_, _, _, let late) = event { late } else { nil }
        }
        // The reported lateness is that of the recording's first frame, which was on air before the daemon began.
        #expect(late.count == 1 && late.allSatisfy { abs($0.inSeconds - 50 - span.from) < 0.1 }, "\(late) \(span)")
    }

    @Test("Missing parts of a show are reported within a minute of its end") func missingParts() throws {
        let rig = try DaemonRig([
            "gap": DaemonRig.script([.init(.seconds(40), for: .seconds(10), .gone)]),
            "late": DaemonRig.script([.init(.seconds(5), for: .seconds(30), .gone)]),
            "gone": DaemonRig.script([.init(.seconds(0), for: .seconds(900), .gone)]),
        ])
        let stations = try ["gap", "late", "gone"].map { host in
            let station = DaemonRig.station(host, shows: [try rig.show(host, from: 20, to: 70)])
            return station
        }
        rig.apply(try rig.configuration(stations), for: 70)
        #expect(rig.results.isEmpty)
        rig.run(60)
        let (gap, late) = (try #require(rig.results["gap"]), try #require(rig.results["late"]))
        #expect(gap.verdict == .incomplete && gap.missing.count == 1)
        // The burst after the gap brings back four seconds.
        #expect((5.0...10).contains(gap.lost.inSeconds), "\(gap.lost)")
        #expect(late.verdict == .incomplete && late.missing.first?.lowerBound == rig.began + .seconds(20))
        #expect(rig.results["gone"]?.verdict == .missed)
    }

    @Test("The stations with the highest priority are recorded, as many as are allowed") func priority() throws {
        let rig = try DaemonRig(["a": DaemonRig.script(), "b": DaemonRig.script(), "c": DaemonRig.script()])
        let stations = try ["a": 1, "b": 3, "c": 2].sorted { $0.key < $1.key }.map { host, priority in
            var station = DaemonRig.station(host)
            var show = try rig.show(host, from: 20, to: 40)
            show.show.priority = priority
            station.shows = [show]
            return station
        }
        var configuration = try rig.configuration(stations)
        configuration.storage.stationsAtOnce = 2
        rig.apply(configuration, for: 140)
        #expect(rig.results.mapValues(\.verdict) == ["a": .missed, "b": .complete, "c": .complete])
        let refused = rig.events.compactMap { if case .showRefused(let airing) = $0 { airing.show.id } else { nil } }
        #expect(refused == ["a"])
    }

    @Test("A show that begins does not take the last minute of another one") func nextShow() throws {
        let rig = try DaemonRig(["a": DaemonRig.script(), "b": DaemonRig.script()])
        let stations = try [("a", 20, 100), ("b", 100, 130)].map { host, from, to in
            var station = DaemonRig.station(host)
            var show = try rig.show(host, from: from, to: to)
            show.show.priority = Int(from)
            station.shows = [show]
            return station
        }
        var configuration = try rig.configuration(stations)
        configuration.storage.stationsAtOnce = 1
        rig.apply(configuration, for: 240)
        #expect(rig.results.mapValues(\.verdict) == ["a": .complete, "b": .complete])
        #expect(!rig.events.contains { if case .showRefused = $0 { true } else { false } })
    }

    @Test("The file of a show that was killed and is over is completed at the next start, and the show is judged")
    func killed() throws {
        let killed = try DaemonRig(["fip": DaemonRig.script()])
        let station = DaemonRig.station("fip", shows: [try killed.show("cut", from: 20, to: 60)])
        killed.apply(try killed.configuration([station]))
        killed.run(50)
        let next = try DaemonRig(["fip": DaemonRig.script()], at: killed.began + .seconds(100))
        try next.folder.make("recordings")
        for name in killed.folder.names(in: "recordings") {
            try next.folder.write("recordings/\(name)", killed.folder.read("recordings/\(name)"))
        }
        try next.beginWithCatalog(
            try next.configuration([station]), after: EarlierRun(alive: .init(judgedUntil: killed.began + .seconds(50)))
        )
        next.run(1)
        #expect(next.reactor.pump { next.results["cut"] != nil } && next.files == ["cut.mp3"])
        let result = try #require(next.results["cut"])
        #expect(result.verdict == .incomplete && abs(result.lost.inSeconds - 11) < 1.5, "\(result)")
    }

    @Test("A show configured after its start begins in the past, from the ring and a continuous recording")
    func lateShow() throws {
        var station = DaemonRig.station("fip", record: .always)
        try rig.beginWithCatalog(try rig.configuration([station]))
        rig.run(130)
        station.shows = [try rig.show("late", from: 20, to: 160)]
        rig.apply(try rig.configuration([station]), for: 35)
        #expect(rig.reactor.pump { rig.results["late"] != nil })
        #expect(rig.results["late"]?.verdict == .complete, "\(String(describing: rig.results["late"]))")
        let (beginning, rest) = (try rig.span("late (beginning).mp3"), try rig.span("late.mp3"))
        #expect(abs(beginning.from - 20) < 0.1 && abs(rest.to - 160) < 0.1, "\(beginning) \(rest)")
        #expect(abs(beginning.to - rest.from) < 0.06 && rest.from > 30, "\(beginning) \(rest)")
        let text = try rig.folder.read("recordings/late (beginning).json")
        let sidecar = try #require(Sidecar(parsing: text))
        let known = try #require(Sidecar(parsing: try rig.folder.read("recordings/late.json")))
        #expect(sidecar.recording == known.recording && sidecar.show == known.show && sidecar.state == .complete)
        // Hooks are sent each file once.
        let told = rig.told.filter { $0.name == .recordingFinished && $0.show == "late" }
        #expect(told.flatMap(\.files) == ["late", "late (beginning)"].map { rig.folder.file("recordings/\($0).mp3") })
        #expect(Set(told.map(\.recording)).count == 1 && told.allSatisfy { $0.gaps == 0 })
        let length = try #require(told.last?.seconds)
        #expect(abs(length - (beginning.to - beginning.from)) < 0.05, "\(length)")
    }

    @Test("A hole between the copied beginning of a show and its own file is a gap of the show")
    func lateShowWithHole() throws {
        var station = DaemonRig.station("fip", record: .always)
        try rig.beginWithCatalog(try rig.configuration([station]), for: 60)
        rig.crash(away: .seconds(20))
        station.shows = [try rig.show("late", from: 20, to: 100)]
        try rig.startAgain(try rig.configuration([station]), for: 30)
        #expect(rig.reactor.pump { rig.results["late"] != nil })
        let (beginning, rest) = (try rig.span("late (beginning).mp3"), try rig.span("late.mp3"))
        let hole = rest.from - beginning.to
        let sidecar = try #require(Sidecar(parsing: try rig.folder.read("recordings/late (beginning).json")))
        let gaps = sidecar.gaps.filter { $0.position == sidecar.frames }
        let told = gaps.reduce(0) { $0 + Double($1.milliseconds ?? 0) / 1_000 }
        #expect(hole > 10 && abs(told - hole) < 0.2 && gaps.map(\.cause).contains(Downtimes.cause), "\(hole) \(gaps)")
        #expect(rig.results["late"].map { abs($0.lost.inSeconds - hole) < 0.5 } == true)
    }

    @Test("The beginning of a late show has each frame once, although two recordings have it")
    func overlappingSources() throws {
        var station = DaemonRig.station("fip", record: .always)
        station.files.segment = .period(.seconds(60))
        try rig.beginWithCatalog(try rig.configuration([station]))
        rig.run(30)
        #expect(rig.daemon.record("fip", for: .seconds(80)) != nil)
        rig.run(170)
        station.shows = [try rig.show("late", from: 20, to: 230)]
        rig.apply(try rig.configuration([station]), for: 35)
        #expect(rig.reactor.pump { rig.results["late"] != nil })
        #expect(rig.results["late"]?.verdict == .complete, "\(String(describing: rig.results["late"]))")
        let (beginning, rest) = (try rig.span("late (beginning).mp3"), try rig.span("late.mp3"))
        #expect(abs(beginning.from - 20) < 0.1 && abs(beginning.to - rest.from) < 0.06, "\(beginning) \(rest)")
    }

    @Test("A late show of a station in Ogg begins in the past as well") func lateOggShow() throws {
        let programme = try ReferenceProgramme(.init(.opus(48), sampleRate: 48_000, seconds: 260))
        let broadcast = try Broadcast(programme)
        let rig = try DaemonRig(["fip": LiveScript(.stream(LiveStream(broadcast, burst: 24_000)))])
        var station = DaemonRig.station("fip", record: .always)
        station.files.segment = .period(.seconds(60))
        try rig.beginWithCatalog(try rig.configuration([station]))
        rig.run(130)
        station.shows = [try rig.show("late", from: 20, to: 190)]
        rig.apply(try rig.configuration([station]), for: 65)
        #expect(rig.reactor.pump { rig.results["late"] != nil })
        #expect(rig.results["late"]?.verdict == .complete, "\(String(describing: rig.results["late"]))")
        let parts = try ["late (beginning).opus", "late.opus"].map { try rig.audio($0) }
        let report = FrameChecker(broadcast).check(parts)
        let places = try #require(report.exactStretch, "\(report)")
        #expect(abs(broadcast.frames[places.lowerBound].start.inSeconds - DaemonRig.onAir - 20) < 0.3)
        #expect(abs(broadcast.frames[places.upperBound].start.inSeconds - DaemonRig.onAir - 190) < 0.3)
        #expect(try MediaProbe.decodingErrors(rig.folder.file("recordings/late (beginning).opus")) == "")
    }

    @Test("A catalog that cannot be opened is not tried over and over, and shows are judged without it")
    func unopenableCatalog() throws {
        let station = DaemonRig.station("fip", shows: [try rig.show("one", from: 5, to: 15)])
        let failures = Watched(0)
        let bound = rig.reactor.bind(rig.daemon)
        let catalog = try RecordingsCatalog(
            state: rig.folder.file("missing"), recordings: rig.folder.file("recordings"),
            onNotice: { notice in
                failures.change { $0 += 1 }
                bound.tell { $0.hear(notice) }
            }, onRebuilt: { _ in })
        rig.daemon.catalog = catalog
        rig.apply(try rig.configuration([station]))
        for _ in 0..<60 {
            rig.run(1)
            // Each job tries to open the catalog, and fails once.
            let isDone = Watched(false)
            catalog.run { isDone.change { $0 = true } }
            #expect(rig.reactor.pump { isDone.value })
        }
        #expect(failures.value < 90, "\(failures.value)")
        #expect(rig.results["one"]?.verdict == .complete)
    }

    @Test("A show that a restart cut in two is judged by both parts, and a show between two runs is missed")
    func cutByRestart() throws {
        let station = DaemonRig.station(
            "fip", shows: [try rig.show("cut", from: 20, to: 60), try rig.show("slept", from: 62, to: 64)])
        let configuration = try rig.configuration([station])
        try rig.beginWithCatalog(configuration)
        rig.run(40)
        rig.daemon.stop()
        rig.run(1)
        // The daemon is restarted during the first show, and again after both shows.
        rig.restart()
        try rig.beginWithCatalog(configuration)
        rig.run(21)
        #expect(rig.reactor.pump { rig.results["cut"] != nil })
        rig.restart(away: 6)
        try rig.beginWithCatalog(
            configuration, after: EarlierRun(alive: .init(judgedUntil: rig.began + .seconds(61.5))))
        rig.run(1)
        #expect(rig.reactor.pump { rig.results.count == 2 })
        let cut = try #require(rig.results["cut"])
        // The burst of the new connection covers the second between both parts.
        #expect(cut.verdict == .complete && cut.lost == .zero, "\(cut)")
        #expect(rig.results["slept"]?.verdict == .missed)
    }
}
