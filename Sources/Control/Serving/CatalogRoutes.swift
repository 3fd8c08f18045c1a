// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Daemon
import EventLoop
import HTTPServer
import RadioCore
import RadioFormats

/// The API's routes for recordings. Confined to the loop's thread; the catalog is queried on its own thread.
final class CatalogRoutes {
    private unowned let control: ControlService
    private let daemon: Daemon
    private let reactor: any Reactor
    private var waiting = WaitingExchanges()

    private static let mostTitles = 500

    init(_ control: ControlService, _ daemon: Daemon, reactor: any Reactor) {
        self.control = control
        self.daemon = daemon
        self.reactor = reactor
        control.add("/v1/recordings", .get) { [unowned self] in list($0) }
        control.add("/v1/recording", .get) { [unowned self] in show($0) }
        control.add("/v1/shows", .get) { [unowned self] in listShows($0) }
        control.add("/v1/titles", .get) { [unowned self] in search($0) }
        control.add("/v1/retention", .get) { [unowned self] in foresee($0) }
        control.add("/v1/recording/protect", .post) { [unowned self] in protect($0) }
        control.add("/v1/recording/delete", .post) { [unowned self] in delete($0) }
        control.add("/v1/recordings/rescan", .post) { [unowned self] in rescan($0) }
    }

    /// The conditions in a request; nil if they make no sense, which is then the answer.
    private func query(_ exchange: HTTPExchange) -> CatalogQuery? {
        do throws(Failure) {
            return try CatalogQuery(parsing: exchange.request.head.target)
        } catch {
            exchange.respond(control.refusal(error))
            return nil
        }
    }

    private func list(_ exchange: HTTPExchange) {
        guard let wanted = query(exchange) else { return }
        let running = daemon.progress(control.snapshot())
        ask(exchange) { store throws(CatalogError) -> JSONValue in
            let found = try store.recordings(wanted)
            var object = JSONObject()
            object.append("recordings", .array(found.map { CatalogJSON.recording($0, running: running) }))
            if let last = found.last, found.count == wanted.limit {
                object.append("next", ["after": .string(last.place.id), "after_time": .integer(last.place.began)])
            }
            return .object(object)
        }
    }

    private func show(_ exchange: HTTPExchange) {
        let id = exchange.request.head.target.queryValue("id") ?? ""
        let (folder, running) = (daemon.configuration.storage.recordings, daemon.progress(control.snapshot()))
        ask(exchange) { [catalog = daemon.catalog] store throws(CatalogError) -> JSONValue? in
            try catalog?.detail(of: id, in: store).map { CatalogJSON.detail($0, in: folder, running: running) }
        }
    }

    /// Answers with the results of broadcasts, the newest first.
    private func listShows(_ exchange: HTTPExchange) {
        guard let wanted = query(exchange) else { return }
        let number = waiting.add(exchange)
        let bound = reactor.bind(self)
        daemon.askBroadcasts { entries in
            let shows = BroadcastList.select(
                entries, station: wanted.station, show: wanted.show, from: wanted.from, until: wanted.until,
                atMost: wanted.limit)
            bound.tell { $0.answer(number, .success(["shows": .array(shows)])) }
        }
    }

    private func search(_ exchange: HTTPExchange) {
        guard var wanted = query(exchange) else { return }
        // One title more than the maximum is requested, to find out whether there are more.
        wanted.limit = Self.mostTitles + 1
        ask(exchange) { [wanted] store throws(CatalogError) -> JSONValue in
            CatalogJSON.titles(try store.titles(wanted), atMost: Self.mostTitles)
        }
    }

    /// Starts a rescan of the recordings folder, and answers at once, because a rescan may take minutes. The log
    /// reports its result.
    private func rescan(_ exchange: HTTPExchange) {
        guard let catalog = daemon.catalog else { return exchange.respond(control.refusal(Self.noCatalog)) }
        catalog.rebuild()
        exchange.respond(ControlService.ok(["started": true]))
    }

    // MARK: - Changes

    private func foresee(_ exchange: HTTPExchange) {
        let number = waiting.add(exchange)
        let bound = reactor.bind(self)
        daemon.askRetention { result in
            let json = result.map { CatalogJSON.retention($0) as JSONValue? }
            bound.tell { $0.answer(number, json) }
        }
    }

    /// Protects a recording from retention, or ends its protection. Only the daemon's own user and root may end a
    /// protection, because retention may then delete the recording.
    private func protect(_ exchange: HTTPExchange) {
        let target = exchange.request.head.target
        let isOn = target.queryValue("on") != "0"
        guard isOn || control.isOwner(exchange) else { return exchange.respond(control.refusal(Self.notYours)) }
        let number = waiting.add(exchange)
        let bound = reactor.bind(self)
        daemon.recordings.protect(target.queryValue("id") ?? "", isOn) { failure in
            bound.tell { $0.answer(number, failure) }
        }
    }

    /// Permitted only to the daemon's own user and root.
    private func delete(_ exchange: HTTPExchange) {
        guard control.isOwner(exchange) else { return exchange.respond(control.refusal(Self.notYours)) }
        let number = waiting.add(exchange)
        let bound = reactor.bind(self)
        daemon.recordings.delete(exchange.request.head.target.queryValue("id") ?? "") { failure in
            bound.tell { $0.answer(number, failure) }
        }
    }

    private func answer(_ number: Int, _ failure: Failure?) {
        guard let exchange = waiting.take(number) else { return }
        exchange.respond(failure.map(control.refusal) ?? ControlService.ok(["done": true]))
    }

    static let notYours = Failure(
        .forbidden, "only the user of the daemon, and root, may delete recordings or end their protection",
        remedy: "use sudo")

    // MARK: - Answers

    /// Answers with the result of `question`, run on the catalog's thread. A nil result means that the ID is unknown.
    private func ask(
        _ exchange: HTTPExchange,
        _ question: @escaping @Sendable (CatalogStore) throws(CatalogError) -> JSONValue?
    ) {
        guard let catalog = daemon.catalog else { return exchange.respond(control.refusal(Self.noCatalog)) }
        let number = waiting.add(exchange)
        let bound = reactor.bind(self)
        catalog.ask(question) { result in bound.tell { $0.answer(number, result) } }
    }

    private func answer(_ number: Int, _ result: Result<JSONValue?, CatalogError>) {
        guard let exchange = waiting.take(number) else { return }
        switch result {
        case .success(let value?): exchange.respond(ControlService.ok(value))
        case .success(nil): exchange.respond(control.refusal(Self.unknown))
        case .failure(let error):
            exchange.respond(
                control.refusal(Failure(.storage, "\(error)", remedy: "look at the daemon's log, or try again")))
        }
    }

    private static let noCatalog = Failure(
        .storage, "the catalog could not be opened", remedy: "look at the daemon's log")
    private static let unknown = Failure(
        .notFound, "there is no recording with this ID", remedy: "'aircheck recordings' lists them")
}
