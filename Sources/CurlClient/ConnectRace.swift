// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// An HTTP exchange from its caller's view: one attempt, and further ones beside an attempt that makes no progress.
///
/// curl tries a host's addresses in sequence and gives the first one half of the total time (except that it tries IPv6
/// and IPv4 in parallel). Here, if an attempt has not connected within 250 ms, it continues, and another attempt begins
/// beside it and skips the addresses of the first one: the happy eyeballs of RFC 8305, also among addresses of one
/// family. If the lookup fails, or takes longer than 2 s, another attempt begins at the host's last known address. The
/// first attempt that is ready to send its request wins, so the server gets a single request however many attempts
/// there were.
final class ConnectRace {
    private struct Attempt {
        let transfer: Transfer
        /// The number of the attempt, counted from 1.
        let number: Int
        /// The address to connect to without a lookup; nil if the attempt looks the host up.
        let knownAddress: PeerAddress?
        var phase = TransferPhase.resolving
    }

    private var request: TransferRequest
    private weak var client: CurlClient?
    /// Nil once the exchange has ended or been cancelled.
    private var delegate: (any TransferDelegate)?
    private var attempts: [Attempt] = []
    private var begun = 0
    /// The attempt that won the race, and continues alone.
    private var winner: Transfer?
    private var claims = AddressClaims()
    private var timer: (any ReactorTimer)?
    /// The last phase reported to the delegate.
    private var told: TransferPhase?
    /// The failure of the attempt that got furthest; if several got equally far, the failure of the first one.
    private var failure: (error: TransferError?, phase: TransferPhase, number: Int)?
    /// Whether an attempt found that the others had claimed all addresses.
    private var isExhausted = false
    private var isPaused = false
    /// Whether the delegate has received a head. It receives only one, although the exchange may go on after it.
    private var hasHead = false
    /// Whether the exchange has gone on after a head, to look for the head's body.
    private var isSeekingBody = false
    /// The error of the transfer that was repeated as a plain request; see ``PlainRequest``.
    private var misreading: TransferError?

    private static let connectPatience = Duration.milliseconds(250)
    private static let lookupPatience = Duration.seconds(2)
    private static let mostAttempts = 4

    init(_ request: TransferRequest, client: CurlClient, delegate: any TransferDelegate) {
        self.request = request
        self.client = client
        self.delegate = delegate
    }

    func start() { begin() }

    /// Starts over, unless a server is already handling the request. The current attempts may be waiting for an answer
    /// from a name server or a host, and after a change of the network it can no longer arrive.
    func restart() {
        guard winner == nil, delegate != nil else { return }
        timer?.cancel()
        for attempt in attempts { attempt.transfer.cancel() }
        beginAnew()
    }

    private func beginAnew() {
        (attempts, winner, begun, failure, isExhausted) = ([], nil, 0, nil, false)
        claims = AddressClaims()
        begin()
    }

    /// Takes a step that curl did not take, after the transfer that ended with this error.
    private func goOn(_ hop: Hop, after error: TransferError?) {
        misreading = hop.isPlain ? error : nil
        request = request.going(on: hop)
        isSeekingBody = hasHead
        told = nil
        beginAnew()
    }

    // MARK: Attempts

    private func begin(at knownAddress: PeerAddress? = nil) {
        guard let transfer = client?.attempt(request, knownAddress: knownAddress, claims: claims, for: self) else {
            return
        }
        begun += 1
        if isPaused { transfer.pause() }
        attempts.append(Attempt(transfer: transfer, number: begun, knownAddress: knownAddress))
    }

    /// Arms the timer for the next attempt after `attempt` has entered a new phase.
    private func expect(after attempt: Attempt) {
        // With a proxy, another attempt is pointless, because it would go to the same proxy.
        guard request.proxy == nil, begun < Self.mostAttempts, let client, winner == nil else { return }
        let isConnected = attempts.contains { $0.phase > .connecting }
        switch attempt.phase {
        case .resolving where begun == 1 && lastAddress != nil: arm(client, Self.lookupPatience)
        case .connecting where !isConnected && !isExhausted: arm(client, Self.connectPatience)
        case .resolving: break
        default: timer?.cancel()
        }
    }

    private func arm(_ client: CurlClient, _ patience: Duration) {
        let timer = timer ?? client.makeTimer { [weak self] in self?.patienceEnds() }
        self.timer = timer
        timer.arm(at: client.now + patience)
    }

    private func patienceEnds() {
        guard winner == nil, delegate != nil else { return }
        if attempts.contains(where: { $0.knownAddress == nil && $0.phase == .connecting }) {
            begin()
        } else {
            beginAtLastAddress()
        }
    }

    /// Starts an attempt at the host's last known address. Returns false if that address is unknown or has been tried
    /// already.
    @discardableResult
    private func beginAtLastAddress() -> Bool {
        guard begun == 1, let lastAddress else { return false }
        begin(at: lastAddress)
        return true
    }

    private var lastAddress: PeerAddress? {
        guard request.proxy == nil else { return nil }
        return CurlLibrary.host(of: request.url).flatMap { client?.addressBook.address(of: $0) }
    }

    private func decide(for transfer: Transfer) {
        winner = transfer
        timer?.cancel()
        timer = nil
        for other in attempts where other.transfer !== transfer { other.transfer.cancel() }
        attempts.removeAll { $0.transfer !== transfer }
    }

    private func lost(_ attempt: Attempt, _ error: TransferError?) {
        if let address = attempt.knownAddress {
            // A failure at a remembered address proves nothing. So the error of the failed lookup is reported instead.
            if let host = CurlLibrary.host(of: request.url) { client?.addressBook.failed(host, at: address) }
        } else {
            if attempt.number > 1, attempt.phase == .resolving { isExhausted = true }
            if failure.map({ (attempt.phase, -attempt.number) > ($0.phase, -$0.number) }) ?? true {
                failure = (error, attempt.phase, attempt.number)
            }
        }
        guard attempts.isEmpty else { return }
        if error?.code == .unknownHost, beginAtLastAddress() { return }
        end(failure?.error ?? error)
    }

    private func end(_ error: TransferError?) {
        timer?.cancel()
        timer = nil
        attempts = []
        guard let delegate else { return }
        self.delegate = nil
        // If the plain request shows nothing new, what curl found is the better description.
        let isNew = error.map { [.speaksTLS, .tooManyRedirects].contains($0.code) } ?? true || hasHead
        delegate.transfer(self, endedWith: isNew ? error : misreading ?? error)
    }
}

// MARK: - HTTPTransfer

extension ConnectRace: HTTPTransfer {
    func cancel() {
        delegate = nil
        timer?.cancel()
        timer = nil
        for attempt in attempts { attempt.transfer.cancel() }
        attempts = []
    }

    func pause() {
        isPaused = true
        for attempt in attempts { attempt.transfer.pause() }
    }

    func resume() {
        isPaused = false
        for attempt in attempts { attempt.transfer.resume() }
    }

    func gather(_ bytes: Int, isCoalesced: Bool) { winner?.gather(bytes, isCoalesced: isCoalesced) }
}

// MARK: - TransferDelegate

extension ConnectRace: TransferDelegate {
    func transfer(_ transfer: any HTTPTransfer, entered phase: TransferPhase) {
        if winner == nil {
            guard let index = attempts.firstIndex(where: { $0.transfer === transfer }) else { return }
            attempts[index].phase = phase
            if phase == .waitingForHead {
                decide(for: attempts[index].transfer)
            } else {
                expect(after: attempts[index])
            }
            // With several attempts, the delegate is notified only when one of them gets further than all before it.
            if let told, phase <= told { return }
            told = phase
        }
        if !isSeekingBody { delegate?.transfer(self, entered: phase) }
    }

    func transfer(_ transfer: any HTTPTransfer, received head: ResponseHead) {
        guard !hasHead else { return }
        hasHead = true
        delegate?.transfer(self, received: head)
    }

    func transfer(_ transfer: any HTTPTransfer, received bytes: UnsafeRawBufferPointer) {
        delegate?.transfer(self, received: bytes)
    }

    func transferDelivered(_ transfer: any HTTPTransfer) {
        delegate?.transferDelivered(self)
    }

    func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?) {
        guard winner == nil, let index = attempts.firstIndex(where: { $0.transfer === transfer }) else {
            if let hop = winner?.onward { return goOn(hop, after: error) }
            return end(error)
        }
        lost(attempts.remove(at: index), error)
    }
}
