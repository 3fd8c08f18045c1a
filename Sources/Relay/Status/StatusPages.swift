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
        var rules = rules
        // What they say anybody may know who may listen; dashboards are pages of anywhere.
        rules.cors = HTTPCORS()
        service.router.add(Self.own, [.get, .head], rules: rules) { [unowned self] exchange in
            // Who listens is nobody's business but the owner's.
            let isOwner = IPNetwork.loopback.contain(exchange.request.client)
            let object = RelayStatus.json(self.server, self.started, self.snapshots, withListeners: isOwner)
            exchange.respond(Self.response(object))
        }
        service.router.add(Self.icecast, [.get, .head], rules: rules) { [unowned self] exchange in
            let host = exchange.request.head["host"] ?? "localhost"
            exchange.respond(
                Self.response(IcecastStatus.json(self.server, self.started, self.snapshots, host: host)))
        }
    }

    package func close() {
        service.router.remove(Self.own)
        service.router.remove(Self.icecast)
    }

    private var snapshots: [MountSnapshot] { mounts().map(\.snapshot) }

    private static func response(_ value: JSONValue) -> HTTPResponse {
        HTTPResponse(
            .ok,
            fields: [
                HTTPField("Content-Type", "application/json; charset=utf-8"), HTTPField("Cache-Control", "no-cache"),
            ], body: Array(value.text(.compact).utf8))
    }
}
