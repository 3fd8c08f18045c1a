// SPDX-License-Identifier: MIT

import Configuration
package import Daemon
package import Engine
package import EventLoop
import Glibc
package import HTTPServer
package import RadioCore
import RadioFormats

/// The API of a running daemon, as routes.
///
/// The daemon serves it at a Unix socket, for commands on this machine. Every user who may connect to the socket may
/// query and command; only the daemon's own user and root may delete.
package final class ControlService {
    /// Called to reload the configuration; the owner must then call ``reloaded()`` or ``notReloaded(_:)``. The argument
    /// says whether rules that delete more recordings than before may do so at once.
    package var onReload: ((Bool) -> Void)?
    /// Requests waiting for a reload to finish.
    private var reloading: [HTTPExchange] = []
    /// Answers that other threads give.
    let answers: LoopAnswers
    let audio: RecordedAudio

    package let routes = RouteSet()
    let daemon: Daemon
    let zone: any TimeZoneRules
    let reactor: any Reactor
    let snapshot: () -> EngineSnapshot
    let json: DaemonJSON
    private let owner: UInt32

    /// `owner`: the user of this process.
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
        audio = RecordedAudio(of: daemon, answers)
        for (path, method, handler) in Self.handlers {
            routes.add(path, method == .get ? [.get, .head] : [method]) { [unowned self] exchange in
                do throws(Failure) {
                    try handler(self)(exchange)
                } catch {
                    exchange.respond(Self.refusal(error))
                }
            }
        }
    }

    private typealias Handler = @Sendable (ControlService) -> (HTTPExchange) throws(Failure) -> Void

    /// The routes and their handlers. If a handler throws, the answer is the failure.
    private static let handlers: [(path: String, HTTPMethod, Handler)] = [
        ("/v1/status", .get, status),
        ("/v1/schedule", .get, schedule),
        ("/v1/recordings", .get, list),
        ("/v1/recording", .get, show),
        ("/v1/recording/audio", .get, sendAudio),
        ("/v1/shows", .get, listShows),
        ("/v1/titles", .get, search),
        ("/v1/retention", .get, foresee),
        ("/v1/reload", .post, reload),
        ("/v1/record", .post, record),
        ("/v1/record/end", .post, endRecording),
        ("/v1/recording/protect", .post, protect),
        ("/v1/recording/delete", .post, delete),
        ("/v1/recordings/rescan", .post, rescan),
        ("/v1/show/skip", .post, skip),
        ("/v1/show/stop", .post, stop),
        ("/v1/hooks/test", .post, testHooks),
    ]

    /// A trial of hooks takes longer than any other answer.
    static var limits: HTTPLimits {
        var limits = HTTPLimits()
        limits.answer = HookRunner.trialPatience + .seconds(10)
        return limits
    }

    /// Serves the API at a Unix socket.
    func serve(at path: String, _ sockets: ListeningSockets) throws(ListenError) -> HTTPService {
        let wanted = SocketAddress(host: .unix(path: path), port: 0)
        guard let address = SocketAddress("unix:\(path)") else { throw ListenError(wanted, errno: ENAMETOOLONG) }
        let service = HTTPService(reactor: reactor, limits: Self.limits, sockets: sockets)
        try service.listen(address)
        service.router.mount(routes)
        return service
    }

    /// Answers the waiting reload requests: the configuration was read, and now applies. The answer says how many files
    /// will be deleted, unless the catalog takes too long to say so.
    package func reloaded() {
        let waiting = reloading
        reloading = []
        guard !waiting.isEmpty else { return }
        let answer = answers.expect(within: Self.patience) { [unowned self] (outcome: RetentionOutcome?) in
            let failed = JSONValue.array(daemon.listeningFailures.map(DaemonJSON.failure))
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

    private func reload(_ exchange: HTTPExchange) throws(Failure) {
        let agrees = exchange.query("now") == "1"
        // Agreeing deletes recordings.
        if agrees { try admitOwner(exchange) }
        reloading.append(exchange)
        onReload?(agrees)
    }

    // MARK: - Answers

    private func status(_ exchange: HTTPExchange) {
        exchange.respond(Self.ok(json.status(daemon.status(snapshot()))))
    }

    private func record(_ exchange: HTTPExchange) throws(Failure) {
        guard let station = exchange.query("station"), let seconds = exchange.query("seconds").flatMap(Int64.init),
            seconds > 0, .seconds(seconds) <= ManualRecording.longest
        else { throw Self.noLength }
        guard daemon.configuration.stations.contains(where: { $0.id == station }) else { throw Self.unknown(station) }
        guard let recording = daemon.record(station, for: .seconds(seconds)) else { throw Self.tooMany }
        respond(exchange, onceStored: Self.ok(["number": .integer(Int64(recording.number))]))
    }

    private func endRecording(_ exchange: HTTPExchange) throws(Failure) {
        guard let number = exchange.query("number").flatMap({ Int($0) }), daemon.endRecording(number) else {
            throw Failure(
                .notFound, "no manual recording with this number is under way",
                remedy: "'aircheck status' lists the manual recordings with their numbers")
        }
        respond(exchange, onceStored: Self.ok(["ended": true]))
    }

    /// Throws unless the request comes from the daemon's own user or root.
    func admitOwner(_ exchange: HTTPExchange) throws(Failure) {
        guard let user = exchange.localUser, [0, owner].contains(user) else { throw Self.notYours }
    }

    private static let notYours = Failure(
        .forbidden, "only the user of the daemon, and root, may delete recordings or end their protection",
        remedy: "use sudo")

    static func ok(_ value: JSONValue) -> HTTPResponse { response(.ok, value) }

    static func refusal(_ failure: Failure) -> HTTPResponse {
        let status: HTTPStatus =
            switch failure.failureClass {
            case .notFound: .notFound
            case .forbidden: .forbidden
            case .storage: .serviceUnavailable
            default: .badRequest
            }
        return response(status, ["error": DaemonJSON.failure(failure)])
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

extension HTTPExchange {
    /// A value of the request's query; nil if it has none of this name.
    func query(_ name: String) -> String? { request.head.target.queryValue(name) }
}
