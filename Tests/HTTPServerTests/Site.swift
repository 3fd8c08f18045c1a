// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import HTTPServer
import TestSupport
import Testing

/// A server with a few routes, on a real socket and in virtual time.
final class Site {
    let reactor = PolledReactor()
    let service: HTTPService
    let port: UInt16
    /// The exchange of the route that does not answer.
    var kept: HTTPExchange?
    /// The sockets that the route `/stream` took over.
    private(set) var streams: [HTTPSocket] = []
    /// How many requests that change something were handled.
    private(set) var changes = 0

    /// A hash of `password` that is quick to compute.
    static let hash = "$2b$04$KBCwKxOzLha2MUDgW0PjXewA1o2Hfp5H/s/yB9RgCg0ktMiYb//oy"
    static let password = "sésame"

    init(
        address: String = "127.0.0.1:0", limits: HTTPLimits = HTTPLimits(),
        _ change: (inout HTTPLimits) -> Void = { _ in }
    ) throws {
        var limits = limits
        change(&limits)
        // The real loop ignores this signal, too.
        signal(SIGPIPE, SIG_IGN)
        service = HTTPService(reactor: reactor, limits: limits)
        port = try service.listen(try #require(SocketAddress(address))).port
        service.router.add("/hello", [.get, .head]) { $0.respond(HTTPResponse(.ok, text: "hello")) }
        service.router.add("/echo", [.post]) { $0.respond(HTTPResponse(.ok, text: "posted")) }
        service.router.add("/silent", [.get]) { [unowned self] in kept = $0 }
        service.router.add("/client", [.get]) { $0.respond(HTTPResponse(.ok, text: "\($0.request.client.host)")) }
        service.router.add("/change", [.post, .delete]) { [unowned self] exchange in
            changes += 1
            exchange.respond(HTTPResponse(.ok))
        }
        service.router.add("/stream", [.get, .head], rules: .stream) { [unowned self] in stream($0) }
        var denied = HTTPRouteRules()
        denied.networks.denied = IPNetwork.loopback
        service.router.add("/elsewhere", [.get], rules: denied) { $0.respond(HTTPResponse(.ok)) }
        var secret = HTTPRouteRules.stream
        secret.users = UserList(["anna": try #require(PasswordHash(Self.hash))], realm: "A \"radio\"")
        service.router.add("/secret", [.get], rules: secret) {
            let isForgotten = $0.request.head["authorization"] == nil
            $0.respond(HTTPResponse(.ok, text: isForgotten ? "secret" : "told"))
        }
    }

    /// Sends the head of a stream, and keeps the socket open.
    private func stream(_ exchange: HTTPExchange) {
        let response = HTTPResponse(.ok, fields: exchange.fields)
        guard exchange.request.method == .get else { return exchange.respondWithHead(of: response) }
        guard let socket = exchange.takeOver() else { return }
        _ = response.encodedStreamHead(minorVersion: 0).withUnsafeBytes { socket.send($0) }
        streams.append(socket)
    }

    /// Sends a request, and returns the client when both sides have closed.
    func ask(_ request: String) -> LoopbackClient {
        let client = reactor.ask(request, port: port)
        client.close()
        reactor.drain()
        return client
    }

    /// Sends a request of HTTP/1.1. `fields` are further fields, each with its line end.
    func get(
        _ path: String, _ fields: String = "", method: String = "GET", host: String = "127.0.0.1"
    ) -> LoopbackClient {
        ask("\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n")
    }

    /// A client that listens.
    func listen() -> LoopbackClient {
        let client = reactor.connect(port: port)
        client.send("GET /stream HTTP/1.0\r\n\r\n")
        reactor.pump { !client.collect().received.isEmpty || client.end != nil }
        return client
    }

    func closeStreams() {
        for socket in streams { socket.close() }
        streams = []
    }

    func close() {
        closeStreams()
        service.close()
        reactor.drain()
    }

    deinit { close() }
}

extension LoopbackClient {
    /// The status line and the fields. The body is left out, because a body that is not text takes very long to decode.
    private var head: String {
        let start = received.prefix(16_384)
        let end = start.indices.first { start[$0...].starts(with: "\r\n\r\n".utf8) } ?? start.endIndex
        return String(decoding: start[..<end], as: UTF8.self)
    }

    /// The number in the status line; nil where there is none.
    var status: Int? { Int(head.dropFirst(9).prefix(3)) }

    /// The value of a field of the response.
    func field(_ name: String) -> String? {
        head.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
    }
}

extension HTTPRouter {
    /// Serves a single route.
    mutating func add(
        _ path: String, _ methods: [HTTPMethod], rules: HTTPRouteRules = HTTPRouteRules(),
        _ handler: @escaping RouteSet.Handler
    ) {
        let routes = RouteSet()
        routes.add(path, methods, handler)
        mount(routes, rules: rules)
    }

    /// Serves a single route for all paths that begin with `prefix`.
    mutating func add(under prefix: String, _ methods: [HTTPMethod], _ handler: @escaping RouteSet.PrefixHandler) {
        let routes = RouteSet()
        routes.add(under: prefix, methods, handler)
        mount(routes)
    }
}
