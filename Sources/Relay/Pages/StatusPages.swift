// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
package import HTTPServer
package import Instants
import RadioFormats

/// A relay's status pages: `/status.json`, and `/status-json.xsl` in Icecast's format.
///
/// Anybody may read the pages, but if there are users, only they and the owner see the titles. Only the owner sees the
/// list of listeners.
package struct StatusPages {
    private let server: String
    private let started: WallInstant
    private let hasUsers: Bool
    private let mounts: () -> [Mount]

    private static let own = "/status.json"
    private static let icecast = "/status-json.xsl"
    /// Paths that no mount may have.
    static let paths = [own, icecast]

    /// `server`: the name and version of the program. `hasUsers`: whether listening requires a password. `mounts` is
    /// called at each request.
    package init(server: String, started: WallInstant, hasUsers: Bool, mounts: @escaping () -> [Mount]) {
        self.server = server
        self.started = started
        self.hasUsers = hasUsers
        self.mounts = mounts
    }

    package var routes: RouteSet {
        let routes = RouteSet()
        routes.add(Self.own, access: { $0.admitsStrangers = true }) { exchange in
            let mounts = mounts()
            let listeners = isOwner(exchange) ? mounts.map { $0.listeners(limit: Self.mostListeners) } : nil
            let snapshots = snapshots(mounts, for: exchange)
            exchange.respond(Self.response(RelayStatus.json(server, started, snapshots, listeners: listeners)))
        }
        let isOpen = { (rules: inout HTTPRouteRules) in
            // Pages of any origin, such as dashboards, may read this page, because it names no listener.
            rules.cors = HTTPCORS()
            rules.admitsStrangers = true
            // The host that a request names is not checked.
            rules.checksHost = false
        }
        routes.add(Self.icecast, access: isOpen) { exchange in
            let snapshots = snapshots(mounts(), for: exchange)
            exchange.respond(Self.response(IcecastStatus.json(server, started, snapshots, base: exchange.baseURL)))
        }
        return routes
    }

    private func snapshots(_ mounts: [Mount], for exchange: HTTPExchange) -> [MountSnapshot] {
        let showsTitles = !hasUsers || isOwner(exchange) || exchange.user != nil
        return mounts.map { mount in
            var snapshot = mount.snapshot
            if !showsTitles { snapshot.title = nil }
            return snapshot
        }
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
