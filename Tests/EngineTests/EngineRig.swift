// SPDX-License-Identifier: MIT

import HTTPServer
import Instants
import Platform
import RadioCore
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing

@testable import Engine

/// A registry of programmes and uses in virtual time. Stations are scripts; files and the sockets of listeners are
/// real.
final class EngineRig {
    let reactor = PolledReactor()
    let origin: VirtualOrigin
    let system = FaultySystem()
    let folder: TemporaryFolder
    let registry: Registry
    private let ear = Ear()
    private(set) var port: UInt16 = 0
    private(set) var outcomes: [UseID: any UseOutcome] = [:]
    private(set) var refused: [UseID] = []
    private(set) var ends: [UseID: MonotonicInstant] = [:]
    let began: MonotonicInstant
    private(set) var notices: [(programme: ProgrammeID, notice: StationNotice)] = []
    private(set) var useNotices: [UseID: [UseNotice]] = [:]
    private let writer: WriterEngine
    private let clock: Monitor<MonotonicInstant>

    /// `hosts` and `segments` have the stations' scripts, by the names of their hosts. The programmes have the same
    /// names.
    init(_ hosts: [String: LiveScript] = [:], segments: [String: HLSScript] = [:]) throws {
        began = reactor.now
        folder = try TemporaryFolder()
        let lists = segments.mapValues { [reactor] in VirtualHLS($0, in: reactor).live }
        origin = VirtualOrigin(hosts: hosts.merging(lists) { $1 }, reactor: reactor)
        let clock = Monitor(reactor.now)
        self.clock = clock
        let queue = WriterQueue(clock: { clock.withLock { $0 } })
        writer = WriterEngine(queue: queue, system: system)
        let context = EngineContext(
            reactor: reactor, client: { [origin] in origin }, group: StationGroup(), writerQueue: { queue },
            healing: .direct(system))
        registry = Registry(context) { [ear] in ear.hear?($0) }
        ear.hear = { [unowned self] in hear($0) }
        for host in hosts.keys.sorted() { add(host) }
        for host in segments.keys.sorted() { add(host, "/live.m3u8") }
        let address = try #require(SocketAddress("127.0.0.1:0"))
        registry.perform(.serve(ServiceSpec(addresses: [address], server: "test")))
    }

    deinit {
        registry.close()
        writer.leaveAll()
    }

    /// Receives the events of the registry. It exists before the rig does.
    private final class Ear {
        var hear: ((EngineEvent) -> Void)?
    }

    private func hear(_ event: EngineEvent) {
        switch event {
        case .listening(let addresses, let failed):
            #expect(failed.isEmpty)
            port = addresses.first?.port ?? 0
        case .programme(let id, let notice): notices.append((id, notice))
        case .use(let id, let notice): useNotices[id, default: []].append(notice)
        case .ended(let id, let outcome):
            #expect(outcomes[id] == nil, "\(id) ended twice")
            outcomes[id] = outcome
            ends[id] = reactor.now
        case .refused(let id, _): refused.append(id)
        case .recovered, .finished, .recoveryEnded, .snapshot, .idle, .service: break
        }
    }

    /// Adds the programme of a host.
    func add(_ host: String, _ path: String = "/live") {
        let settings = StationSettings(urls: ["http://\(host)\(path)"], userAgent: "Aircheck/test")
        registry.perform(.add(ProgrammeID(host), .station(settings)))
    }

    /// Begins a recording of frames only, into a file with the use's name.
    func record(_ id: String, of programme: String, _ change: (inout RecordingSpec) -> Void = { _ in }) {
        var settings = RecorderSettings(recording: id, zone: FixedZone.utc)
        settings.isPure = true
        settings.policy = .none
        settings.name = (try? NameTemplate(parsing: id)) ?? .standard
        settings.writesSidecars = false
        var spec = RecordingSpec(output: .folder(folder.file(id)), settings: settings)
        change(&spec)
        registry.perform(.begin(UseID(id), spec, of: ProgrammeID(programme)))
    }

    func mount(_ id: String, of programme: String, _ change: (inout MountSpec) -> Void = { _ in }) {
        var spec = MountSpec(path: "/\(id)")
        change(&spec)
        registry.perform(.begin(UseID(id), spec, of: ProgrammeID(programme)))
    }

    func begin(_ id: String, _ spec: any UseSpec, of programme: String) {
        registry.perform(.begin(UseID(id), spec, of: ProgrammeID(programme)))
    }

    func end(_ id: String) { registry.perform(.end(UseID(id))) }

    func listen(_ id: String) -> LoopbackClient {
        let client = reactor.connect(port: port)
        client.send("GET /\(id) HTTP/1.0\r\nUser-Agent: test\r\n\r\n")
        return client
    }

    /// Lets time pass, in steps of 25 ms.
    func run(_ seconds: Double, step: Double = 0.025, _ each: () -> Void = {}) {
        for _ in 0..<Int((seconds / step).rounded()) {
            pass(.seconds(step))
            each()
        }
    }

    /// Advances time in one step. Timers fire on time within it; the writer runs only after it.
    func pass(_ time: Duration) {
        reactor.advance(by: time)
        reactor.drain()
        clock.withLock { $0 = reactor.now }
        while let deadline = writer.turn(now: reactor.now), deadline <= reactor.now {}
        reactor.drain()
    }

    /// Ends all as the death of the process does: no file is locked any more.
    func die() {
        registry.close()
        writer.leaveAll()
    }

    /// How a recording ended; nil while it runs.
    func recording(_ id: String) -> RecordingOutcome? { outcomes[UseID(id)] as? RecordingOutcome }

    /// The frames that a recording has written.
    func audio(_ id: String) throws -> [UInt8] { try folder.read("\(id)/\(id).mp3") }

    /// How often a programme was connected to.
    func connections(to host: String) -> Int { origin.log.accepts.count { $0.host == host } }
}
