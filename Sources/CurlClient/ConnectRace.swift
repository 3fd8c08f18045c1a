// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// One HTTP exchange, as its caller sees it: an attempt, and another one beside an attempt that gets nowhere. Confined
/// to the loop's thread.
///
/// curl tries the addresses of a host one after the other and gives the first of them half of all the time (except for
/// IPv6 and IPv4, which it tries side by side). Here an attempt that does not get through in 250 ms stays, and another
/// begins that leaves its addresses out: what RFC 8305 calls happy eyeballs, for addresses of one kind too. Where the
/// name has no answer, or none in 2 s, another begins at the address where the host was last found. The first attempt
/// that may send its request goes on alone, so the server hears one request however many there were.
final class ConnectRace {
    private struct Attempt {
        let transfer: Transfer
        /// 1 is the first.
        let number: Int
        /// Set where the name was not looked up.
        let knownAddress: PeerAddress?
        var phase = TransferPhase.resolving
    }

    private let request: TransferRequest
    private weak var client: CurlClient?
    /// Gone once the exchange is over or cancelled.
    private var delegate: (any TransferDelegate)?
    private var attempts: [Attempt] = []
    private var begun = 0
    /// The attempt that goes on alone.
    private var winner: Transfer?
    private var claims = AddressClaims()
    private var timer: (any ReactorTimer)?
    /// What the delegate was told last, until there is a winner.
    private var told: TransferPhase?
    /// The failure of the attempt that got furthest; of several such, that of the first.
    private var failure: (error: TransferError?, phase: TransferPhase, number: Int)?
    /// Whether an attempt has found that the others had taken all addresses.
    private var isExhausted = false
    private var isPaused = false

    private static let connectPatience = Duration.milliseconds(250)
    private static let lookupPatience = Duration.seconds(2)
    private static let mostAttempts = 4

    init(_ request: TransferRequest, client: CurlClient, delegate: any TransferDelegate) {
        self.request = request
        self.client = client
        self.delegate = delegate
    }

    func start() { begin() }

    /// Begins anew, unless a server is at work on the request: an attempt under way may wait for an answer, of a name
    /// server or of a host, that can no longer come.
    func restart() {
        guard winner == nil, delegate != nil else { return }
        timer?.cancel()
        for attempt in attempts { attempt.transfer.cancel() }
        (attempts, begun, failure, isExhausted) = ([], 0, nil, false)
        claims = AddressClaims()
        begin()
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

    /// Arms the timer for what may be next after `attempt` has come into a new phase.
    private func expect(after attempt: Attempt) {
        guard begun < Self.mostAttempts, let client, winner == nil else { return }
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

    /// Begins where the host was last found; false where that is unknown, or was tried.
    @discardableResult
    private func beginAtLastAddress() -> Bool {
        guard begun == 1, let lastAddress else { return false }
        begin(at: lastAddress)
        return true
    }

    private var lastAddress: PeerAddress? {
        CurlLibrary.host(of: request.url).flatMap { client?.addressBook.address(of: $0) }
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
            // A remembered address proves nothing: the failure that counts is that the name was not found.
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
        delegate.transfer(self, endedWith: error)
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

    func gather(_ bytes: Int) { winner?.gather(bytes) }
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
            // Of several attempts the delegate hears of the furthest.
            if let told, phase <= told { return }
            told = phase
        }
        delegate?.transfer(self, entered: phase)
    }

    func transfer(_ transfer: any HTTPTransfer, received head: ResponseHead) {
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
            return end(error)
        }
        lost(attempts.remove(at: index), error)
    }
}
