// SPDX-License-Identifier: MIT

package import EventLoop
import Glibc
import RadioCore

/// An HTTP/1.x server on the loop: listens, reads bounded requests, checks and routes them, and gives sockets to
/// streams.
///
/// Confined to the loop's thread. A connection carries one request after the other; a client that sends more before it
/// has its answer is closed with it.
package final class HTTPService {
    /// Who answers for what; may be changed at any time.
    package var router = HTTPRouter()
    /// The rules of routes without their own, and of paths without a route.
    package var rules = HTTPRouteRules()
    /// By which names pages may be asked for; nil for any. Streams may always be asked for by any name.
    package var hosts: HostCheck?

    /// What is read from sockets, one at a time.
    let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 16)
    private let reactor: any Reactor
    private let limits: HTTPLimits
    private let name: String
    /// Whose files are sent next.
    let transfers: TransferRound
    /// Who may be closed at any time, since nothing is under way.
    var idle = IdleConnections()
    private let gate: HTTPGate
    private var listeners: [ListeningSocket] = []
    /// By their descriptors, which are small numbers and given out anew: eight bytes a client.
    private var sockets: [HTTPSocket?] = []
    private var admission: HTTPAdmission
    private var date = HTTPDate()

    private static let readSize = 16 * 1024

    /// A server that listens nowhere yet; `name` goes into the `Server` field.
    package init(reactor: any Reactor, name: String = "Aircheck", limits: HTTPLimits = HTTPLimits()) {
        self.reactor = reactor
        self.name = name
        self.limits = limits
        transfers = TransferRound(reactor: reactor)
        gate = HTTPGate(reactor: reactor, patience: limits.answer)
        admission = HTTPAdmission(limits: limits)
    }

    deinit { readBuffer.deallocate() }

    /// Listens on one more address. Port 0 lets the kernel choose; the address that it became is returned.
    @discardableResult
    package func listen(_ address: SocketAddress) throws(ListenError) -> SocketAddress {
        let listener = try ListeningSocket(
            address, reactor: reactor, makeRoom: { [unowned self] in closeIdle() },
            onAccept: { [unowned self] in accept($0, $1) })
        listeners.append(listener)
        return listener.address
    }

    /// Sockets that are open now, streams included.
    package var connectionCount: Int { admission.count }

    /// Sockets that were taken over and are open now.
    package var streamCount: Int { admission.streams }

    /// Stops listening and closes every socket. Whoever took sockets over closes them before this.
    package func close() {
        for listener in listeners { listener.close() }
        listeners = []
        transfers.close()
        gate.close()
        for case let socket? in sockets {
            if let connection = socket.driver as? HTTPConnection { connection.close() }
            socket.close()
        }
    }

    private func accept(_ descriptor: CInt, _ peer: SocketAddress) {
        while let refusal = admission.admit(peer.host, now: reactor.now) {
            guard makeRoom(for: peer.host, refusal) else {
                return SystemSocket.refuse(descriptor, Self.response(to: refusal))
            }
        }
        let socket = HTTPSocket(descriptor, peer: peer, reactor: reactor, service: self)
        while sockets.count <= descriptor { sockets.append(nil) }
        sockets[Int(descriptor)] = socket
        HTTPConnection(socket, service: self, reactor: reactor, limits: limits).start()
    }

    /// Closes a connection that is kept and does nothing, where that gives a place back that somebody needs.
    private func makeRoom(for peer: SocketAddress.Host, _ refusal: HTTPAdmission.Refusal) -> Bool {
        switch refusal {
        case .full: return closeIdle()
        case .tooMany:
            guard let own = idle.first(of: peer) else { return false }
            own.close()
            return true
        case .tooOften: return false
        }
    }

    /// Closes the connection that has waited longest for its next request; false where none waits.
    private func closeIdle() -> Bool {
        guard let connection = idle.removeOldest() else { return false }
        connection.close()
        return true
    }

    private static func response(to refusal: HTTPAdmission.Refusal) -> HTTPResponse {
        switch refusal {
        case .full: .full
        case .tooMany: .later(.serviceUnavailable, after: .seconds(10), "too many connections from your address")
        case .tooOften(let wait): .later(.tooManyRequests, after: wait, "too many connections in a short time")
        }
    }
}

// MARK: - What connections ask

extension HTTPService {
    func handle(_ exchange: HTTPExchange) {
        let rules = router.route(exchange.request.path)?.rules ?? rules
        exchange.fields = rules.cors?.fields ?? []
        gate.authorize(exchange, rules, hosts: hosts) { [unowned self] exchange in
            // A password takes its time: meanwhile the route may have gone, or its rules may be others.
            let route = router.route(exchange.request.path).flatMap { ($0.rules ?? self.rules) == rules ? $0 : nil }
            HTTPRouter.answer(exchange, route, rules.cors)
        }
    }

    /// Whether what this peer says of its client is believed (``HTTPLimits/trustedProxies``).
    package func isTrustedProxy(_ peer: SocketAddress.Host) -> Bool { admission.isTrusted(peer) }

    /// Fields of every response.
    package func commonFields() -> [HTTPField] {
        [HTTPField("Server", name), HTTPField("Date", date.text(reactor.wallNow))]
    }

    /// Finds out who is behind a proxy, now that the head says so, and counts that client. A refusal, or nil.
    func admitClient(of socket: HTTPSocket, _ head: HTTPRequestHead) -> HTTPResponse? {
        let peer = socket.peer.host
        guard admission.isTrusted(peer) else { return nil }
        guard let client = ClientAddress.behind(peer, head, trusted: limits.trustedProxies) else {
            return HTTPResponse(.badRequest, text: "X-Forwarded-For and Forwarded do not name the same client")
        }
        socket.client = client
        // A proxy that asks for itself is as good as this machine.
        guard !admission.isTrusted(socket.client) else { return nil }
        if let refusal = admission.admitClient(socket.client, now: reactor.now) { return Self.response(to: refusal) }
        socket.hasCountedClient = true
        return nil
    }

    /// The next request on this connection may be another client's, behind a proxy.
    func forgetClient(of socket: HTTPSocket) {
        if socket.hasCountedClient { admission.releaseClient(socket.client) }
        socket.hasCountedClient = false
        socket.client = socket.peer.host
    }

    func limitIdleConnections() {
        if idle.count > limits.idleConnections { _ = closeIdle() }
    }

    /// Makes a stream of a connection; false where streams have all the places that they may have.
    func admitStream(_ socket: HTTPSocket) -> Bool {
        socket.isStream = admission.admitStream()
        return socket.isStream
    }

    /// Gives the socket's place back.
    func socketIsClosed(_ socket: HTTPSocket) {
        sockets[Int(socket.descriptor)] = nil
        admission.release(socket.peer.host)
        if socket.hasCountedClient { admission.releaseClient(socket.client) }
        if socket.isStream { admission.releaseStream() }
    }
}

extension HTTPResponse {
    /// There is no place left.
    static let full = HTTPResponse.later(.serviceUnavailable, after: .seconds(10), "the server is full")
}
