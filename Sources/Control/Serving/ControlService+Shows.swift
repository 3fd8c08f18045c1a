// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import EventLoop
import HTTPServer
import Instants
import RadioCore
import RadioFormats

/// The API's routes for single broadcasts of shows.
extension ControlService {
    /// Skips the broadcasts of a day, or takes that back.
    func skip(_ exchange: HTTPExchange) throws(Failure) {
        try change(exchange, isSkipped: exchange.query("undo") != "1") { requests, show throws(Failure) in
            try requests.broadcasts(of: show, on: exchange.query("date") ?? "")
        }
    }

    /// Ends the recording of the broadcast that is on.
    func stop(_ exchange: HTTPExchange) throws(Failure) {
        try change(exchange, isSkipped: true) { requests, show throws(Failure) in try requests.present(of: show) }
    }

    private func change(
        _ exchange: HTTPExchange, isSkipped: Bool,
        _ find: (ShowRequests, ShowRequests.Found) throws(Failure) -> [ShowAiring]
    ) throws(Failure) {
        let requests = daemon.showRequests
        let show = try requests.show(named: exchange.query("show") ?? "")
        let airings = try find(requests, show)
        try daemon.skip(Set(airings.map(\.key)), isSkipped)
        let answer: JSONValue = [
            "station": .string(show.station), "show": .string(show.show.id), "name": .string(show.show.name),
            "broadcasts": .array(airings.map(broadcast)),
        ]
        respond(exchange, onceStored: Self.ok(answer))
    }

    private func broadcast(_ airing: ShowAiring) -> JSONValue {
        [
            "date": .string("\(airing.airing.date)"),
            "from": .string(CivilTime(airing.airing.broadcast.lowerBound, in: zone).rfc3339),
            "until": .string(CivilTime(airing.airing.broadcast.upperBound, in: zone).rfc3339),
        ]
    }
}
