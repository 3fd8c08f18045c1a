// SPDX-License-Identifier: MIT

import Daemon
import EventLoop
import HTTPServer
import Instants
import RadioFormats

/// The API's route for future shows and the disk space that they need. A schedule is computed on the catalog's thread,
/// because it may contain thousands of shows.
final class ScheduleRoute {
    private unowned let control: ControlService
    private let daemon: Daemon
    private let reactor: any Reactor
    private let json: DaemonJSON
    /// The bit rate of each station that is connected, in bytes per second.
    private let rates: () -> [String: Double]

    /// The longest span of a schedule.
    private static let longest = Duration.seconds(366 * 86_400)
    private static let mostBroadcasts = 5_000

    init(
        _ control: ControlService, _ daemon: Daemon, reactor: any Reactor, json: DaemonJSON,
        rates: @escaping () -> [String: Double]
    ) {
        self.control = control
        self.daemon = daemon
        self.reactor = reactor
        self.json = json
        self.rates = rates
        control.add("/v1/schedule", .get) { [unowned self] in respond($0) }
    }

    private func respond(_ exchange: HTTPExchange) {
        let wanted = exchange.request.head.target.queryValue("seconds").flatMap(Int64.init) ?? 7 * 86_400
        let length = min(max(Duration.seconds(wanted), .zero), Self.longest)
        let now = reactor.wallNow
        let answer = control.answers.expect { exchange.respond(ControlService.ok($0)) }
        let free = daemon.freeBytes
        daemon.askSchedule(now..<now + length, atMost: Self.mostBroadcasts, rates: rates()) { [json] forecast in
            let isCut = forecast.span.upperBound < now + length
            answer(json.schedule(forecast, free: free, isCut: isCut))
        }
    }
}
