// SPDX-License-Identifier: MIT

package import EventLoop
import Glibc
import Instants

/// An HTTP/1.x server on the loop: listens, reads bounded requests, checks and routes them, and hands sockets over to
/// streams.
///
/// A connection carries one request after another; if a client sends more before it has its answer, the connection
/// closes after that answer.
package final class HTTPService {
    /// The routes, which may change at any time.
    package var router = HTTPRouter()
    /// The names by which pages may be requested; nil for any. Streams accept any name.
    package var hosts: HostCheck?
    /// Receives a record of each answered request, for an access log; nil for none.
    package var onAnswered: ((AccessRecord) -> Void)?
    /// Receives what people should know: of requests that are refused, and of lost sockets.
    package var onNotice: (ServiceNotice) -> Void {
        get { gate.onNotice }
        set { gate.onNotice = newValue }
    }
    var accessRecords = AccessRecords()

    /// The buffer for reading. All sockets share it, because each read is processed before the next one.
    let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 16)
    let reactor: any Reactor
    /// Changes apply to new connections, and to the next request of open ones.
    package var limits: HTTPLimits {
        didSet { limitsChanged() }
    }
    private let name: String
    /// Sends files, a part of each in turn.
    let transfers: TransferRound
    /// Connections that may be closed at any time, because they carry no request.
    var idle = IdleConnections()
    private let gate: HTTPGate
    private let openings: ListeningSockets
    private var listeners: [ListeningSocket] = []
    /// See ``listenForOwner(_:)``.
    private var owners: ListeningSocket?
    private lazy var look = reactor.makeTimer { [unowned self] in replaceLost() }
    /// Indexed by descriptor, because descriptors are small numbers that are reused: eight bytes per client.
    private var sockets: [HTTPSocket?] = []
    private var admission: HTTPAdmission
    private var date = HTTPDate()

    private static let readSize = 16 * 1024
    /// The time between two looks whether the files of Unix sockets are in place.
    private static let interval = Duration.seconds(60)

    /// A server that does not listen yet. `name` is sent in the `Server` field. `sockets`: where it gets its sockets.
    package init(
        reactor: any Reactor, name: String = "Aircheck", limits: HTTPLimits = HTTPLimits(),
        sockets: ListeningSockets = ListeningSockets()
    ) {
        self.reactor = reactor
        self.name = name
        self.limits = limits
        openings = sockets
        transfers = TransferRound(reactor: reactor)
        gate = HTTPGate(reactor: reactor, patience: limits.answer)
        admission = HTTPAdmission(limits: limits)
    }

    deinit { readBuffer.deallocate() }

    /// Listens on a further address, and returns it with its actual port. With port 0, the kernel chooses the port.
    @discardableResult
    package func listen(_ address: SocketAddress) throws(ListenError) -> SocketAddress {
        let listener = accept(from: try openings.open(address))
        listeners.append(listener)
        if listener.socket.file != nil { look.arm(at: reactor.now + Self.interval) }
        return listener.address
    }

    /// Opens the Unix sockets anew whose files somebody has removed. If another program has taken the name, it keeps
    /// the name, and the next look tries again.
    private func replaceLost() {
        look.arm(at: reactor.now + Self.interval)
        for lost in listeners where lost.socket.file?.isInPlace == false {
            guard (try? listen(lost.socket.wanted)) != nil else { continue }
            lost.close()
            listeners.removeAll { $0 === lost }
            onNotice(.socketMadeAgain(lost.address))
        }
    }

    /// Listens on a Unix socket to which only this process's user and root may connect. Its clients need no password
    /// and are in no network, because they could read the password and the configuration anyway. Does nothing if there
    /// is such a socket already.
    package func listenForOwner(_ address: SocketAddress) throws(ListenError) {
        guard owners == nil else { return }
        owners = accept(from: try openings.open(address, isOwners: true), isOwners: true)
    }

    /// Accepts connections from the inherited sockets that no service has taken. The file of an inherited Unix socket
    /// is never removed.
    package func listenOnInherited() { listeners += openings.takeInherited().map { accept(from: $0) } }

    private func accept(from socket: OpenedSocket, isOwners: Bool = false) -> ListeningSocket {
        ListeningSocket(
            socket, reactor: reactor, makeRoom: { [unowned self] in closeIdle() },
            onAccept: { [unowned self] in accept($0, $1, isOwners: isOwners) })
    }

    /// Whether this address is listened on, by ``listen(_:)`` or by an inherited socket.
    package func isListening(on wanted: SocketAddress) -> Bool { listeners.contains { $0.socket.wanted == wanted } }

    /// Stops listening on an address. Connections stay open. Inherited sockets stay open, too, because they could not
    /// be opened again.
    package func stopListening(_ wanted: SocketAddress) {
        let ended = listeners.filter { $0.socket.wanted == wanted && !$0.socket.isInherited }
        for listener in ended { listener.close() }
        listeners.removeAll { listener in ended.contains { $0 === listener } }
    }

    private func limitsChanged() {
        admission.trust(limits.trustedProxies)
        let open = sockets.compactMap(\.self)
        // A peer that is no longer a trusted proxy counts as the client itself.
        for socket in open where !admission.isTrusted(socket.peer.host) { socket.hasCountedClient = false }
        admission.apply(
            limits,
            clients: open.compactMap { socket in
                countedClient(of: socket).map { ($0, socket.isStream && !socket.isLeaving) }
            })
    }

    /// The client for whom a socket is counted; nil if it is counted for none.
    private func countedClient(of socket: HTTPSocket) -> ServedClient? {
        if socket.hasCountedClient { return socket.client }
        return admission.isTrusted(socket.peer.host) ? nil : ServedClient(socket.peer.host)
    }

    /// The addresses being listened on, with their actual ports.
    package var addresses: [SocketAddress] { listeners.map(\.address) }

    /// The number of open sockets, including streams.
    package var connectionCount: Int { admission.count }

    /// The number of open sockets that were taken over.
    package var streamCount: Int { admission.streams }

    /// Stops listening and closes every socket. The owners of streams must close their sockets before this.
    package func close() {
        look.cancel()
        for listener in listeners { listener.close() }
        listeners = []
        owners?.close()
        owners = nil
        transfers.close()
        gate.close()
        for case let socket? in sockets {
            if let connection = socket.driver as? HTTPConnection { connection.close() }
            socket.close()
        }
    }

    private func accept(_ descriptor: CInt, _ peer: SocketAddress, isOwners: Bool = false) {
        while let refusal = admission.admit(peer.host, now: reactor.now) {
            guard makeRoom(for: peer.host, refusal) else {
                return SystemSocket.refuse(descriptor, Self.response(to: refusal))
            }
        }
        let socket = HTTPSocket(descriptor, peer: peer, reactor: reactor, service: self)
        socket.isOwners = isOwners
        while sockets.count <= descriptor { sockets.append(nil) }
        sockets[Int(descriptor)] = socket
        HTTPConnection(socket, service: self, reactor: reactor, limits: limits).start()
    }

    /// Closes an idle connection, if that frees a place for this peer.
    private func makeRoom(for peer: SocketAddress.Host, _ refusal: HTTPAdmission.Refusal) -> Bool {
        switch refusal {
        case .full: return closeIdle()
        case .tooMany:
            guard let own = idle.first(of: peer) else { return false }
            own.close()
            return true
        case .tooManyStreams, .tooOften: return false
        }
    }

    /// Closes the connection that has been idle for longest; returns false if there is none.
    private func closeIdle() -> Bool {
        guard let connection = idle.removeOldest() else { return false }
        connection.close()
        return true
    }

    private static func response(to refusal: HTTPAdmission.Refusal) -> HTTPResponse {
        switch refusal {
        case .full: .full
        case .tooMany: .later(.serviceUnavailable, after: .seconds(10), "too many connections from your address")
        case .tooManyStreams: .later(.serviceUnavailable, after: .seconds(10), "too many listeners at your address")
        case .tooOften(let wait): .later(.tooManyRequests, after: wait, "too many new connections from your address")
        }
    }
}

// MARK: - Calls from connections

extension HTTPService {
    func handle(_ exchange: HTTPExchange) {
        // Everybody may learn that there is no route.
        let rules = router.route(exchange.request.path)?.rules ?? HTTPRouteRules()
        exchange.fields = rules.cors?.fields ?? []
        gate.authorize(exchange, rules, hosts: hosts) { [unowned self] exchange in
            // The route is looked up again: while the password was checked, the route or its rules may have changed.
            let route = router.route(exchange.request.path).flatMap { $0.rules == rules ? $0 : nil }
            HTTPRouter.answer(exchange, route, rules.cors)
        }
    }

    /// Whether to believe this peer's statements about its client (``HTTPLimits/trustedProxies``).
    package func isTrustedProxy(_ peer: SocketAddress.Host) -> Bool { admission.isTrusted(peer) }

    /// Fields of every response.
    package func commonFields() -> [HTTPField] {
        [HTTPField("Server", name), HTTPField("Date", date.text(reactor.wallNow))]
    }

    /// Determines the client behind a proxy from the head, and counts the client. Returns a refusal; nil if the client
    /// is admitted.
    func admitClient(of socket: HTTPSocket, _ head: HTTPRequestHead) -> HTTPResponse? {
        let peer = socket.peer.host
        guard admission.isTrusted(peer) else { return nil }
        socket.client = ClientAddress.behind(peer, head, trusted: limits.trustedProxies)
        // There are no limits for requests that a proxy makes for itself.
        guard !(socket.client.isNamed && admission.isTrusted(socket.client.host)) else { return nil }
        if let refusal = admission.admitClient(socket.client, now: reactor.now) { return Self.response(to: refusal) }
        socket.hasCountedClient = true
        return nil
    }

    /// Uncounts the client, because the next request through a proxy may be another client's.
    func forgetClient(of socket: HTTPSocket) {
        if socket.hasCountedClient { admission.releaseClient(socket.client) }
        socket.hasCountedClient = false
        socket.client = ServedClient(socket.peer.host)
    }

    func limitIdleConnections() {
        if idle.count > limits.idleConnections { _ = closeIdle() }
    }

    /// The refusal that a connection would get as a stream; nil if there is a place for it.
    func streamRefusal(_ socket: HTTPSocket) -> HTTPResponse? {
        admission.streamRefusal(of: countedClient(of: socket)).map(Self.response)
    }

    /// Counts a connection as a stream, or returns a refusal.
    func admitStream(_ socket: HTTPSocket) -> HTTPResponse? {
        if let refusal = admission.admitStream(of: countedClient(of: socket)) { return Self.response(to: refusal) }
        socket.isStream = true
        return nil
    }

    /// Stops counting a stream for its address, once.
    func clientHasClosed(_ socket: HTTPSocket) {
        guard socket.isStream, !socket.isLeaving else { return }
        socket.isLeaving = true
        admission.leaveStream(of: countedClient(of: socket))
    }

    /// Releases the socket's place.
    func socketIsClosed(_ socket: HTTPSocket) {
        sockets[Int(socket.descriptor)] = nil
        answerHasEnded(on: socket)
        if socket.isStream {
            clientHasClosed(socket)
            admission.releaseStream()
        }
        admission.release(socket.peer.host)
        if socket.hasCountedClient { admission.releaseClient(socket.client) }
    }
}

extension HTTPResponse {
    /// The server is full.
    static let full = HTTPResponse.later(.serviceUnavailable, after: .seconds(10), "the server is full")
}
