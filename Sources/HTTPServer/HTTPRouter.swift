// SPDX-License-Identifier: MIT

/// Which handler answers for which path, and by which rules: that of the path itself, or else that of the longest of
/// the prefixes that fit. There are no patterns.
package struct HTTPRouter {
    package typealias Handler = (HTTPExchange) -> Void
    /// Gets what follows the prefix in the path, decoded as the path is: of `/files/a/b` under `/files/` it is `a/b`.
    package typealias PrefixHandler = (HTTPExchange, String) -> Void

    struct Route {
        var methods: [HTTPMethod]
        /// Nil for those of the server.
        var rules: HTTPRouteRules?
        var handler: Handler
    }

    private var routes: [String: Route] = [:]
    /// The longest first.
    private var prefixes: [(prefix: String, route: (String) -> Route)] = []

    package init() {}

    /// Answers a path with a handler; replaces the one it had. A route of GET should name HEAD too; OPTIONS is answered
    /// for all of them.
    ///
    /// The handler hears of requests with these methods that the rules let pass; without rules of its own a route has
    /// those of the server (``HTTPService/rules``).
    package mutating func add(
        _ path: String, _ methods: [HTTPMethod], rules: HTTPRouteRules? = nil, _ handler: @escaping Handler
    ) {
        routes[path] = Route(methods: methods, rules: rules, handler: handler)
    }

    /// Nothing is answered there any more: not even a request whose password is being looked at reaches the handler.
    package mutating func remove(_ path: String) {
        routes[path] = nil
    }

    /// Answers all paths that begin so, but for those with a route of their own; see ``add(_:_:rules:_:)``. The prefix
    /// ends with a slash. The rest of the path is a stranger's word: it climbs nowhere, and may be empty.
    package mutating func add(
        under prefix: String, _ methods: [HTTPMethod], rules: HTTPRouteRules? = nil, _ handler: @escaping PrefixHandler
    ) {
        precondition(prefix.hasSuffix("/"), "a prefix ends where a part of the path does")
        remove(under: prefix)
        let index = prefixes.firstIndex { $0.prefix.utf8.count < prefix.utf8.count } ?? prefixes.endIndex
        let route = { rest in Route(methods: methods, rules: rules) { handler($0, rest) } }
        prefixes.insert((prefix, route), at: index)
    }

    /// The prefix's own handler is asked no more; see ``remove(_:)``.
    package mutating func remove(under prefix: String) {
        prefixes.removeAll { $0.prefix == prefix }
    }

    func route(_ path: String) -> Route? {
        if let route = routes[path] { return route }
        guard let (prefix, route) = prefixes.first(where: { path.utf8.starts(with: $0.prefix.utf8) })
        else { return nil }
        return route(String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }

    /// Answers a request that may be answered; without a route there is nothing to be had.
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
