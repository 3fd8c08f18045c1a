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
    private let hasUsers: Bool

    private static let own = "/status.json"
    private static let icecast = "/status-json.xsl"
    /// What no mount can be called.
    static let paths = [own, icecast]

    /// `server` is the name and version of the program; `mounts` are asked for at each request. Of the rules' users
    /// nobody has to be one, but who listens is told to no other.
    package init(
        on service: HTTPService, server: String, started: WallInstant, rules: HTTPRouteRules = HTTPRouteRules(),
        mounts: @escaping () -> [Mount]
    ) {
        self.service = service
        self.server = server
        self.started = started
        self.mounts = mounts
        hasUsers = rules.users != nil
        var own = rules
        own.allowsAnonymous = true
        service.router.add(Self.own, [.get, .head], rules: own) { [unowned self] exchange in
            let mounts = self.mounts()
            let isOwner = isOwner(exchange)
            exchange.respond(
                Self.response(
                    RelayStatus.json(
                        self.server, self.started, mounts.map(\.snapshot),
                        listeners: isOwner ? mounts.map { $0.listeners(limit: Self.mostListeners) } : nil)))
        }
        var open = rules
        // Dashboards are pages of anywhere, and what this one says names nobody.
        open.cors = HTTPCORS()
        open.users = nil
        // Nor does it matter by which name it is asked for.
        open.checksHost = false
        service.router.add(Self.icecast, [.get, .head], rules: open) { [unowned self] exchange in
            let base = exchange.baseURL
            exchange.respond(
                Self.response(IcecastStatus.json(self.server, self.started, self.mounts().map(\.snapshot), base: base)))
        }
    }

    package func close() {
        service.router.remove(Self.own)
        service.router.remove(Self.icecast)
    }

    /// The number of listeners that are listed at most; looking at thousands would hold up the others.
    private static let mostListeners = 1000

    /// Who listens is nobody's business but the owner's: somebody at this machine, whom neither a proxy nor a page of
    /// another site sends. A proxy may send somebody without a word of it; so a password is wanted where there are any,
    /// and where there are none, another address than that of a proxy that was named.
    private func isOwner(_ exchange: HTTPExchange) -> Bool {
        let request = exchange.request
        guard exchange.isFromThisMachine else { return false }
        guard hasUsers ? request.isUser : !service.isTrustedProxy(request.peer.host) else { return false }
        let isSent = request.head.fields.contains { field in
            Self.signsOfOthers.contains(field.name) || field.name.hasPrefix("x-forwarded-")
        }
        return !isSent && ["none", "same-origin", nil].contains(request.head["sec-fetch-site"])
    }

    /// Fields that proxies add, and pages of other sites.
    private static let signsOfOthers: Set = ["forwarded", "via", "x-real-ip", "origin"]

    private static func response(_ value: JSONValue) -> HTTPResponse {
        HTTPResponse(
            .ok,
            fields: [
                HTTPField("Content-Type", "application/json; charset=utf-8"), HTTPField("Cache-Control", "no-cache"),
            ], body: Array(value.text(.compact).utf8))
    }
}
