// SPDX-License-Identifier: MIT

/// Which handler answers for which path, and by which rules. Paths are compared whole; there are no patterns.
package struct HTTPRouter {
    package typealias Handler = (HTTPExchange) -> Void

    struct Route {
        var methods: [HTTPMethod]
        /// Nil for those of the server.
        var rules: HTTPRouteRules?
        var handler: Handler
    }

    private var routes: [String: Route] = [:]

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

    func route(_ path: String) -> Route? { routes[path] }

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
