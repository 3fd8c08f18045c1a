// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import HTTPServer
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
        let answer: JSONObject = [
            "station": show.station, "show": show.show.id, "name": show.show.name,
            "broadcasts": airings.map(broadcast),
        ]
        respond(exchange, onceStored: Self.ok(.object(answer)))
    }

    private func broadcast(_ airing: ShowAiring) -> JSONObject {
        let (from, until) = (airing.airing.broadcast.lowerBound, airing.airing.broadcast.upperBound)
        return [
            "date": airing.airing.date, "from": CivilTime(from, in: zone), "until": CivilTime(until, in: zone),
        ]
    }
}
