// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// Attempts of an exchange to connect: one, and further ones beside an attempt that makes no progress. It is over when
/// an attempt has won or all have failed.
///
/// curl tries a host's addresses in sequence and gives the first one half of the total time (except that it tries IPv6
/// and IPv4 in parallel). Here, if an attempt has not connected within 250 ms, it continues, and another attempt begins
/// beside it and skips the addresses of the first one: the happy eyeballs of RFC 8305, also among addresses of one
/// family. If the lookup fails, or takes longer than 2 s, another attempt begins at the host's last known address. The
/// first attempt that is ready to send its request wins, so the server gets a single request however many attempts
/// there were.
///
/// From curl 8.16 on, curl itself starts further attempts beside the ones that hang, whatever their family. When no
/// older version is supported any more, only the last known address is left to try here.
final class ConnectRace {
    private struct Attempt {
        let transfer: Transfer
        /// The number of the attempt, counted from 1.
        let number: Int
        /// The address to connect to without a lookup; nil if the attempt looks the host up.
        let knownAddress: PeerAddress?
        var phase = TransferPhase.resolving
    }

    private let request: TransferRequest
    private weak var client: CurlClient?
    private weak var exchange: Exchange?
    private var attempts: [Attempt] = []
    private var begun = 0
    private let claims = AddressClaims()
    private var timer: (any ReactorTimer)?
    /// The failure of the attempt that got furthest; if several got equally far, the failure of the first one.
    private var failure: (error: TransferError?, phase: TransferPhase, number: Int)?
    /// Whether an attempt found that the others had claimed all addresses.
    private var isExhausted = false

    private static let connectPatience = Duration.milliseconds(250)
    private static let lookupPatience = Duration.seconds(2)
    private static let mostAttempts = 4

    init(_ request: TransferRequest, client: CurlClient, for exchange: Exchange) {
        self.request = request
        self.client = client
        self.exchange = exchange
    }

    func begin(at knownAddress: PeerAddress? = nil) {
        guard let exchange,
            let transfer = client?.attempt(request, knownAddress: knownAddress, claims: claims, for: exchange)
        else { return }
        begun += 1
        if exchange.isPaused { transfer.pause() }
        attempts.append(Attempt(transfer: transfer, number: begun, knownAddress: knownAddress))
    }

    func cancel() {
        timer?.cancel()
        for attempt in attempts { attempt.transfer.cancel() }
        attempts = []
    }

    func pause() { for attempt in attempts { attempt.transfer.pause() } }
    func resume() { for attempt in attempts { attempt.transfer.resume() } }

    /// Handles an attempt that has entered a phase. Returns the attempt if it has won; the others are then cancelled.
    func entered(_ transfer: any HTTPTransfer, _ phase: TransferPhase) -> Transfer? {
        guard let index = attempts.firstIndex(where: { $0.transfer === transfer }) else { return nil }
        guard phase == .waitingForHead else {
            attempts[index].phase = phase
            expect(after: attempts[index])
            return nil
        }
        let winner = attempts.remove(at: index).transfer
        cancel()
        return winner
    }

    /// Handles an attempt that has ended, and ends the exchange if no other attempt is left.
    func lost(_ transfer: any HTTPTransfer, _ error: TransferError?) {
        guard let index = attempts.firstIndex(where: { $0.transfer === transfer }) else { return }
        let attempt = attempts.remove(at: index)
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
        timer?.cancel()
        exchange?.end(failure?.error ?? error)
    }

    /// Arms the timer for the next attempt after `attempt` has entered a new phase.
    private func expect(after attempt: Attempt) {
        // With a proxy, another attempt is pointless, because it would go to the same proxy.
        guard request.proxy == nil, begun < Self.mostAttempts, let client else { return }
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
}
