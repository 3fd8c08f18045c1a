// SPDX-License-Identifier: MIT

import Catalog
import EventLoop
import HTTPServer
import Instants
import Platform
import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing
import Words

@testable import Configuration
@testable import Daemon
@testable import Engine

/// A daemon and its engine in virtual time. Stations are scripts; files and the sockets of listeners are real.
final class DaemonRig {
    let reactor = PolledReactor()
    let origin: VirtualOrigin
    /// The disk for recordings, on which a test can cause faults.
    let system = FaultySystem()
    let folder: TemporaryFolder
    private(set) var daemon: Daemon
    private(set) var registry: Registry
    private(set) var events: [DaemonEvent] = []
    /// The hook event that each event causes.
    private var noted: [HookEvent?] = []
    private(set) var port: UInt16 = 0
    let began: WallInstant
    private let ear = Ear()
    /// Where the daemon's service gets its sockets.
    let sockets = ListeningSockets()
    private let ids = Monitor(0)
    private let rebuilt = Monitor([Bool]())
    private let noticed = Monitor([CatalogThread.Notice]())
    private var writer: WriterEngine
    private let clock: Monitor<MonotonicInstant>

    /// Receives the events of registry and daemon. It exists before the rig does.
    private final class Ear {
        var hear: ((EngineEvent) -> Void)?
        var note: ((DaemonEvent) -> Void)?
        private var engines = 0

        /// Passes on the events of a new engine, and no more those of the engines before it, which have crashed.
        var listener: (EngineEvent) -> Void {
            engines += 1
            return { [self, number = engines] in if number == engines { hear?($0) } }
        }
    }

    /// `hosts` has the stations' scripts, by the names of their hosts.
    init(_ hosts: [String: LiveScript], at start: WallInstant? = nil) throws {
        if let start { reactor.stepWall(to: start) }
        began = reactor.wallNow
        folder = try TemporaryFolder()
        origin = VirtualOrigin(hosts: hosts, reactor: reactor)
        let clock = Monitor(reactor.now)
        self.clock = clock
        (writer, registry) = Self.makeEngine(reactor, origin, system, clock, tell: ear.listener)
        daemon = Self.makeDaemon(reactor, registry, system, sockets, ids: ids) { [ear] in ear.note?($0) }
        ear.hear = { [unowned self] in daemon.hear($0) }
        ear.note = { [unowned self] in hear($0) }
    }

    /// Stops the daemon, and makes a new one after this many seconds.
    func restart(away seconds: Double) {
        daemon.stop()
        run(seconds)
        restart()
    }

    /// Replaces a daemon that has stopped by a new one.
    func restart() {
        daemon.catalog?.close(within: .seconds(2))
        daemon = Self.makeDaemon(reactor, registry, system, sockets, ids: ids) { [ear] in ear.note?($0) }
    }

    private static func makeEngine(
        _ reactor: PolledReactor, _ origin: VirtualOrigin, _ system: FaultySystem, _ clock: Monitor<MonotonicInstant>,
        tell: @escaping (EngineEvent) -> Void
    ) -> (WriterEngine, Registry) {
        let queue = WriterQueue(clock: { clock.withLock { $0 } })
        let context = EngineContext(
            reactor: reactor, client: { origin }, group: StationGroup(), writerQueue: { queue },
            healing: .direct(system))
        return (WriterEngine(queue: queue, system: system), Registry(context, tell: tell))
    }

    /// Ends the daemon as a crash does: its files stay as they are, and what it has not written is lost. The next
    /// daemon has nothing but the folders: see ``startAgain(_:)``. It begins after this time.
    func crash(away time: Duration) {
        daemon.catalog?.close(within: .seconds(2))
        registry.close()
        writer.leaveAll()
        reactor.advance(by: time)
        reactor.drain()
        (writer, registry) = Self.makeEngine(reactor, origin, system, clock, tell: ear.listener)
        daemon = Self.makeDaemon(reactor, registry, system, sockets, ids: ids) { [ear] in ear.note?($0) }
    }

    /// Starts the daemon as the program does: with the files that an earlier run has left in the state folder.
    func startAgain(_ configuration: Configuration, for seconds: Double = 0) throws {
        try beginWithCatalog(configuration, after: EarlierRun(of: configuration.storage.state), for: seconds)
    }

    /// What the catalog answers.
    func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (CatalogStore) throws(CatalogError) -> Answer
    ) throws -> Answer {
        let found = Watched<Answer?>(nil)
        daemon.catalog?.ask(question) { answer in found.change { $0 = try? answer.get() } }
        guard reactor.pump(until: { found.value != nil }), let answer = found.value else {
            throw SetupError("the catalog does not answer")
        }
        return answer
    }

    /// The daemon's answer to a change of its recordings.
    func answer(_ change: (@escaping @Sendable (Failure?) -> Void) -> Void) throws -> Failure? {
        let answer = Watched<Failure??>(nil)
        change { failure in answer.change { $0 = .some(failure) } }
        guard reactor.pump(until: { answer.value != nil }) else { throw SetupError("the catalog does not answer") }
        return answer.value ?? nil
    }

    /// The sidecars in the recordings folder, by the names of their files without extension.
    func sidecars() throws -> [String: Sidecar] {
        var found: [String: Sidecar] = [:]
        for name in folder.names(in: "recordings") where name.hasSuffix(".json") {
            found[String(name.dropLast(5))] = Sidecar(parsing: try folder.read("recordings/\(name)"))
        }
        return found
    }

    /// Applies a configuration with a show `one` of the host `fip`, and waits until the catalog is complete. The times
    /// are in seconds from now.
    func beginWithCatalog(showFrom start: Double, to end: Double, for seconds: Double = 0) throws {
        let station = Self.station("fip", shows: [try show("one", from: start, to: end)])
        try beginWithCatalog(try configuration([station]))
        guard reactor.pump(until: { rebuilds == [true] }) else { throw SetupError("the catalog is not complete") }
        live(seconds)
    }

    /// Opens the daemon's catalog, then applies the configuration, and lets the daemon live for some seconds.
    func beginWithCatalog(
        _ configuration: Configuration, after earlier: EarlierRun = EarlierRun(), for seconds: Double = 0
    ) throws {
        try openCatalog(configuration)
        daemon.begin(LoadedConfiguration(configuration), after: earlier, agrees: true)
        live(seconds)
    }

    /// What an earlier run has left, if it is nothing but this file.
    func earlier(_ name: String, _ json: JSONValue) throws -> EarlierRun {
        try folder.make("left")
        try folder.write("left/\(name)", json.encoded())
        return EarlierRun(of: folder.file("left"))
    }

    /// Gives the daemon a catalog, which is filled on a thread of its own.
    func openCatalog(_ configuration: Configuration) throws {
        try folder.make("state")
        let bound = reactor.bind(daemon)
        daemon.catalog = try RecordingsCatalog(
            state: configuration.storage.state, recordings: configuration.storage.recordings,
            onNotice: { [noticed] notice in
                noticed.withLock { $0.append(notice) }
                bound.tell { $0.hear(notice) }
            },
            onRebuilt: { [rebuilt] result in
                let isDone = (try? result.get()) != nil
                rebuilt.withLock { $0.append(isDone) }
                bound.tell { $0.catalogRebuilt(result) }
            })
    }

    private static func makeDaemon(
        _ reactor: PolledReactor, _ registry: Registry, _ system: FaultySystem, _ sockets: ListeningSockets,
        ids: Monitor<Int>, tell: @escaping (DaemonEvent) -> Void
    ) -> Daemon {
        var service = ServiceSpec(server: "test")
        service.sockets = reactor.bind(sockets)
        let values = UseContextValues(
            zone: FixedZone.utc, zones: { _ in FixedZone.utc }, software: "test",
            recordingID: {
                ids.withLock { number in
                    number += 1
                    return "recording \(number)"
                }
            })
        return Daemon(
            reactor: reactor, values: values, service: service, userAgent: "test", system: system,
            perform: { registry.perform($0) }, words: Wording.message, tell: tell)
    }

    deinit {
        daemon.catalog?.close(within: .seconds(2))
        registry.close()
        writer.leaveAll()
    }

    /// Whether each rebuild of the catalog so far succeeded.
    var rebuilds: [Bool] { rebuilt.withLock { $0 } }

    /// The catalog's notices so far.
    var catalogNotices: [CatalogThread.Notice] { noticed.withLock { $0 } }

    private func hear(_ event: DaemonEvent) {
        if case .listening(let addresses) = event { port = addresses.first?.port ?? 0 }
        events.append(event)
        var context = Occurrence.Context(now: began)
        (context.configuration, context.underWay) = (daemon.configuration, daemon.filesUnderWay)
        noted.append(Wording.occurrence(event, in: context)?.told)
    }

    /// A configuration that listens on a port of the kernel's choice and records into the rig's folder.
    func configuration(_ stations: [StationConfiguration]) throws -> Configuration {
        var configuration = Configuration()
        configuration.server.listen = [try #require(SocketAddress("127.0.0.1:0"))]
        configuration.storage.recordings = folder.file("recordings")
        configuration.storage.state = folder.file("state")
        configuration.stations = stations
        return configuration
    }

    /// A station of a host. Its recordings are files of frames and nothing else, named by station and time.
    static func station(
        _ host: String, record: StationConfiguration.RecordMode = .shows,
        shows: [StationConfiguration.ShowConfiguration] = []
    ) -> StationConfiguration {
        var station = StationConfiguration(
            id: host, source: StationSettings(urls: ["http://\(host)/live"], userAgent: "test"))
        (station.name, station.record, station.shows) = (host, record, shows)
        station.files.segment = .none
        station.files.isPure = true
        station.files.name = try? NameTemplate(parsing: "{station} %s")
        return station
    }

    /// A show of a station, on the day of its start only. Times are in seconds since the rig's beginning.
    func show(_ id: String, from: Double, to: Double) throws -> StationConfiguration.ShowConfiguration {
        let start = CivilTime(began + .seconds(from), utcOffset: 0)
        let show = Show(
            id: id, name: id, days: try ShowDays(parsing: ["\(CalendarDate(start))"]),
            start: try TimeOfDay(parsing: String(start.rfc3339.dropFirst(11).prefix(12))),
            end: .length(.seconds(to - from)), zone: "UTC")
        var files = StationConfiguration.Files()
        files.segment = .none
        files.isPure = true
        files.name = try NameTemplate(parsing: id)
        return .init(show: show, files: files)
    }

    /// Applies a configuration, and lets the daemon run for some seconds. `agrees`: whether rules that delete more
    /// recordings than before need not wait.
    func apply(_ configuration: Configuration, agrees: Bool = true, for seconds: Double = 0) {
        daemon.apply(LoadedConfiguration(configuration), agrees: agrees)
        run(seconds)
    }

    /// What the engine runs.
    var snapshot: EngineSnapshot { registry.snapshot }

    /// Lets time pass, in steps of 25 ms.
    func run(_ seconds: Double, _ each: () -> Void = {}) {
        for _ in 0..<Int((seconds * 40).rounded()) {
            reactor.advance(by: .milliseconds(25))
            settle()
            each()
        }
    }

    /// Lets time pass, and lets the catalog finish after each step: it works in real time, which virtual time must not
    /// outrun.
    func live(_ seconds: Double, step: Double = 1) {
        var rest = seconds
        while rest > 0 {
            run(min(step, rest))
            #expect(waitForCatalog())
            rest -= step
        }
    }

    /// Advances time in one step. Timers fire on time within it; the writer runs only after it.
    func pass(_ time: Duration) {
        reactor.advance(by: time)
        settle()
    }

    /// Lets time pass while the process stands still: everything that became due is due at once.
    func standStill(_ time: Duration) {
        reactor.standStill(for: time)
        settle()
    }

    /// Steps the wall clock, and notifies registry and daemon.
    func stepClock(by step: Duration) {
        reactor.stepWall(to: reactor.wallNow + step)
        registry.clockStepped()
        daemon.clockStepped()
    }

    private func settle() {
        reactor.drain()
        clock.withLock { $0 = reactor.now }
        while let deadline = writer.turn(now: reactor.now), deadline <= reactor.now {}
        reactor.drain()
    }

    func listen(_ station: String) -> LoopbackClient {
        let client = reactor.connect(port: port)
        client.send("GET /\(station) HTTP/1.0\r\nUser-Agent: test\r\n\r\n")
        return client
    }

    /// The names of the files in the recordings folder, without sidecars.
    var files: [String] {
        folder.names(in: "recordings").filter { ![".json", ".index", ".levels"].contains(where: $0.hasSuffix) }
    }

    func audio(_ name: String) throws -> [UInt8] { try folder.read("recordings/\(name)") }

    /// Waits until the catalog has done all earlier work.
    func waitForCatalog() -> Bool {
        let isDone = Watched(false)
        daemon.catalog?.ask({ _ throws(CatalogError) in }, answer: { _ in isDone.change { $0 = true } })
        return reactor.pump { isDone.value }
    }

    /// The hook events so far, all dated at the rig's beginning, without those of files.
    var told: [HookEvent] { noted.compactMap(\.self).filter { $0.name != .fileFinished } }

    /// The hook events about files.
    var toldFiles: [HookEvent] { noted.compactMap(\.self).filter { $0.name == .fileFinished } }

    /// The IDs of the recordings that retention has deleted, in order.
    var deleted: [String] {
        events.flatMap { event in
            guard case .retention(let outcome) = event else { return [String]() }
            return outcome.deletions.filter { $0.refusal == nil }.map(\.recording)
        }
    }

    /// The results of manual recordings, by number.
    var manualResults: [Int: RecordingResult] {
        var results: [Int: RecordingResult] = [:]
        for case .manualEnded(let recording, let result) in events { results[recording.number] = result }
        return results
    }

    /// The file of manual recordings in the state folder, once the catalog's thread has written it.
    func manualFile() throws -> JSONValue {
        guard waitForCatalog() else { throw SetupError("the catalog is not done") }
        return try JSONValue(parsing: folder.read("state/\(ManualRecordings.fileName)"), limit: 10_000)
    }

    /// The results of shows, by ID.
    var results: [String: RecordingResult] {
        var results: [String: RecordingResult] = [:]
        for case .showEnded(let airing, let result) in events { results[airing.show.id] = result }
        return results
    }
}

extension DaemonContext {
    /// The context of a part that is tested by itself.
    static var alone: DaemonContext {
        let values = UseContextValues(zone: FixedZone.utc, zones: { _ in nil }, software: "test", recordingID: { "" })
        return DaemonContext(reactor: PolledReactor(), values: values, perform: { _ in }, tell: { _ in })
    }
}
