// SPDX-License-Identifier: MIT

import EventLoop
package import HTTPServer
package import Instants
import RadioCore
import RadioFormats

/// What a relay tells about itself: `/status.json`, and `/status-json.xsl` as Icecast has it. Confined to the loop's
/// thread.
package final class StatusPages {
    private let service: HTTPService
    private let server: String
    private let started: WallInstant
    private let mounts: () -> [Mount]

    private static let own = "/status.json"
    private static let icecast = "/status-json.xsl"

    /// `server` is the name and version of the program; `mounts` are asked for at each request.
    package init(
        on service: HTTPService, server: String, started: WallInstant, rules: HTTPRouteRules = HTTPRouteRules(),
        mounts: @escaping () -> [Mount]
    ) {
        self.service = service
        self.server = server
        self.started = started
        self.mounts = mounts
        service.router.add(Self.own, [.get, .head], rules: rules) { [unowned self] exchange in
            let mounts = self.mounts()
            let isOwner = Self.isOwner(exchange.request)
            exchange.respond(
                Self.response(
                    RelayStatus.json(
                        self.server, self.started, mounts.map(\.snapshot),
                        listeners: isOwner ? mounts.map { $0.listeners(limit: Self.mostListeners) } : nil)))
        }
        var open = rules
        // Dashboards are pages of anywhere, and what this one says names nobody.
        open.cors = HTTPCORS()
        service.router.add(Self.icecast, [.get, .head], rules: open) { [unowned self] exchange in
            let base = exchange.request.baseURL ?? "http://localhost"
            exchange.respond(
                Self.response(IcecastStatus.json(self.server, self.started, self.mounts().map(\.snapshot), base: base)))
        }
    }

    package func close() {
        service.router.remove(Self.own)
        service.router.remove(Self.icecast)
    }

    /// So many are listed; to look at thousands would hold up the others.
    private static let mostListeners = 1000

    /// Who listens is nobody's business but the owner's: somebody at this machine, whom neither a proxy nor a page of
    /// another site sends.
    private static func isOwner(_ request: HTTPRequest) -> Bool {
        let head = request.head
        guard IPNetwork.loopback.contain(request.client), IPNetwork.loopback.contain(request.peer.host) else {
            return false
        }
        guard head["x-forwarded-for"] == nil, head["forwarded"] == nil, head["origin"] == nil else { return false }
        return ["none", "same-origin", nil].contains(head["sec-fetch-site"])
    }

    private static func response(_ value: JSONValue) -> HTTPResponse {
        HTTPResponse(
            .ok,
            fields: [
                HTTPField("Content-Type", "application/json; charset=utf-8"), HTTPField("Cache-Control", "no-cache"),
            ], body: Array(value.text(.compact).utf8))
    }
}
