// SPDX-License-Identifier: MIT

/// Maps paths to routes: an exact path, or else the longest matching prefix. There are no patterns.
package struct HTTPRouter {
    struct MountedRoute {
        var methods: [HTTPMethod]
        var rules: HTTPRouteRules
        var handler: RouteSet.Handler
    }

    private var paths: [String: MountedRoute] = [:]
    /// The prefixes and their routes, the longest prefix first.
    private var prefixes: [(prefix: String, route: (String) -> MountedRoute)] = []
    /// Called for a path that has no route of its own. Returns the path of a route that serves it; nil if no route
    /// does.
    package var alias: (String) -> String? = { _ in nil }

    package init() {}

    /// Serves the routes of a set to clients that pass `rules`, which each route may change. They replace routes of the
    /// same paths. Mounting a set again changes its rules, for requests from now on.
    package mutating func mount(_ set: RouteSet, rules: HTTPRouteRules = HTTPRouteRules()) {
        for route in set.routes {
            var rules = rules
            route.access(&rules)
            let served = { [rules] rest in
                MountedRoute(methods: route.methods, rules: rules) { route.handler($0, rest) }
            }
            switch route.match {
            case .path(let path): paths[path] = served("")
            case .prefix(let prefix):
                prefixes.removeAll { $0.prefix == prefix }
                let index = prefixes.firstIndex { $0.prefix.utf8.count < prefix.utf8.count } ?? prefixes.endIndex
                prefixes.insert((prefix, served), at: index)
            }
        }
    }

    /// Stops serving the routes of a set. Even a request whose password is being checked does not reach them any more.
    package mutating func unmount(_ set: RouteSet) {
        for route in set.routes {
            switch route.match {
            case .path(let path): paths[path] = nil
            case .prefix(let prefix): prefixes.removeAll { $0.prefix == prefix }
            }
        }
    }

    func route(_ path: String) -> MountedRoute? { known(path) ?? alias(path).flatMap(known) }

    private func known(_ path: String) -> MountedRoute? {
        if let route = paths[path] { return route }
        guard let (prefix, route) = prefixes.first(where: { path.utf8.starts(with: $0.prefix.utf8) })
        else { return nil }
        return route(String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }

    /// Answers a request that passed the rules. Without a route, the answer is 404.
    static func answer(_ exchange: HTTPExchange, _ route: MountedRoute?, _ cors: HTTPCORS?) {
        let request = exchange.request
        guard let route else {
            guard request.path != "*" else { return exchange.respond(.allow(HTTPMethod.allCases, .noContent)) }
            return exchange.respond(HTTPResponse(.notFound, text: "there is nothing here"))
        }
        guard !route.methods.contains(request.method) else { return route.handler(exchange) }
        let methods = route.methods + [.options]
        guard request.method == .options else { return exchange.respond(.allow(methods, .methodNotAllowed)) }
        var response = HTTPResponse.allow(methods, .noContent)
        response.fields += cors?.preflightFields(request.head) ?? []
        exchange.respond(response)
    }
}

extension HTTPResponse {
    fileprivate static func allow(_ methods: [HTTPMethod], _ status: HTTPStatus) -> HTTPResponse {
        HTTPResponse(status, fields: [HTTPField("Allow", methods.map(\.rawValue).joined(separator: ", "))])
    }
}
