// SPDX-License-Identifier: MIT

/// Maps paths to handlers and their rules: an exact path, or else the longest matching prefix. There are no patterns.
package struct HTTPRouter {
    package typealias Handler = (HTTPExchange) -> Void
    /// Called with the rest of the decoded path after the prefix: `a/b` for `/files/a/b` under `/files/`.
    package typealias PrefixHandler = (HTTPExchange, String) -> Void

    struct Route {
        var methods: [HTTPMethod]
        /// The rules of the route; nil for the rules of the server.
        var rules: HTTPRouteRules?
        var handler: Handler
    }

    private var routes: [String: Route] = [:]
    /// The prefixes and their routes, the longest prefix first.
    private var prefixes: [(prefix: String, route: (String) -> Route)] = []
    /// Called for a path that has no route of its own. Returns the path of a route that serves it; nil if no route
    /// does.
    package var alias: (String) -> String? = { _ in nil }

    package init() {}

    /// Adds or replaces the handler of a path. A route with GET should also have HEAD. OPTIONS is answered for all
    /// routes.
    ///
    /// The handler is called only for requests that have one of these methods and pass `rules`; nil means the server's
    /// rules (``HTTPService/rules``).
    package mutating func add(
        _ path: String, _ methods: [HTTPMethod], rules: HTTPRouteRules? = nil, _ handler: @escaping Handler
    ) {
        routes[path] = Route(methods: methods, rules: rules, handler: handler)
    }

    /// Changes the rules of a path, for requests from now on.
    package mutating func setRules(_ rules: HTTPRouteRules, of path: String) { routes[path]?.rules = rules }

    /// Removes a path. Even a request whose password is being checked does not reach the handler any more.
    package mutating func remove(_ path: String) {
        routes[path] = nil
    }

    /// Adds a handler for all paths that begin with `prefix` and have no route of their own; see ``add(_:_:rules:_:)``.
    /// The prefix ends with a slash. The rest of the path is untrusted, may be empty, and contains no `..`.
    package mutating func add(
        under prefix: String, _ methods: [HTTPMethod], rules: HTTPRouteRules? = nil, _ handler: @escaping PrefixHandler
    ) {
        precondition(prefix.hasSuffix("/"), "a prefix ends where a part of the path does")
        remove(under: prefix)
        let index = prefixes.firstIndex { $0.prefix.utf8.count < prefix.utf8.count } ?? prefixes.endIndex
        let route = { rest in Route(methods: methods, rules: rules) { handler($0, rest) } }
        prefixes.insert((prefix, route), at: index)
    }

    /// Removes a prefix; see ``remove(_:)``.
    package mutating func remove(under prefix: String) {
        prefixes.removeAll { $0.prefix == prefix }
    }

    func route(_ path: String) -> Route? { known(path) ?? alias(path).flatMap(known) }

    private func known(_ path: String) -> Route? {
        if let route = routes[path] { return route }
        guard let (prefix, route) = prefixes.first(where: { path.utf8.starts(with: $0.prefix.utf8) })
        else { return nil }
        return route(String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }

    /// Answers a request that passed the rules. Without a route, the answer is 404.
    static func answer(_ exchange: HTTPExchange, _ route: Route?, _ cors: HTTPCORS?) {
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
