// SPDX-License-Identifier: MIT

import Daemon
import Engine
import EventLoop
import HTTPServer
import Instants
import RadioFormats
import Stations

/// The API's route for future shows and the disk space that they need. A schedule is computed on the catalog's thread,
/// because it may contain thousands of shows.
extension ControlService {
    /// The longest span of a schedule.
    private static let longest = Duration.seconds(366 * 86_400)
    private static let mostBroadcasts = 5_000

    func schedule(_ exchange: HTTPExchange) {
        let wanted = exchange.query("seconds").flatMap(Int64.init) ?? 7 * 86_400
        let length = min(max(Duration.seconds(wanted), .zero), Self.longest)
        let now = reactor.wallNow
        let answer = answers.expect { exchange.respond(Self.ok($0)) }
        let free = daemon.freeBytes
        daemon.askSchedule(now..<now + length, atMost: Self.mostBroadcasts, rates: rates) { [json] forecast in
            let isCut = forecast.span.upperBound < now + length
            answer(json.schedule(forecast, free: free, isCut: isCut))
        }
    }
    /// The bit rate of each station that is connected, in bytes per second.
    private var rates: [String: Double] {
        let known = daemon.status(snapshot()).stations.compactMap { station -> (String, Double)? in
            station.programme.station?.bitRate.map { (station.id, $0 / 8) }
        }
        return Dictionary(known) { first, _ in first }
    }
}
