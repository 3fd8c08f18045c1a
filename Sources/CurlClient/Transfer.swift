// SPDX-License-Identifier: MIT

import CLibCurl
import EventLoop
import Glibc
import Instants
import RadioFormats

/// An attempt at an HTTP exchange, with its redirects.
///
/// A transfer is created by a ``ConnectRace``; its delegate is the ``Exchange``. The client retains the transfer until
/// it ends or is cancelled; after that it is an empty shell. curl calls the transfer's hooks. They must not add
/// transfers to the multi or remove them, so they store an error, which is reported at the end.
final class Transfer: HTTPTransfer {
    let request: TransferRequest
    /// curl's handle. It exists from the start of the transfer to its end.
    private(set) var handle: OpaquePointer?
    /// Whether the client has added the handle to its multi.
    var isAdded = false
    /// Whether a pause is requested; curl is notified after the turn's callbacks.
    private var isPaused = false
    private var share = TurnShare()
    /// Bytes received since the last delivery was reported to the delegate.
    private var undelivered = 0
    /// Whether the transfer has used its share of this turn, so that the rest waits for the next one.
    private var hasHadShare = false

    /// The following three properties are nil once the transfer has ended or been cancelled.
    private var client: CurlClient?
    private var delegate: Exchange?
    private var headTimer: (any ReactorTimer)?

    private var phase: TransferPhase?
    private var collector = HeadCollector()
    /// Whether the body has begun, so that there is something to pause.
    private(set) var isHeadDelivered = false
    /// The head delivered, and the number of bytes of its body received.
    private var deliveredHead: HeadCollector.Head?
    private var received = 0
    /// The response, if curl does not read its head (``PlainRequest``). When the transfer is paused in the middle of a
    /// piece, curl passes the whole piece again, so the bytes that were used of it are counted.
    private var plain = PlainHead()
    private var usedOfPiece = 0
    /// The last redirect, kept in case curl does not follow it.
    private var redirectHead: HeadCollector.Head?
    /// The URL of the hop that answered with the last redirect, for display.
    private var redirectingURL: String?
    /// Where the exchange goes on after the end of this transfer; nil if it is over.
    private(set) var onward: Hop?
    private var hop = 0
    /// The URL of the first hop, whose server the request is meant for.
    private var origin: String?
    private var peers: PeerChoice
    /// The address to connect to without a lookup.
    private let knownAddress: PeerAddress?
    /// The error to report at the end instead of curl's own.
    private var parkedError: TransferError?

    init(
        _ request: TransferRequest, knownAddress: PeerAddress?, claims: AddressClaims, client: CurlClient,
        delegate: Exchange
    ) {
        self.request = request
        self.knownAddress = knownAddress
        self.client = client
        self.delegate = delegate
        peers = PeerChoice(
            AddressPolicy(allowsPrivateFirst: request.allowsPrivateAddress, reach: client.reach), claims: claims)
        collector.followsRedirects = request.followsRedirects
    }

    // MARK: For the exchange

    /// Ends the transfer, without any further call to the delegate. Its sockets close in this turn of the loop.
    func cancel() {
        guard let client, delegate != nil else { return }
        delegate = nil
        client.stopSoon(self)
    }

    /// The exchange that this attempt belongs to; nil once the attempt has ended or been cancelled.
    var exchange: Exchange? { delegate }

    /// See ``HTTPTransfer/pause()``. Once the receive window is full, the server has to wait.
    func pause() {
        setPaused(true)
    }

    /// See ``HTTPTransfer/resume()``.
    func resume() {
        setPaused(false)
    }

    /// Lets the kernel gather `bytes` bytes before it wakes the loop (`SO_RCVLOWAT`), because each wake-up has its cost
    /// and live stations send small pieces. 1 is the default. If fewer bytes have arrived, they wait in the kernel
    /// until more arrive, the connection ends, or a smaller number is set. `isCoalesced`: see
    /// ``SocketWatch/isCoalesced``. Applies to the current response; a redirect begins with 1 again.
    func gather(_ bytes: Int, isCoalesced: Bool) {
        guard isHeadDelivered, let client else { return }
        var count = CInt(clamping: max(1, bytes))
        for descriptor in client.sockets.sockets(of: self) {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &count, socklen_t(MemoryLayout<CInt>.size))
            client.sockets.coalesce(descriptor, isCoalesced)
        }
    }

    /// See ``HTTPTransfer/lastArrival``.
    var lastArrival: MonotonicInstant? {
        guard let client, let descriptor = client.sockets.sockets(of: self).first else { return nil }
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else { return nil }
        return client.readClock() - .milliseconds(Int(info.tcpi_last_data_recv))
    }

    private func setPaused(_ paused: Bool) {
        guard let client, delegate != nil, isPaused != paused else { return }
        isPaused = paused
        client.pauseSoon(self)
    }

    // MARK: For the client

    /// Whether curl should hold back the body.
    var isHeldBack: Bool { isPaused || hasHadShare }

    /// Restores the share, for a new turn.
    func renewShare() { hasHadShare = false }

    /// Whether the transfer has been cancelled, or has reported its end.
    var isCancelled: Bool { delegate == nil }

    /// Creates the handle. A returned error ends the transfer.
    func prepare(hooks: ac_curl_hooks) -> TransferError? {
        var hooks = hooks
        guard let handle = ac_curl_create(&hooks) else {
            return TransferError(.resources, "out of memory while fetching \(AddressText(request.url).redacted)")
        }
        self.handle = handle
        let idleLimit = client?.idleLimit
        if let error = request.apply(to: handle, knownAddress: knownAddress, idleLimit: idleLimit) { return error }
        enter(.resolving)
        return nil
    }

    /// The result to report to the delegate at the end. `result` is curl's own result.
    func conclude(_ result: CInt) -> TransferError? {
        let error = ending(result)
        onward = onward ?? hop(after: error)
        return error
    }

    private func ending(_ result: CInt) -> TransferError? {
        if isCancelled || parkedError != nil { return parkedError }
        guard result == 0 else {
            let obstacle = result == Self.couldNotConnect ? peers.error(hopURL, isRedirected: redirects > 0) : nil
            return obstacle ?? TransferError(curl: result, circumstances)
        }
        if !isHeadDelivered, let redirectHead { deliver(redirectHead) }
        guard isHeadDelivered || isCancelled else {
            return TransferError(.protocolViolation, "\(hopURL) answered without an HTTP header")
        }
        if request.readsPlainly, let length = deliveredHead?["content-length"].flatMap(Int.init), received < length {
            return TransferError(.truncated, "\(hopURL) closed the connection before the announced end")
        }
        return parkedError
    }

    /// curl's result if it could connect to no address: CURLE_COULDNT_CONNECT.
    private static let couldNotConnect: CInt = 7

    /// Frees all resources. The handle must no longer be in a multi.
    func dispose() {
        headTimer?.cancel()
        headTimer = nil
        client = nil
        if let handle { ac_curl_free(handle) }
        handle = nil
    }

    /// Reports the end to the delegate, after ``dispose()``.
    func deliverEnd(_ error: TransferError?) {
        guard let delegate else { return }
        self.delegate = nil
        delegate.transfer(self, endedWith: error)
    }

    /// The error of a transfer that the client ends before curl does.
    var abandonment: TransferError? { parkedError }

    // MARK: curl's hooks

    /// Called when curl is about to connect. Returns a socket, or -1 to refuse the address.
    func openSocket(family: CInt, type: CInt, protocol: CInt, address: UnsafeRawBufferPointer) -> CInt {
        guard !isCancelled, mayConnect(family, address) else {
            client?.nudgeSoon(self)
            return -1
        }
        enter(.connecting)
        guard !isCancelled else { return -1 }
        let descriptor = socket(family, type | CInt(SOCK_CLOEXEC.rawValue), `protocol`)
        if descriptor < 0 {
            peers.noSocket(errno)
            client?.nudgeSoon(self)
        } else {
            // A kept connection outlives the transfer, and belongs to nobody.
            client?.sockets.opened(descriptor, by: request.keepsConnection ? nil : self)
        }
        return descriptor
    }

    private func mayConnect(_ family: CInt, _ address: UnsafeRawBufferPointer) -> Bool {
        // The user chose the socket.
        guard request.socket == nil else { return family == AF_UNIX }
        return PeerAddress(family: family, address: address).map(mayConnect) ?? false
    }

    private func mayConnect(to peer: PeerAddress) -> Bool {
        // The user named the proxy, so any address is allowed for it. The host to which the proxy is to connect is
        // known only from the URL.
        guard request.proxy == nil else { return mayAskProxy }
        // Only the first hop claims addresses: a redirect leads to another host, and by then the other attempts have
        // ended.
        return peers.allows(peer, claimedBy: hop > 0 ? nil : self)
    }

    /// Whether the proxy may be asked to connect to this hop's host. Only an address in the URL itself can be checked,
    /// because names are looked up by the proxy.
    private var mayAskProxy: Bool {
        literalPeer.map { peers.allows($0, claimedBy: nil) } ?? true
    }

    /// The address that the URL of this hop contains; nil if it contains a name that has to be looked up.
    private var literalPeer: PeerAddress? {
        CurlLibrary.host(of: effectiveURL).flatMap { PeerAddress(host: $0) }
    }

    /// Called when the connection is established and TLS begins. Returns false to end the transfer.
    func securing() -> Bool {
        enter(.securing)
        return !isCancelled
    }

    /// Called when the connection is established and the request is about to be sent. Returns false to end the
    /// transfer.
    func sending(to peerText: String) -> Bool {
        guard keepsToOrigin() else {
            parkedError = TransferError(.aborted, "fetching \(hopURL) failed")
            return false
        }
        guard mayUse(connectionTo: peerText) else { return false }
        let peer = request.proxy == nil ? PeerAddress(peerText) : literalPeer
        peers.connected(to: peer)
        if let peer, request.proxy == nil {
            client?.reached(peer, forURL: effectiveURL)
        }
        armHeadTimer()
        enter(.waitingForHead)
        return !isCancelled
    }

    /// Whether the request may be sent on its connection. A kept connection may come from a request that was allowed to
    /// connect to other addresses. If so, the exchange goes on with a connection of its own.
    private func mayUse(connectionTo peerText: String) -> Bool {
        guard request.keepsConnection, request.socket == nil else { return true }
        let peer = request.proxy == nil ? PeerAddress(peerText) : literalPeer
        guard let peer, !peers.allows(peer, claimedBy: nil) else { return true }
        parkedError = peers.error(hopURL, isRedirected: redirects > 0)
        if request.mayGoOn {
            // Only an attempt that has won its race can go on.
            enter(.waitingForHead)
            onward = Hop(effectiveURL, after: self, isPlain: false)
        }
        return false
    }

    /// Gives curl bytes of the request's body. Returns their number, or -1 to end the transfer.
    func giveBody(at offset: Int, to room: UnsafeMutableRawBufferPointer) -> Int {
        guard !isCancelled, let body = request.body else { return -1 }
        let count = body.read(at: offset, into: room)
        guard count > 0 else {
            parkedError = TransferError(.aborted, "the file to send to \(hopURL) has become shorter or cannot be read")
            return -1
        }
        if !isHeadDelivered { armHeadTimer() }
        return count
    }

    /// Takes a line of a head from curl. Returns false to end the transfer.
    func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        // Gopher has no head: what curl passes here is its own.
        request.readsPlainly || takeLine(line)
    }

    private func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
        guard !isCancelled else { return false }
        do throws(HeadCollector.Problem) {
            switch try collector.take(line) {
            case .none: break
            case .redirect(let head) where request.readsPlainly:
                let target = target(of: head)
                onward =
                    redirects < TransferRequest.redirectLimit
                    ? target.map { Hop($0, after: self, isPlain: false) } : nil
                parkedError =
                    target == nil
                    ? TransferError(.protocolViolation, "\(hopURL) redirects to something that is not a URL")
                    : TransferError(.tooManyRedirects, "too many redirects, the last one from \(hopURL)")
            case .redirect(let head):
                (redirectHead, redirectingURL) = (head, bareHopURL)
                hop += 1
                peers.redirected()
                headTimer?.cancel()
                enter(.resolving)
            case .final(let head) where head.isLengthMisread && head.status == 200 && mayReadPlainly:
                onward = Hop(effectiveURL, after: self, isPlain: true)
                parkedError = TransferError(.protocolViolation, "\(hopURL) states a length that makes no sense")
            case .final(let head): deliver(head)
            }
        } catch {
            parkedError = transferError(error)
        }
        return !isCancelled && parkedError == nil
    }

    /// Takes bytes of the body from curl. Until the end of a head that curl does not read, these are bytes of the head.
    func takePiece(_ bytes: UnsafeRawBufferPointer) -> ac_curl_verdict {
        guard request.readsPlainly else { return takeBody(bytes) }
        if !isHeadDelivered {
            plain.append(bytes)
            guard takePlainHead() else { return AC_CURL_ABORT }
            guard isHeadDelivered else { return AC_CURL_GO_ON }
            usedOfPiece = max(0, bytes.count - plain.rest.count)
            // The beginning of the body may have come in earlier pieces, if there is no head.
            if plain.rest.count > bytes.count { return plain.rest.withUnsafeBytes(takeBody) }
        }
        let new = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(usedOfPiece))
        let verdict = new.isEmpty ? AC_CURL_GO_ON : takeBody(new)
        if verdict != AC_CURL_PAUSE { usedOfPiece = 0 }
        return verdict
    }

    /// Takes the lines of the head that have come. Returns false to end the transfer.
    private func takePlainHead() -> Bool {
        while !isHeadDelivered {
            switch plain.next() {
            case .incomplete: return true
            case .line(let line): guard line.withUnsafeBytes(takeLine) else { return false }
            case .missing: deliver(HeadCollector.Head(status: 200, ignored: 1))
            case .secured:
                parkedError = TransferError(.speaksTLS, "\(hopURL) answers with TLS")
                return false
            }
        }
        return !isCancelled && parkedError == nil
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> ac_curl_verdict {
        if isHeldBack { return AC_CURL_PAUSE }
        received += bytes.count
        if !isHeadDelivered, let redirectHead { deliver(redirectHead) }
        guard let delegate, let client, parkedError == nil else { return AC_CURL_ABORT }
        let turn = client.now
        delegate.transfer(self, received: bytes)
        guard !isCancelled else { return AC_CURL_ABORT }
        undelivered += bytes.count
        if undelivered >= TurnShare.delivery { tellDelivery() } else { client.tellDeliverySoon(of: self) }
        guard !isCancelled else { return AC_CURL_ABORT }
        // If curl were made to pause while it decodes, it would keep all bytes that the piece becomes.
        if share.take(bytes.count, in: turn, now: client.readClock()), !request.asksForCompression {
            hasHadShare = true
            client.proceedNextTurn(self)
        }
        return AC_CURL_GO_ON
    }

    /// Reports a delivery to the delegate, if bytes have been received since the last report.
    func tellDelivery() {
        guard undelivered > 0 else { return }
        undelivered = 0
        delegate?.transferDelivered(self)
    }

    // MARK: Inside

    /// Keeps header fields that the user set for one server from reaching another server through a redirect. curl
    /// itself protects only `Authorization` and `Cookie`, and passes all other fields on. So this function removes the
    /// fields for good before the request of a hop with another origin. Returns false on failure.
    private func keepsToOrigin() -> Bool {
        guard let handle else { return false }
        let url = effectiveURL
        guard let origin else {
            origin = url
            return true
        }
        return ac_curl_is_same_origin(origin, url) || ac_curl_drop_private_headers(handle) == 0
    }

    private func enter(_ phase: TransferPhase) {
        guard self.phase != phase, let delegate else { return }
        self.phase = phase
        delegate.transfer(self, entered: phase)
    }

    private func deliver(_ head: HeadCollector.Head) {
        guard let handle, let delegate else { return }
        headTimer?.cancel()
        isHeadDelivered = true
        redirectHead = nil
        deliveredHead = head
        if !request.decodes, (200..<300).contains(head.status), let coding = Self.contentCoding(head) {
            parkedError = TransferError(.compressed, "\(hopURL) sends compressed audio (\(coding))")
            return
        }
        let response = ResponseHead(
            status: head.status, reason: head.reason, isICY: head.isICY, fields: head.fields,
            finalURL: AddressText(effectiveURL).redacted, effectiveURL: effectiveURL,
            redirects: request.redirects + Int(ac_curl_redirect_count(handle)),
            peerAddress: peers.peer?.description ?? "", isPeerPrivate: isPeerPrivate, cookies: cookies,
            ignored: head.ignored)
        delegate.transfer(self, received: response)
        enter(.receiving)
    }

    /// The content coding of a compressed body; nil if the body is not compressed.
    private static func contentCoding(_ head: HeadCollector.Head) -> String? {
        head.fields.first { $0.name == "content-encoding" && HeadCollector.isCompression($0.value) }
            .map { field in field.value.filter { TransferRequest.isToken(String($0)) } }
    }

    private func armHeadTimer() {
        guard let client else { return }
        let timer =
            headTimer
            ?? client.makeTimer { [unowned self] in
                parkedError = TransferError(.headTimeout, "\(hopURL) accepted the request but did not answer in time")
                self.client?.stopSoon(self)
            }
        headTimer = timer
        timer.arm(at: client.now + request.headTimeout)
    }

    private func transferError(_ problem: HeadCollector.Problem) -> TransferError {
        switch problem {
        case .tooManyFields:
            TransferError(.headTooLarge, "\(hopURL) sends more than \(HeadCollector.fieldLimit) header fields")
        case .tooManyBytes:
            TransferError(.headTooLarge, "\(hopURL) sends an HTTP header of more than \(HeadCollector.byteLimit) bytes")
        case .tooManyInformational:
            TransferError(.protocolViolation, "\(hopURL) sends informational responses without end")
        case .noStatusLine:
            TransferError(.protocolViolation, "\(hopURL) answers without a status line")
        }
    }

    /// The URL of the current hop for display, with the proxy.
    private var hopURL: String { bareHopURL + (request.proxy.map { " through the proxy \($0)" } ?? "") }

    /// The URL of the current hop, for display.
    private var bareHopURL: String { AddressText(effectiveURL).redacted }

    private var proxyFacts: TransferError.ProxyFacts? {
        guard let proxy = request.proxy, let handle else { return nil }
        return TransferError.ProxyFacts(
            name: "the proxy \(proxy)", isSecure: proxy.isSecure,
            connectStatus: Int(ac_curl_connect_status(handle)), isLoginRefused: ac_curl_is_refused_by_proxy(handle),
            verifyResult: Int(ac_curl_proxy_verify_result(handle)))
    }

    private var circumstances: TransferError.Circumstances {
        TransferError.Circumstances(
            url: bareHopURL, redirectingURL: redirectingURL,
            target: redirectHead.map { AddressText($0["location"] ?? "").redacted }, phase: phase ?? .resolving,
            isRedirected: redirects > 0, proxy: proxyFacts,
            systemError: handle.map { CInt(truncatingIfNeeded: ac_curl_os_error($0)) } ?? 0,
            verifyResult: handle.map { Int(ac_curl_verify_result($0)) } ?? 0,
            text: handle.map { String(cString: ac_curl_error_text($0)) } ?? "")
    }
}

// MARK: - Where the exchange goes on

extension Transfer {
    /// The URL of the current hop.
    var effectiveURL: String {
        // Of a plain request, curl knows only the URL that contains the text.
        guard !request.readsPlainly, let handle else { return request.url }
        return String(cString: ac_curl_effective_url(handle))
    }

    /// The number of redirects that have led to the current hop.
    var redirects: Int { request.redirects + hop }

    /// See ``PeerChoice/isPeerPrivate``.
    var isPeerPrivate: Bool { peers.isPeerPrivate }

    /// The cookies that the servers have set, and those that the request brought.
    var cookies: [String] { handle.map(CookieLines.read) ?? [] }

    /// The address to which a redirect leads; nil if it is not a web address.
    private func target(of head: HeadCollector.Head) -> String? {
        let target = URLReference(head["location"] ?? "").resolved(against: URLReference(effectiveURL))
        return target.isWebAddress ? target.text : nil
    }

    /// The hop that curl does not make by itself, but that may lead to the audio.
    private func hop(after error: TransferError?) -> Hop? {
        guard !isCancelled else { return nil }
        if let redirectHead, let error, phase == .resolving, request.mayGoOn {
            // curl does not know the scheme, or the address is not in UTF-8.
            let isRefused = [.schemeNotAllowed, .protocolViolation].contains(error.code)
            return isRefused && redirects <= TransferRequest.redirectLimit
                ? target(of: redirectHead).map { Hop($0, after: self, isPlain: false) } : nil
        }
        return isMisread(error) ? Hop(effectiveURL, after: self, isPlain: true) : nil
    }

    private var mayReadPlainly: Bool { request.mayGoOn && !request.readsPlainly }

    /// Whether curl refused a head that may precede audio all the same, or took the body for empty because of it.
    private func isMisread(_ error: TransferError?) -> Bool {
        guard mayReadPlainly, parkedError == nil else { return false }
        guard let head = deliveredHead else { return error?.code == .protocolViolation && phase == .waitingForHead }
        guard head.status == 200, received == 0 else { return false }
        if error == nil { return head["content-length"].flatMap(Int.init) == 0 }
        // What the head names as a coding is none, such as a charset, or the body is not in that coding.
        if error?.code == .compressed, request.decodes { return true }
        // The body is not in chunks, or curl does not know the coding that the head names.
        return error.map { [.dropped, .compressed].contains($0.code) } ?? false && head["transfer-encoding"] != nil
    }
}
