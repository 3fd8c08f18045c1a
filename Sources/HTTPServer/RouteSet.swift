// SPDX-License-Identifier: MIT

/// Routes that are served together, such as those of an API, a page or a mount. Any ``HTTPService`` can serve them, and
/// several can at the same time.
///
/// A handler is called for a request that has one of its methods, and whose client may use the route. It answers at
/// once, later, or with a stream; see ``HTTPExchange``.
package final class RouteSet {
    package typealias Handler = (HTTPExchange) -> Void
    /// Called with the rest of the decoded path after the prefix: `a/b` for `/files/a/b` under `/files/`. The rest is
    /// untrusted, may be empty, and contains no `..`.
    package typealias PrefixHandler = (HTTPExchange, String) -> Void
    /// Changes who may use a route: the rules are those with which the set is mounted.
    package typealias Access = (inout HTTPRouteRules) -> Void

    enum Match {
        case path(String)
        /// All paths that begin with this prefix, which ends with a slash, and have no route of their own.
        case prefix(String)
    }

    struct Route {
        let match: Match
        let methods: [HTTPMethod]
        let access: Access
        let handler: PrefixHandler
    }

    private(set) var routes: [Route] = []

    package init() {}

    /// Adds a route. With GET, it should have HEAD, too. OPTIONS is answered for all routes.
    package func add(
        _ path: String, _ methods: [HTTPMethod] = [.get, .head], access: @escaping Access = { _ in },
        _ handler: @escaping Handler
    ) {
        routes.append(Route(match: .path(path), methods: methods, access: access) { exchange, _ in handler(exchange) })
    }

    /// Adds a route for all paths that begin with `prefix`, which ends with a slash, and have no route of their own.
    package func add(
        under prefix: String, _ methods: [HTTPMethod] = [.get, .head], access: @escaping Access = { _ in },
        _ handler: @escaping PrefixHandler
    ) {
        precondition(prefix.hasSuffix("/"), "a prefix ends where a part of the path does")
        routes.append(Route(match: .prefix(prefix), methods: methods, access: access, handler: handler))
    }
}
