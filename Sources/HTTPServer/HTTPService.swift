// SPDX-License-Identifier: MIT

package import EventLoop
import Glibc
import RadioCore

/// An HTTP/1.x server on the loop: listens, reads bounded requests, routes them, and gives sockets to streams.
///
/// Confined to the loop's thread. Each connection carries one request: the answer closes it.
package final class HTTPService {
    /// Who answers for what; may be changed at any time.
    package var router = HTTPRouter()
    /// Asked before any route, also those that do not exist: a response refuses the request, nil lets it pass.
    package var authorize: ((HTTPRequest) -> HTTPResponse?)?

    private let reactor: any Reactor
    private let limits: HTTPLimits
    private let name: String
    private var listeners: [ListeningSocket] = []
    private var sockets: [ObjectIdentifier: HTTPSocket] = [:]
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    private var admission: HTTPAdmission
    private var date = HTTPDate()

    /// A server that listens nowhere yet; `name` goes into the `Server` field.
    package init(reactor: any Reactor, name: String = "Aircheck", limits: HTTPLimits = HTTPLimits()) {
        self.reactor = reactor
        self.name = name
        self.limits = limits
        admission = HTTPAdmission(limits: limits)
    }

    /// Listens on one more address. Port 0 lets the kernel choose; the address that it became is returned.
    @discardableResult
    package func listen(_ address: SocketAddress) throws(ListenError) -> SocketAddress {
        let listener = try ListeningSocket(address, reactor: reactor) { [unowned self] descriptor, peer in
            accept(descriptor, peer)
        }
        listeners.append(listener)
        return listener.address
    }

    /// Sockets that are open now, those taken over included.
    package var connectionCount: Int { sockets.count }

    /// Stops listening and closes every socket. Whoever took sockets over closes them before this.
    package func close() {
        for listener in listeners { listener.close() }
        listeners = []
        for connection in connections.values { connection.close() }
        for socket in sockets.values { socket.close() }
    }

    private func accept(_ descriptor: CInt, _ peer: SocketAddress) {
        guard admission.admit(peer) else { return SystemSocket.refuse(descriptor) }
        let socket = HTTPSocket(descriptor, peer: peer, reactor: reactor, service: self)
        sockets[ObjectIdentifier(socket)] = socket
        let connection = HTTPConnection(socket, service: self, reactor: reactor, limits: limits)
        connections[ObjectIdentifier(connection)] = connection
    }
}

// MARK: - What connections ask

extension HTTPService {
    func handle(_ exchange: HTTPExchange) {
        let request = exchange.request
        if let refusal = authorize?(request) { return exchange.respond(refusal) }
        switch router.match(request.method, request.path) {
        case .handler(let handler): handler(exchange)
        case .response(let response): exchange.respond(response)
        }
    }

    /// Fields of every response.
    package func commonFields() -> [HTTPField] {
        [HTTPField("Server", name), HTTPField("Date", date.text(reactor.wallNow))]
    }

    /// Gives the socket's place back.
    func socketIsClosed(_ socket: HTTPSocket) {
        sockets[ObjectIdentifier(socket)] = nil
        admission.release(socket.peer)
    }

    /// A connection needs no more keeping. It may be the caller's caller, so it goes at the end of the turn.
    func connectionIsOver(_ connection: HTTPConnection, of socket: HTTPSocket) {
        connections[ObjectIdentifier(connection)] = nil
        reactor.defer { withExtendedLifetime((connection, socket)) {} }
    }
}
