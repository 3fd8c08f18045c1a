// SPDX-License-Identifier: MIT

import Configuration
package import Daemon
package import Engine
package import EventLoop
import Glibc
package import HTTPServer
import Instants
package import RadioCore
import RadioFormats
import Stations

/// The API of a running daemon over a Unix socket, for commands on this machine.
///
/// Every user who may connect to the socket may query and command; only the daemon's own user and root may delete.
package final class ControlService {
    /// Called to reload the configuration; the owner must then call ``reloaded()`` or ``notReloaded(_:)``. The argument
    /// says whether rules that delete more recordings than before may do so at once.
    package var onReload: ((Bool) -> Void)?
    /// Requests waiting for a reload to finish.
    private var reloading: [HTTPExchange] = []
    /// Answers that other threads give.
    let answers: LoopAnswers

    private let service: HTTPService
    let daemon: Daemon
    let zone: any TimeZoneRules
    private let reactor: any Reactor
    let snapshot: () -> EngineSnapshot
    private let json: DaemonJSON
    let owner: UInt32
    /// Runs the hooks; nil if there are none.
    package var hooks: HookRunner?
    private var catalogRoutes: CatalogRoutes?
    private var scheduleRoute: ScheduleRoute?

    /// Serves the API. `owner`: the user of this process.
    package init(
        of daemon: Daemon, reactor: any Reactor, zone: any TimeZoneRules, owner: UInt32,
        snapshot: @escaping () -> EngineSnapshot
    ) {
        self.daemon = daemon
        self.zone = zone
        self.reactor = reactor
        self.snapshot = snapshot
        self.owner = owner
        json = DaemonJSON(zone: zone)
        answers = LoopAnswers(reactor: reactor)
        service = HTTPService(reactor: reactor, limits: Self.limits)
        addRoutes()
        addHookRoutes()
        addShowRoutes()
        catalogRoutes = CatalogRoutes(self, daemon)
        scheduleRoute = ScheduleRoute(self, daemon, reactor: reactor, json: json) { [unowned self] in rates }
    }

    /// A trial of hooks takes longer than any other answer.
    static var limits: HTTPLimits {
        var limits = HTTPLimits()
        limits.answer = HookRunner.trialPatience + .seconds(10)
        return limits
    }

    /// Listens on a Unix socket.
    package func listen(at path: String) throws(ListenError) {
        let wanted = SocketAddress(host: .unix(path: path), port: 0)
        guard let address = SocketAddress("unix:\(path)") else { throw ListenError(wanted, errno: ENAMETOOLONG) }
        try service.listen(address)
    }

    package func close() { service.close() }

    /// Answers the waiting reload requests: the configuration was read, and now applies. The answer says how many
    /// files will be deleted, unless the catalog takes too long to say so.
    package func reloaded() {
        let waiting = reloading
        reloading = []
        guard !waiting.isEmpty else { return }
        let answer = answers.expect(within: Self.patience) { [unowned self] (outcome: RetentionOutcome?) in
            let failed = JSONValue.array(daemon.listeningFailures.map(json.failure))
            let retention = outcome.map { CatalogJSON.foreseen($0) } ?? .null
            for exchange in waiting {
                exchange.respond(Self.ok(["reloaded": true, "not_listening": failed, "retention": retention]))
            }
        }
        daemon.askRetention { answer(try? $0.get()) }
    }

    /// How long an answer waits for a thread whose disk may hang.
    private static let patience = Duration.seconds(5)

    /// Answers once everything that was requested so far is stored, because the process may be killed after the answer.
    func respond(_ exchange: HTTPExchange, onceStored response: HTTPResponse) {
        guard let catalog = daemon.catalog else { return exchange.respond(response) }
        // The thread that writes the files of the state folder does so in the order of the requests.
        let answer = answers.expect(within: Self.patience) { (_: Bool?) in exchange.respond(response) }
        catalog.run { answer(true) }
    }

    /// Answers the waiting reload requests: the configuration cannot be used.
    package func notReloaded(_ why: UnusableConfiguration) {
        let waiting = reloading
        reloading = []
        for exchange in waiting { exchange.respond(Self.response(.badRequest, ["error": json.unusable(why)])) }
    }

    private func addRoutes() {
        add("/v1/status", .get) { [unowned self] exchange in
            exchange.respond(Self.ok(json.status(daemon.status(snapshot()))))
        }
        add("/v1/reload", .post) { [unowned self] exchange in
            let agrees = exchange.request.head.target.queryValue("now") == "1"
            // Agreeing deletes recordings.
            guard !agrees || isOwner(exchange) else { return exchange.respond(refusal(CatalogRoutes.notYours)) }
            reloading.append(exchange)
            onReload?(agrees)
        }
        add("/v1/record", .post) { [unowned self] in record($0) }
        add("/v1/record/end", .post) { [unowned self] in endRecording($0) }
    }

    func add(_ path: String, _ method: HTTPMethod, _ handler: @escaping (HTTPExchange) -> Void) {
        service.router.add(path, method == .get ? [.get, .head] : [method], handler)
    }

    // MARK: - Answers

    /// The bit rate of each station that is connected, in bytes per second.
    private var rates: [String: Double] {
        let known = daemon.status(snapshot()).stations.compactMap { station -> (String, Double)? in
            station.programme.station?.bitRate.map { (station.id, $0 / 8) }
        }
        return Dictionary(known) { first, _ in first }
    }

    private func record(_ exchange: HTTPExchange) {
        let target = exchange.request.head.target
        guard let station = target.queryValue("station"),
            let seconds = target.queryValue("seconds").flatMap(Int64.init), seconds > 0,
            .seconds(seconds) <= ManualRecording.longest
        else { return exchange.respond(refusal(Self.noLength)) }
        guard daemon.configuration.stations.contains(where: { $0.id == station }) else {
            return exchange.respond(refusal(Self.unknown(station)))
        }
        guard let recording = daemon.record(station, for: .seconds(seconds)) else {
            return exchange.respond(refusal(Self.tooMany))
        }
        respond(exchange, onceStored: Self.ok(["number": .integer(Int64(recording.number))]))
    }

    private func endRecording(_ exchange: HTTPExchange) {
        let number = exchange.request.head.target.queryValue("number").flatMap { Int($0) }
        guard let number, daemon.endRecording(number) else {
            return exchange.respond(
                refusal(
                    Failure(
                        .notFound, "no manual recording with this number is under way",
                        remedy: "'aircheck status' lists the manual recordings with their numbers")))
        }
        respond(exchange, onceStored: Self.ok(["ended": true]))
    }

    /// Whether the request comes from the daemon's own user or root.
    func isOwner(_ exchange: HTTPExchange) -> Bool {
        exchange.localUser.map { [0, owner].contains($0) } ?? false
    }

    static func ok(_ value: JSONValue) -> HTTPResponse { response(.ok, value) }

    func refusal(_ failure: Failure) -> HTTPResponse {
        let status: HTTPStatus =
            switch failure.failureClass {
            case .notFound: .notFound
            case .forbidden: .forbidden
            case .storage: .serviceUnavailable
            default: .badRequest
            }
        return Self.response(status, ["error": json.failure(failure)])
    }

    private static func response(_ status: HTTPStatus, _ value: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status,
            fields: [HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-store")],
            body: value.encoded(.compact))
    }

    private static let noLength = Failure(
        .usage, "the daemon records for 1 second to 31 days at a time",
        remedy: "give a station and such a time; to record for ever, write record = \"always\" in the configuration")

    private static let tooMany = Failure(
        .serverBusy, "too many manual recordings are under way at the moment",
        remedy: "wait until some are over, or end some with 'aircheck stop'")

    private static func unknown(_ station: String) -> Failure {
        Failure(
            .notFound, "there is no station called '\(station)' in the configuration",
            remedy: "'aircheck status' lists the stations")
    }
}
