// SPDX-License-Identifier: MIT

/// Which handler answers for which path. Paths are compared whole; there are no patterns.
package struct HTTPRouter {
    package typealias Handler = (HTTPExchange) -> Void

    /// What becomes of a request.
    enum Match {
        case handler(Handler)
        case response(HTTPResponse)
    }

    private struct Route {
        var methods: [HTTPMethod]
        var handler: Handler
    }

    private var routes: [String: Route] = [:]

    package init() {}

    /// Answers a path with a handler; replaces the one it had. A route of GET should name HEAD too.
    package mutating func add(_ path: String, _ methods: [HTTPMethod], _ handler: @escaping Handler) {
        routes[path] = Route(methods: methods, handler: handler)
    }

    package mutating func remove(_ path: String) {
        routes[path] = nil
    }

    func match(_ method: HTTPMethod, _ path: String) -> Match {
        guard let route = routes[path] else {
            guard path != "*" else { return .response(allow(HTTPMethod.allCases, .noContent)) }
            return .response(HTTPResponse(.notFound, text: "there is nothing here"))
        }
        guard !route.methods.contains(method) else { return .handler(route.handler) }
        guard method != .options else { return .response(allow(route.methods + [.options], .noContent)) }
        return .response(allow(route.methods, .methodNotAllowed))
    }

    private func allow(_ methods: [HTTPMethod], _ status: HTTPStatus) -> HTTPResponse {
        HTTPResponse(status, fields: [HTTPField("Allow", methods.map(\.rawValue).joined(separator: ", "))])
    }
}
