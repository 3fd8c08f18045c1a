// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Daemon
import EventLoop
import HTTPServer
import RadioCore
import RadioFormats

/// The API's routes for recordings. The catalog is queried on its own thread.
extension ControlService {
    private static let mostTitles = 500

    /// The conditions in a request.
    func query(_ exchange: HTTPExchange) throws(Failure) -> CatalogQuery {
        try CatalogQuery(parsing: exchange.request.head.target)
    }

    func list(_ exchange: HTTPExchange) throws(Failure) {
        let wanted = try query(exchange)
        let running = daemon.progress(snapshot())
        try ask(exchange) { store throws(CatalogError) -> JSONValue in
            let found = try store.recordings(wanted)
            let last = found.count == wanted.limit ? found.last : nil
            let next = last.map { ["after": $0.sortKey.id, "after_time": $0.sortKey.began] as JSONObject }
            return .object([
                "recordings": found.map { CatalogJSON.recording($0, running: running) }, "next": next.ifKnown,
            ])
        }
    }

    func show(_ exchange: HTTPExchange) throws(Failure) {
        let id = exchange.query("id") ?? ""
        let (folder, running) = (daemon.configuration.storage.recordings, daemon.progress(snapshot()))
        try ask(exchange) { [catalog = daemon.catalog] store throws(CatalogError) -> JSONValue? in
            try catalog?.detail(of: id, in: store).map { CatalogJSON.detail($0, in: folder, running: running) }
        }
    }

    func sendAudio(_ exchange: HTTPExchange) throws(Failure) {
        let span = try query(exchange)
        audio.send(exchange.query("id") ?? "", from: span.from?.instant, until: span.until?.instant, to: exchange)
    }

    /// Answers with the results of broadcasts, the newest first.
    func listShows(_ exchange: HTTPExchange) throws(Failure) {
        let wanted = try query(exchange)
        let answer = answers.expect { exchange.respond(Self.ok(["shows": .array($0)])) }
        daemon.askBroadcasts { entries in
            answer(
                BroadcastList.select(
                    entries, station: wanted.station, show: wanted.show, from: wanted.from, until: wanted.until,
                    atMost: wanted.limit))
        }
    }

    func search(_ exchange: HTTPExchange) throws(Failure) {
        var wanted = try query(exchange)
        // One title more than the maximum is requested, to find out whether there are more.
        wanted.limit = Self.mostTitles + 1
        try ask(exchange) { [wanted] store throws(CatalogError) -> JSONValue in
            CatalogJSON.titles(try store.titles(wanted), atMost: Self.mostTitles)
        }
    }

    /// Starts a rescan of the recordings folder, and answers at once, because a rescan may take minutes. The log
    /// reports its result.
    func rescan(_ exchange: HTTPExchange) throws(Failure) {
        guard let catalog = daemon.catalog else { throw Self.noCatalog }
        catalog.rebuild()
        exchange.respond(Self.ok(["started": true]))
    }

    // MARK: - Changes

    func foresee(_ exchange: HTTPExchange) {
        let answer = reply(to: exchange)
        daemon.askRetention { result in answer(result.map { CatalogJSON.retention($0) }) }
    }

    /// Protects a recording from retention, or ends its protection. Only the daemon's own user and root may end a
    /// protection, because retention may then delete the recording.
    func protect(_ exchange: HTTPExchange) throws(Failure) {
        let isOn = exchange.query("on") != "0"
        if !isOn { try admitOwner(exchange) }
        daemon.recordings.protect(exchange.query("id") ?? "", isOn, outcome(for: exchange))
    }

    /// Permitted only to the daemon's own user and root.
    func delete(_ exchange: HTTPExchange) throws(Failure) {
        try admitOwner(exchange)
        daemon.recordings.delete(exchange.query("id") ?? "", outcome(for: exchange))
    }

    /// Answers with the outcome of a change, which another thread passes to the result.
    private func outcome(for exchange: HTTPExchange) -> @Sendable (Failure?) -> Void {
        answers.expect { failure in
            exchange.respond(failure.map(Self.refusal) ?? Self.ok(["done": true]))
        }
    }

    // MARK: - Answers

    /// Answers with the result of `question`, run on the catalog's thread. A nil result means that the ID is unknown.
    private func ask(
        _ exchange: HTTPExchange,
        _ question: @escaping @Sendable (CatalogStore) throws(CatalogError) -> JSONValue?
    ) throws(Failure) {
        guard let catalog = daemon.catalog else { throw Self.noCatalog }
        catalog.ask(question, answer: reply(to: exchange))
    }

    /// Answers with the catalog's result, which another thread passes to the result. A nil value means that the ID is
    /// unknown.
    private func reply(to exchange: HTTPExchange) -> @Sendable (Result<JSONValue?, CatalogError>) -> Void {
        answers.expect { result in
            switch result {
            case .success(let value?): exchange.respond(Self.ok(value))
            case .success(nil): exchange.respond(Self.refusal(Self.unknown))
            case .failure(let error):
                let failure = Failure(.storage, "\(error)", remedy: "look at the daemon's log, or try again")
                exchange.respond(Self.refusal(failure))
            }
        }
    }

    static let noCatalog = Failure(
        .storage, "the catalog could not be opened", remedy: "look at the daemon's log")
    static let unknown = Failure(
        .notFound, "there is no recording with this ID", remedy: "'aircheck recordings' lists them")
}
