// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Daemon
import EventLoop
import HTTPServer
import RadioCore
import RadioFormats

/// The API's routes for recordings. The catalog is queried on its own thread.
final class CatalogRoutes {
    private unowned let control: ControlService
    private let daemon: Daemon

    private static let mostTitles = 500

    init(_ control: ControlService, _ daemon: Daemon) {
        self.control = control
        self.daemon = daemon
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
        let answer = control.answers.expect { exchange.respond(ControlService.ok(["shows": .array($0)])) }
        daemon.askBroadcasts { entries in
            answer(
                BroadcastList.select(
                    entries, station: wanted.station, show: wanted.show, from: wanted.from, until: wanted.until,
                    atMost: wanted.limit))
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
        let answer = reply(to: exchange)
        daemon.askRetention { result in answer(result.map { CatalogJSON.retention($0) }) }
    }

    /// Protects a recording from retention, or ends its protection. Only the daemon's own user and root may end a
    /// protection, because retention may then delete the recording.
    private func protect(_ exchange: HTTPExchange) {
        let target = exchange.request.head.target
        let isOn = target.queryValue("on") != "0"
        guard isOn || control.isOwner(exchange) else { return exchange.respond(control.refusal(Self.notYours)) }
        daemon.recordings.protect(target.queryValue("id") ?? "", isOn, outcome(for: exchange))
    }

    /// Permitted only to the daemon's own user and root.
    private func delete(_ exchange: HTTPExchange) {
        guard control.isOwner(exchange) else { return exchange.respond(control.refusal(Self.notYours)) }
        daemon.recordings.delete(exchange.request.head.target.queryValue("id") ?? "", outcome(for: exchange))
    }

    /// Answers with the outcome of a change, which another thread passes to the result.
    private func outcome(for exchange: HTTPExchange) -> @Sendable (Failure?) -> Void {
        control.answers.expect { [unowned control] failure in
            exchange.respond(failure.map(control.refusal) ?? ControlService.ok(["done": true]))
        }
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
        catalog.ask(question, answer: reply(to: exchange))
    }

    /// Answers with the catalog's result, which another thread passes to the result. A nil value means that the ID is
    /// unknown.
    private func reply(to exchange: HTTPExchange) -> @Sendable (Result<JSONValue?, CatalogError>) -> Void {
        control.answers.expect { [unowned control] result in
            switch result {
            case .success(let value?): exchange.respond(ControlService.ok(value))
            case .success(nil): exchange.respond(control.refusal(Self.unknown))
            case .failure(let error):
                exchange.respond(
                    control.refusal(Failure(.storage, "\(error)", remedy: "look at the daemon's log, or try again")))
            }
        }
    }

    private static let noCatalog = Failure(
        .storage, "the catalog could not be opened", remedy: "look at the daemon's log")
    private static let unknown = Failure(
        .notFound, "there is no recording with this ID", remedy: "'aircheck recordings' lists them")
}
