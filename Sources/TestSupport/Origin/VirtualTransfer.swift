// SPDX-License-Identifier: MIT

package import CurlClient
import EventLoop
package import Instants
import RadioFormats

/// One transfer from a ``VirtualOrigin``.
package final class VirtualTransfer: HTTPTransfer {
    /// What the timer is waiting for.
    private enum Stage {
        case resolving, connecting
        case awaitingAnswer(LiveScript.Answer, since: MonotonicInstant)
        /// Nothing more arrives; the transfer ends with this error when the timer fires.
        case stuck(TransferError)
        /// The test acts. The timer only ends a pause.
        case byHand
        case body(LivePlayer, since: MonotonicInstant)
        case wholeBody(ArraySlice<UInt8>)
        case pacedBody(PacedBody, since: MonotonicInstant)
        /// The body has ended; only held bytes are still to be delivered.
        case ending(TransferError?)
    }

    /// Body bytes, and when they arrived.
    private struct Arrived {
        let piece: LivePlayer.Piece
        let at: MonotonicInstant
    }

    package let request: TransferRequest
    package private(set) var isCancelled = false
    package private(set) var isPaused = false
    /// Whether a head has been received by hand.
    package private(set) var hasHead = false
    private let origin: VirtualOrigin
    /// The delegate; nil once the transfer is over.
    private var delegate: (any TransferDelegate)?
    private var stage = Stage.resolving
    private var timer: (any ReactorTimer)?

    private var url: String
    private var cookies: [String]
    private var redirects = 0
    /// Whether the next hop may lead into a private network, as curl's client decides it.
    private var allowsPrivate: Bool
    private var connectDeadline = MonotonicInstant(nanoseconds: 0)
    private var host: VirtualOrigin.Host?
    /// The number of the connection in the log; nil while not connected.
    private var connection: Int?
    private var faultsNoted = 0

    private var lowWater = 1
    /// Bytes that have arrived but are not delivered yet, because there are fewer than the low-water mark, or because
    /// the transfer is paused.
    private var held: [Arrived] = []
    private var heldBytes = 0
    package private(set) var lastArrival: MonotonicInstant?
    /// The body length that the head announced, and the number of bytes delivered so far.
    private var announced: Int?
    private var delivered = 0

    private static let block = 1400
    /// The number of bytes that are read together.
    private static let read = 16 * 1024
    /// The number of bytes that a kernel would buffer while nothing is read.
    private static let window = 1 << 20
    private static let redirectLimit = 10
    /// The address of all servers in private networks.
    static let inside = "127.0.0.1"

    init(_ request: TransferRequest, origin: VirtualOrigin, delegate: any TransferDelegate) {
        self.request = request
        self.origin = origin
        self.delegate = delegate
        url = request.url
        cookies = request.cookies
        allowsPrivate = request.allowsPrivateAddress
        timer = origin.reactor.makeTimer { [unowned self] in go() }
    }

    // MARK: HTTPTransfer

    package func cancel() {
        guard delegate != nil else { return }
        isCancelled = true
        finish()
    }

    package func pause() { isPaused = true }

    package func resume() {
        isPaused = false
        goSoon()
    }

    package func gather(_ bytes: Int, isCoalesced: Bool) {
        let isLess = bytes < lowWater
        lowWater = max(1, bytes)
        if isLess { goSoon() }
    }

    private func goSoon() {
        switch stage {
        case .byHand, .body, .wholeBody, .pacedBody, .ending: timer?.arm(at: origin.reactor.now)
        case .resolving, .connecting, .awaitingAnswer, .stuck: break
        }
    }

    // MARK: Stages

    func begin() {
        guard delegate != nil else { return }
        connectDeadline = origin.reactor.now + request.connectTimeout
        guard enter(.resolving) else { return }
        stage = .resolving
        waitConnecting(for: origin.resolveLatency)
    }

    /// Waits for `latency`, during name resolution or connection. Both share one deadline; if the latency would exceed
    /// it, the transfer fails at the deadline.
    private func waitConnecting(for latency: Duration) {
        if origin.reactor.now + latency > connectDeadline {
            stage = .stuck(
                TransferError(.connectTimeout, "connecting to \(AddressText(url).redacted) took too long"))
            timer?.arm(at: connectDeadline)
        } else {
            wait(for: latency)
        }
    }

    private func wait(for latency: Duration) { timer?.arm(at: origin.reactor.now + latency) }

    /// Handles the timer.
    private func go() {
        guard delegate != nil else { return }
        switch stage {
        case .resolving: connect()
        case .connecting: connected()
        case .awaitingAnswer(let answer, let accepted): take(answer, accepted)
        case .stuck(let error): end(error)
        case .byHand: if !held.isEmpty { release() }
        case .body, .wholeBody, .pacedBody, .ending: pump()
        }
    }

    private func connect() {
        host = origin.host(URLParts(url).authority)
        guard let host else {
            return end(TransferError(.unknownHost, "the host of \(AddressText(url).redacted) has no address"))
        }
        guard allowsPrivate || isPublic(host) else {
            let name = AddressText(url).redacted
            return end(
                TransferError(
                    .addressForbidden,
                    redirects > 0
                        ? "a redirect to \(name) leads to the private address \(Self.inside)"
                        : "\(name) is at \(Self.inside), to which Aircheck does not connect", address: Self.inside))
        }
        if isPublic(host) { allowsPrivate = false }
        guard enter(.connecting) else { return }
        stage = .connecting
        waitConnecting(for: origin.connectLatency)
    }

    private func isPublic(_ host: VirtualOrigin.Host) -> Bool { origin.publicHosts.contains(host.name) }

    private func connected() {
        guard let host else { return }
        let now = origin.reactor.now
        let absence = host.script.absence(at: origin.elapsed)
        if let absence, absence.kind != .resetting {
            origin.note { $0.refusals.append(.init(at: now, host: host.name)) }
            return end(TransferError(.refused, "\(AddressText(url).redacted) refused the connection"))
        }
        let target = URLParts(url).target
        origin.note { log in
            let number = log.accepted(at: now, host: host.name)
            connection = number
            log.requests.append(
                .init(connection: number, at: now, target: target, wantsMetadata: request.wantsMetadata))
        }
        let visit = LiveScript.Visit(
            number: host.nextVisit(), target: target, time: origin.elapsed, others: origin.log.open - 1,
            resumeAt: request.resumeAt.map { Int($0) }, resumeValidator: request.resumeValidator,
            fields: request.fields(to: url, cookies: cookies))
        guard enter(.waitingForHead) else { return }
        let answer = absence == nil ? host.script.answer(visit) : .hangUp
        let delay = answer.headDelay
        let isInTime = delay < request.headTimeout
        stage = .awaitingAnswer(isInTime ? answer : .silence, since: now + delay)
        wait(for: isInTime ? origin.answerLatency + delay : origin.answerLatency)
    }

    private func take(_ answer: LiveScript.Answer, _ accepted: MonotonicInstant) {
        switch answer {
        case .silence:
            stage = .stuck(
                TransferError(
                    .headTimeout, "\(AddressText(url).redacted) accepted the request but did not answer in time"))
            wait(for: request.headTimeout)
        case .hangUp:
            end(TransferError(.dropped, "\(AddressText(url).redacted) closed the connection without an answer"))
        case .failure(let error):
            end(error)
        case .byHand:
            stage = .byHand
            origin.awaitsHand(self)
        case .response(let head, let body):
            if (300..<400).contains(head.status), let location = head.value(of: "location") {
                keepCookies(of: head)
                return follow(location)
            }
            stage = .wholeBody(body[...])
            if deliver(head) { pump() }
        case .paced(let head, let body, _, let length):
            stage = .pacedBody(PacedBody(body, over: length), since: origin.reactor.now)
            if deliver(head) { pump() }
        case .stream(let stream):
            guard let host else { return }
            let time = origin.elapsed(at: accepted)
            let player = LivePlayer(
                stream, programmeTime: host.script.onAir + time, wantsMetadata: request.wantsMetadata,
                death: host.script.nextDeath(after: time).map { $0 - time })
            stage = .body(player, since: accepted)
            if deliver(stream.head(metadataWanted: request.wantsMetadata)) { pump() }
        }
    }

    private func follow(_ location: String) {
        disconnect()
        url = location.contains("://") ? location : URLParts(url).base + location
        redirects += 1
        guard redirects <= Self.redirectLimit else {
            return end(
                TransferError(.tooManyRedirects, "too many redirects, the last one to \(AddressText(url).redacted)"))
        }
        begin()
    }

    // MARK: The body

    private func pump() {
        if heldBytes >= lowWater { release() }
        while delegate != nil, heldBytes < Self.window {
            if case .ending(let error) = stage {
                release()
                if held.isEmpty { end(error ?? truncated) }
                return
            }
            switch step() {
            case .send(let piece):
                take(piece)
            case .wait(let time):
                if heldBytes >= lowWater { release() }
                guard let since = bodyBegan, let time else { return }
                // The player's times may be more precise than an instant, which has whole nanoseconds. So the timer is
                // always set after the present instant, to make time pass before the next step.
                timer?.arm(at: max(since + time, origin.reactor.now + .nanoseconds(1)))
                return
            case .close:
                stage = .ending(nil)
            case .reset:
                stage = .ending(TransferError(.dropped, "the connection to \(AddressText(url).redacted) broke off"))
            }
        }
    }

    private func step() -> LivePlayer.Step {
        switch stage {
        case .body(var player, let since):
            let step = player.next(at: origin.reactor.now - since)
            noteFaults(of: player, since: since)
            stage = .body(player, since: since)
            return step
        case .wholeBody(let bytes):
            stage = .wholeBody(bytes.dropFirst(Self.block))
            return bytes.isEmpty ? .close : .send(.init(bytes: bytes.prefix(Self.block), range: nil))
        case .pacedBody(var body, let since):
            let step = body.next(at: origin.reactor.now - since, block: Self.block)
            stage = .pacedBody(body, since: since)
            return step
        case .resolving, .connecting, .awaitingAnswer, .stuck, .byHand, .ending:
            // No body bytes arrive in these stages.
            return .wait(until: nil)
        }
    }

    private var bodyBegan: MonotonicInstant? {
        switch stage {
        case .body(_, let since), .pacedBody(_, let since): since
        case .resolving, .connecting, .awaitingAnswer, .stuck, .byHand, .wholeBody, .ending: nil
        }
    }

    private func keepCookies(of head: LiveHead) {
        cookies = CookieLines.merged(cookies, sent: [], head.cookies(from: url))
    }

    private func noteFaults(of player: LivePlayer, since: MonotonicInstant) {
        guard let connection else { return }
        for fault in player.struck.dropFirst(faultsNoted) {
            origin.note {
                $0.faults.append(
                    .init(connection: connection, effect: fault.effect, at: since + fault.time, place: fault.place))
            }
        }
        faultsNoted = player.struck.count
    }

    /// Handles bytes that have arrived.
    private func take(_ piece: LivePlayer.Piece) {
        lastArrival = origin.reactor.now
        hold(piece)
        // What arrives at the same instant is read at once, in pieces as large as curl's.
        if heldBytes >= max(lowWater, Self.read) { release() }
    }

    private func hold(_ piece: LivePlayer.Piece) {
        held.append(Arrived(piece: piece, at: origin.reactor.now))
        heldBytes += piece.bytes.count
    }

    /// Delivers all held bytes, unless the delegate pauses or cancels.
    private func release() {
        if !held.isEmpty, !isPaused { origin.note { $0.deliveries += 1 } }
        while !held.isEmpty, let delegate, !isPaused {
            let arrived = held.removeFirst()
            let bytes = arrived.piece.bytes
            heldBytes -= bytes.count
            delivered += bytes.count
            origin.note { log in
                log.bodyBytes += bytes.count
                guard let connection else { return }
                log.sent(arrived.piece.range, on: connection, at: arrived.at, read: origin.reactor.now)
            }
            bytes.withUnsafeBytes { delegate.transfer(self, received: $0) }
        }
        delegate?.transferDelivered(self)
    }

    // MARK: By hand

    /// Receives the head of a response from the test.
    package func receive(_ head: LiveHead) {
        guard case .byHand = stage, delegate != nil else { return }
        hasHead = true
        _ = deliver(head)
    }

    /// Receives body bytes from the test, after a head. A pause holds them back; ``gather(_:isCoalesced:)`` does not.
    package func receive(_ bytes: ArraySlice<UInt8>) {
        guard case .byHand = stage, hasHead, delegate != nil else { return }
        hold(.init(bytes: bytes, range: nil))
        release()
    }

    // MARK: For the delegate

    /// Reports a phase to the delegate. Returns whether the transfer continues.
    private func enter(_ phase: TransferPhase) -> Bool {
        delegate?.transfer(self, entered: phase)
        return delegate != nil
    }

    private func deliver(_ head: LiveHead) -> Bool {
        keepCookies(of: head)
        announced = head.value(of: "content-length").flatMap { Int($0) }
        delegate?.transfer(
            self,
            received: head.received(
                from: url, redirects: redirects, isPrivate: host.map { !isPublic($0) } ?? true, cookies: cookies))
        return delegate != nil && enter(.receiving)
    }

    /// Ends the transfer. Also called by a test that answers by hand.
    package func end(_ error: TransferError? = nil) {
        guard let delegate else { return }
        finish()
        delegate.transfer(self, endedWith: error)
    }

    /// The error for a body that is shorter than its head announced; nil if it is complete.
    private var truncated: TransferError? {
        guard let announced, delivered < announced else { return nil }
        return TransferError(.truncated, "\(AddressText(url).redacted) closed the connection before the end")
    }

    private func finish() {
        delegate = nil
        timer?.cancel()
        timer = nil
        held = []
        disconnect()
        origin.isOver(self)
    }

    private func disconnect() {
        guard let number = connection else { return }
        connection = nil
        origin.note { log in
            log.open -= 1
            log.accepts[number].ended = origin.reactor.now
        }
    }
}

/// The parts of a URL that are needed here.
struct URLParts {
    /// The scheme and authority.
    let base: String
    /// The host, and the port if the URL has one.
    let authority: String
    /// The path and query.
    let target: String

    init(_ url: String) {
        let parts = url.split(separator: "://", maxSplits: 1)
        let rest = parts.last ?? ""
        let whole = rest.prefix { $0 != "/" && $0 != "?" }
        authority = String(whole.split(separator: "@").last ?? "")
        base = (parts.count > 1 ? String(parts[0]) : "http") + "://" + whole
        let path = rest.dropFirst(whole.count)
        target = path.hasPrefix("/") ? String(path) : "/" + path
    }
}
