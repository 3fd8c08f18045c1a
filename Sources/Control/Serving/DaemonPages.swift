// SPDX-License-Identifier: MIT

import EventLoop
import HTTPServer

/// The daemon's pages beside those of the relay: `/healthz` and `/readyz` for monitors, and `/metrics`.
final class DaemonPages {
    private let health = RouteSet()
    private let metrics = RouteSet()

    /// `isReady` and `text` (of the metrics; nil while the daemon begins) are called at each request.
    init(isReady: @escaping () -> Bool, metrics text: @escaping () -> String?) {
        // Monitors ask without a password, and under any name.
        let open = { (rules: inout HTTPRouteRules) in
            rules = HTTPRouteRules()
            rules.checksHost = false
        }
        let notReady = HTTPResponse(.serviceUnavailable, text: "not ready")
        health.add("/healthz", access: open) { $0.respond(HTTPResponse(.ok, text: "ok")) }
        health.add("/readyz", access: open) { $0.respond(isReady() ? HTTPResponse(.ok, text: "ready") : notReady) }
        metrics.add("/metrics", access: { $0.checksHost = false }) { exchange in
            let type = HTTPField("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            exchange.respond(text().map { HTTPResponse(.ok, fields: [type], body: Array($0.utf8)) } ?? notReady)
        }
    }

    /// The routes; a configuration may leave out the metrics.
    func routes(_ reactor: any Reactor, withMetrics: Bool) -> [LoopBound<RouteSet>] {
        (withMetrics ? [health, metrics] : [health]).map { reactor.bind($0) }
    }
}
