// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
package import HTTPServer
package import Instants
import RadioCore
import RadioFormats

/// A relay's status pages: `/status.json`, and `/status-json.xsl` in Icecast's format.
package final class StatusPages {
    private let service: HTTPService
    private let server: String
    private let started: WallInstant
    private let mounts: () -> [Mount]

    private static let own = "/status.json"
    private static let icecast = "/status-json.xsl"
    /// Paths that no mount may have.
    static let paths = [own, icecast]

    /// Serves the pages. `server`: the name and version of the program. `mounts` is called at each request. Anybody may
    /// read the pages, but if there are users, only they and the owner see the titles. Only the owner sees the list of
    /// listeners.
    package init(
        on service: HTTPService, server: String, started: WallInstant, rules: HTTPRouteRules = HTTPRouteRules(),
        mounts: @escaping () -> [Mount]
    ) {
        self.service = service
        self.server = server
        self.started = started
        self.mounts = mounts
        var own = rules
        own.admitsStrangers = true
        let hasUsers = rules.users != nil
        service.router.add(Self.own, [.get, .head], rules: own) { [unowned self] exchange in
            let mounts = self.mounts()
            let isOwner = isOwner(exchange)
            exchange.respond(
                Self.response(
                    RelayStatus.json(
                        self.server, self.started,
                        Self.snapshots(mounts, withTitles: !hasUsers || isOwner || exchange.user != nil),
                        listeners: isOwner ? mounts.map { $0.listeners(limit: Self.mostListeners) } : nil)))
        }
        var open = rules
        // Pages of any origin, such as dashboards, may read this page, because it names no listener.
        open.cors = HTTPCORS()
        open.admitsStrangers = true
        // The host that a request names is not checked.
        open.checksHost = false
        service.router.add(Self.icecast, [.get, .head], rules: open) { [unowned self] exchange in
            let base = exchange.baseURL
            let isOwner = isOwner(exchange)
            exchange.respond(
                Self.response(
                    IcecastStatus.json(
                        self.server, self.started,
                        Self.snapshots(self.mounts(), withTitles: !hasUsers || isOwner || exchange.user != nil),
                        base: base)))
        }
    }

    private static func snapshots(_ mounts: [Mount], withTitles: Bool) -> [MountSnapshot] {
        mounts.map { mount in
            var snapshot = mount.snapshot
            if !withTitles { snapshot.title = nil }
            return snapshot
        }
    }

    package func close() {
        service.router.remove(Self.own)
        service.router.remove(Self.icecast)
    }

    /// The maximum number of listeners listed; walking through thousands would delay other work.
    private static let mostListeners = 1000

    /// Whether the request comes from the owner, who may see the listeners: a program of the same user, or of root,
    /// that is connected through a Unix socket. A loopback address proves nothing, because requests through a local
    /// proxy that adds no fields also come from a loopback address. A proxy that runs as the same user is recognised by
    /// the fields it adds.
    private func isOwner(_ exchange: HTTPExchange) -> Bool {
        guard let user = exchange.localUser, user == 0 || user == getuid() else { return false }
        return !exchange.request.head.fields.contains { field in
            Self.signsOfProxies.contains(field.name) || field.name.hasPrefix("x-forwarded-")
        }
    }

    /// Fields added by proxies.
    private static let signsOfProxies: Set = ["forwarded", "via", "x-real-ip"]

    private static func response(_ value: JSONValue) -> HTTPResponse {
        HTTPResponse(
            .ok,
            fields: [
                HTTPField("Content-Type", "application/json; charset=utf-8"), HTTPField("Cache-Control", "no-cache"),
            ], body: Array(value.text(.compact).utf8))
    }
}
