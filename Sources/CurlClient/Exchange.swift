// SPDX-License-Identifier: MIT

import Instants

/// An HTTP exchange from its caller's view: a race of attempts to connect, then the attempt that has won it, and the
/// steps that curl does not take by itself (``Hop``).
final class Exchange {
    private var request: TransferRequest
    private weak var client: CurlClient?
    /// Nil once the exchange has ended or been cancelled.
    private var delegate: (any TransferDelegate)?
    /// Nil once an attempt has won.
    private var race: ConnectRace?
    private var winner: Transfer?
    private(set) var isPaused = false
    /// The last phase of a race reported to the delegate.
    private var told: TransferPhase?
    /// Whether the delegate has received a head. It receives only one, although the exchange may go on after it.
    private var hasHead = false
    /// Whether the exchange has gone on after a head, to look for the head's body.
    private var isSeekingBody = false
    /// The error of the transfer that was repeated as a plain request; see ``PlainRequest``.
    private var misreading: TransferError?

    init(_ request: TransferRequest, client: CurlClient, delegate: any TransferDelegate) {
        self.request = request
        self.client = client
        self.delegate = delegate
    }

    func start() {
        guard let client else { return }
        let race = ConnectRace(request, client: client, for: self)
        (self.race, winner) = (race, nil)
        race.begin()
    }

    /// Starts over, unless a server is already handling the request. The current attempts may be waiting for an answer
    /// from a name server or a host, and after a change of the network it can no longer arrive.
    func restart() {
        guard let race, delegate != nil else { return }
        race.cancel()
        start()
    }

    /// Takes a step that curl did not take, after the transfer that ended with this error.
    private func goOn(_ hop: Hop, after error: TransferError?) {
        misreading = hop.isPlain ? error : nil
        request = request.going(on: hop)
        isSeekingBody = hasHead
        told = nil
        start()
    }

    /// Ends the exchange: its last attempt has ended with this error.
    func end(_ error: TransferError?) {
        race = nil
        guard let delegate else { return }
        self.delegate = nil
        // If the plain request shows nothing new, what curl found is the better description.
        let isNew = error.map { [.speaksTLS, .tooManyRedirects].contains($0.code) } ?? true || hasHead
        delegate.transfer(self, endedWith: isNew ? error : misreading ?? error)
    }
}

// MARK: - HTTPTransfer

extension Exchange: HTTPTransfer {
    func cancel() {
        delegate = nil
        race?.cancel()
        race = nil
        winner?.cancel()
    }

    func pause() {
        isPaused = true
        race?.pause()
        winner?.pause()
    }

    func resume() {
        isPaused = false
        race?.resume()
        winner?.resume()
    }

    func gather(_ bytes: Int, isCoalesced: Bool) { winner?.gather(bytes, isCoalesced: isCoalesced) }

    var lastArrival: MonotonicInstant? { winner?.lastArrival }
}

// MARK: - TransferDelegate

extension Exchange: TransferDelegate {
    func transfer(_ transfer: any HTTPTransfer, entered phase: TransferPhase) {
        if let race {
            if let winner = race.entered(transfer, phase) { (self.winner, self.race) = (winner, nil) }
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
        if let race { return race.lost(transfer, error) }
        if let hop = winner?.onward { return goOn(hop, after: error) }
        end(error)
    }
}
