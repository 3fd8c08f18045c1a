// SPDX-License-Identifier: MIT

import EventLoop
package import HTTPServer
package import Instants
import RadioCore
import RadioFormats

/// A relay's status pages: `/status.json`, and `/status-json.xsl` in Icecast's format. Confined to the loop's thread.
package final class StatusPages {
    private let service: HTTPService
    private let server: String
    private let started: WallInstant
    private let mounts: () -> [Mount]
    private let hasUsers: Bool

    private static let own = "/status.json"
    private static let icecast = "/status-json.xsl"
    /// Paths that no mount may have.
    static let paths = [own, icecast]

    /// `server`: the name and version of the program. `mounts` is called at each request. Anonymous clients may read
    /// the pages, but only the owner sees the listeners.
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
        // Dashboards may be pages of any origin, and this page names no listener.
        open.cors = HTTPCORS()
        open.users = nil
        // It may also be requested by any host name.
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

    /// The maximum number of listeners listed; walking through thousands would delay other work.
    private static let mostListeners = 1000

    /// Only the owner may see who listens: a client on this machine whose request comes neither through a proxy nor
    /// from a page of another site. Not every proxy adds a field, so if users are defined the client must be one of
    /// them, and otherwise its address must not be that of a trusted proxy.
    private func isOwner(_ exchange: HTTPExchange) -> Bool {
        let request = exchange.request
        guard exchange.isFromThisMachine else { return false }
        guard hasUsers ? request.isUser : !service.isTrustedProxy(request.peer.host) else { return false }
        let isSent = request.head.fields.contains { field in
            Self.signsOfOthers.contains(field.name) || field.name.hasPrefix("x-forwarded-")
        }
        return !isSent && ["none", "same-origin", nil].contains(request.head["sec-fetch-site"])
    }

    /// Fields added by proxies, or by browsers for pages of other sites.
    private static let signsOfOthers: Set = ["forwarded", "via", "x-real-ip", "origin"]

    private static func response(_ value: JSONValue) -> HTTPResponse {
        HTTPResponse(
            .ok,
            fields: [
                HTTPField("Content-Type", "application/json; charset=utf-8"), HTTPField("Cache-Control", "no-cache"),
            ], body: Array(value.text(.compact).utf8))
    }
}
