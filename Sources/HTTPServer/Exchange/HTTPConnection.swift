// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import Instants

/// A client's connection from accept to its last answer: reads a head, requests an answer, sends it, and then waits for
/// the next head or closes, as ``Persistence`` decides.
///
/// Retained by its socket until it ends or a stream takes over the socket. A single timer holds the deadline of the
/// current state, counted from its beginning, so that no byte from the client can postpone it.
final class HTTPConnection {
    private let socket: HTTPSocket
    private let reactor: any Reactor
    private let limits: HTTPLimits
    private unowned let service: HTTPService
    private var parser: HTTPHeadParser
    private var state = State.head(hasBytes: false)
    private var deadline: (any ReactorTimer)?
    /// Whether the answer is a refusal: then the connection closes without lingering, which frees its place at once.
    private var isRefusal = false
    private var persistence: Persistence
    /// What to call if the client closes while a handler has the exchange, and how many more bytes may be read while
    /// watching for that.
    private var watch: (whenClosed: () -> Void, bytesLeft: Int)?

    /// Each state can change to the next one, and all states to `done`.
    private enum State {
        case head(hasBytes: Bool)
        /// The connection is kept for the next request, of which no byte has arrived.
        case idle(IdleConnections.Ticket)
        /// A handler has the exchange.
        case answering(HTTPRequestHead)
        case sending(OutgoingResponse)
        /// Everything has been sent. The client's remaining input is read, because closing with unread input would
        /// reset the connection and lose the answer.
        case lingering(bytesLeft: Int)
        case done
    }

    private static let lingerTime = Duration.seconds(2)
    /// A client that sends more than this while the connection lingers gets a reset, and may lose the answer.
    private static let lingerBytes = 2 * 1024 * 1024
    private static let sendBuffer = 256 * 1024
    /// The maximum number of bytes read from a client that waits for its answer. Such a client should send nothing.
    private static let watchedBytes = 64 * 1024

    var peer: SocketAddress.Host { socket.peer.host }

    init(_ socket: HTTPSocket, service: HTTPService, reactor: any Reactor, limits: HTTPLimits) {
        self.socket = socket
        self.service = service
        self.reactor = reactor
        self.limits = limits
        parser = HTTPHeadParser(limits: limits.parser)
        persistence = Persistence(most: limits.requests)
    }

    /// Starts reading. The request has usually arrived already, so this need not wait for it.
    func start() {
        socket.driver = self
        let timer = reactor.makeTimer { [unowned self] in deadlinePassed() }
        timer.arm(at: reactor.now + limits.head)
        deadline = timer
        receive()
        if isReading { socket.interest = .read }
    }

    /// Closes the socket, whatever the state.
    func close() {
        leave()
        socket.close()
    }

    /// Sends a complete response.
    func respond(_ response: HTTPResponse) {
        guard case .answering(let head) = state else { return }
        lookForMore()
        // A stream's place is released only when its connection closes, so the connection must not be kept.
        if !socket.isStream { persistence.answer(response.status) }
        send(response, minorVersion: head.minorVersion, isHead: head.method == .head)
    }

    /// Sends the head of a response that would be streamed, or the refusal if there is no place for a stream.
    func respondWithHead(of response: HTTPResponse, adding fields: [HTTPField]) {
        guard case .answering(let head) = state else { return }
        if !socket.isStream, let refusal = service.streamRefusal(socket) { return respond(refusal.adding(fields)) }
        service.answerBegins(response.status, on: socket)
        send(OutgoingResponse(response.encodedStreamHead(minorVersion: head.minorVersion), .bytes([])))
    }

    /// Releases the socket to its new owner, or refuses the request if there is no place for a stream.
    func release(adding fields: [HTTPField]) -> HTTPSocket? {
        guard reserveStream(adding: fields) else { return nil }
        service.answerBegins(.ok, on: socket)
        leave()
        socket.driver = nil
        socket.interest = []
        return socket
    }

    /// Counts the socket as a stream, or refuses the request if there is no place for another stream.
    func reserveStream(adding fields: [HTTPField]) -> Bool {
        guard case .answering = state else { return false }
        guard !socket.isStream, let refusal = service.admitStream(socket) else { return true }
        refuse(refusal.adding(fields))
        return false
    }

    /// See ``HTTPExchange/whenClientCloses(_:)``.
    func whenClientCloses(_ action: @escaping () -> Void) {
        guard case .answering = state else { return }
        watch = (action, Self.watchedBytes)
        socket.interest = .read
    }

    /// See ``HTTPSocket/isOwners``.
    var isOwners: Bool { socket.isOwners }

    /// See ``HTTPExchange/localUser``.
    var localUser: UInt32? {
        socket.isOpen && socket.peer.host.isUnix ? SystemSocket.peerUser(socket.descriptor) : nil
    }

    /// The address at which the client reached us (`getsockname(2)`).
    var localAddress: SocketAddress? { socket.isOpen ? SystemSocket.localAddress(socket.descriptor) : nil }

    /// Enters this user, whose name and password the request contained, in its record.
    func confirmUser(_ name: String) { service.userIsKnown(name, on: socket) }

    private func refuse(_ response: HTTPResponse) {
        isRefusal = true
        persistence.giveUp()
        respond(response)
    }

    private var isReading: Bool {
        if case .head = state { true } else { false }
    }

    private func leave() {
        if case .idle(let ticket) = state { service.idle.remove(ticket) }
        state = .done
        deadline?.cancel()
        deadline = nil
        watch = nil
    }

    private func deadlinePassed() {
        switch state {
        case .head(hasBytes: true):
            service.requestIsInvalid(.requestTimeout, on: socket)
            // The connection closes without lingering, because slow clients may be many, or malicious.
            let answer = HTTPResponse(.requestTimeout, text: "the request took too long")
                .outgoing(minorVersion: 0, isHead: false)
            _ = answer.lead.withUnsafeBytes { socket.send($0) }
            close()
        case .answering(let head):
            // The connection closes after this answer. Otherwise a late answer by the handler could be taken for the
            // answer to another request.
            send(Self.noAnswer, minorVersion: head.minorVersion, isHead: head.method == .head)
        case .sending(let outgoing) where outgoing.isFile:
            guard outgoing.hasMoved(by: limits.leastTaken, on: socket) else { return close() }
            deadline?.arm(at: reactor.now + limits.transfer)
        case .head, .idle, .sending, .lingering, .done:
            close()
        }
    }

    private static let noAnswer = HTTPResponse.later(.serviceUnavailable, after: .seconds(5), "no answer in time")
}

extension HTTPConnection: HTTPSocketDriver {
    func socketIsReady(_ socket: HTTPSocket, for readiness: Readiness) {
        switch state {
        case .head: receive()
        case .idle(let ticket): beginNext(ticket)
        case .lingering: discard()
        case .sending(let outgoing): proceed(outgoing)
        case .answering: lookForEnd()
        case .done: break
        }
    }
}

// MARK: - Receiving

extension HTTPConnection {
    private func receive() {
        let buffer = service.readBuffer
        switch socket.receive(into: buffer) {
        case .read(let count): takeHead(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case .nothing: break
        case .end, .broken: close()
        }
    }

    private func takeHead(_ bytes: UnsafeRawBufferPointer) {
        do throws(HTTPRequestError) {
            switch try parser.read(bytes) {
            case .more:
                state = .head(hasBytes: true)
            case .head(let head, let consumed):
                // Bytes after the head would be a pipelined request. They are not read: the connection ends with the
                // answer to this request.
                persistence.begin(head)
                if consumed < bytes.count { persistence.giveUp() }
                ask(head)
            }
        } catch {
            service.requestIsInvalid(error.status, on: socket)
            send(HTTPResponse(error.status, text: error.message), minorVersion: 0, isHead: false)
        }
    }

    private func ask(_ head: HTTPRequestHead) {
        state = .answering(head)
        socket.interest = []
        let refusal = service.admitClient(of: socket, head)
        let isFromProxy = service.isTrustedProxy(socket.peer.host)
        let request = HTTPRequest(head: head, peer: socket.peer, client: socket.client, isFromProxy: isFromProxy)
        service.requestHasArrived(request, on: socket)
        if let refusal { refuse(refusal) } else { service.handle(HTTPExchange(request, connection: self)) }
        // Most requests have been answered by now, and need no deadline for the handler.
        if case .answering = state { deadline?.arm(at: reactor.now + limits.answer) }
    }

    /// Checks for the client closing its side, or sending unexpected data.
    private func lookForEnd() {
        guard let watch else { return }
        switch socket.discard(upTo: watch.bytesLeft) {
        case .read(let count):
            persistence.giveUp()
            self.watch?.bytesLeft -= count
            // Further input stays unread in the kernel, whose buffer soon fills up.
            if watch.bytesLeft <= count { socket.interest = [] }
        case .nothing:
            break
        case .end, .broken:
            close()
            watch.whenClosed()
        }
    }

    private func discard() {
        guard case .lingering(let left) = state else { return }
        switch socket.discard() {
        case .read(let count):
            guard left > count else { return close() }
            state = .lingering(bytesLeft: left - count)
        case .nothing:
            break
        case .end, .broken:
            close()
        }
    }
}

// MARK: - Sending

extension HTTPConnection {
    private func send(_ response: HTTPResponse, minorVersion: Int, isHead: Bool) {
        service.answerBegins(response.status, on: socket)
        let whole = response.adding(service.commonFields())
        send(whole.outgoing(minorVersion: minorVersion, isHead: isHead, isKept: persistence.isKept))
    }

    private func send(_ outgoing: OutgoingResponse) {
        watch = nil
        state = .sending(outgoing)
        // The kernel's send buffer for a slow client also takes memory, so its size is limited.
        if outgoing.isFile { socket.setSendBuffer(Self.sendBuffer) }
        deadline?.arm(at: reactor.now + (outgoing.isFile ? limits.transfer : limits.response))
        proceed(outgoing)
    }

    private func proceed(_ outgoing: OutgoingResponse) {
        guard outgoing.isFile else { return sendMore() }
        socket.interest = []
        service.transfers.add(self)
    }

    /// Sends as much as may be sent at one time.
    func sendMore() {
        guard case .sending(let outgoing) = state else { return }
        // The client cannot have received the end of its answer yet, so input at this time rules out keeping the
        // connection.
        if outgoing.hasBegun { lookForMore() }
        switch outgoing.send(to: socket) {
        case .done: finish()
        case .more where outgoing.isFile: service.transfers.add(self)
        case .more, .full: socket.interest = .write
        case .broken: close()
        }
    }

    private func finish() {
        service.answerHasEnded(on: socket)
        if persistence.isKept { return waitForNext() }
        guard isRefusal else { return linger() }
        _ = socket.discard()
        close()
    }

    private func lookForMore() {
        if socket.lookAhead() != .nothing { persistence.giveUp() }
    }

    private func waitForNext() {
        service.forgetClient(of: socket)
        persistence.giveUp()
        parser = HTTPHeadParser(limits: limits.parser)
        state = .idle(service.idle.insert(self))
        socket.interest = .read
        deadline?.arm(at: reactor.now + limits.idle)
        service.limitIdleConnections()
    }

    private func beginNext(_ ticket: IdleConnections.Ticket) {
        service.idle.remove(ticket)
        state = .head(hasBytes: false)
        deadline?.arm(at: reactor.now + limits.head)
        receive()
    }

    private func linger() {
        socket.finishSending()
        state = .lingering(bytesLeft: Self.lingerBytes)
        socket.interest = .read
        deadline?.arm(at: reactor.now + Self.lingerTime)
    }
}
