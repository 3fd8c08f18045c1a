// SPDX-License-Identifier: MIT

import CurlClient

/// A client whose servers are the test itself: the test passes each transfer what it receives.
final class HandClient: HTTPClient {
    final class Transfer: HTTPTransfer {
        let request: TransferRequest
        private(set) var isCancelled = false
        private(set) var hasHead = false
        private(set) var isPaused = false
        private var delegate: (any TransferDelegate)?

        init(_ request: TransferRequest, _ delegate: any TransferDelegate) {
            self.request = request
            self.delegate = delegate
        }

        func cancel() {
            isCancelled = true
            delegate = nil
        }

        func pause() { isPaused = true }
        func resume() { isPaused = false }
        func gather(_ bytes: Int, isCoalesced: Bool) {}

        /// Receives the head of a live MP3 station, with metadata blocks at an interval or without.
        func receiveHead(
            _ status: Int = 200, interval: Int?, type: String = "audio/mpeg", fields more: [(String, String)] = [],
            isStation: Bool = true
        ) {
            hasHead = true
            var fields = [("content-type", type)] + more
            if isStation { fields.append(("icy-name", "Test")) }
            if let interval { fields.append(("icy-metaint", "\(interval)")) }
            delegate?.transfer(
                self, received: ResponseHead(status: status, fields: fields, finalURL: request.url))
        }

        func receive(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { delegate?.transfer(self, received: $0) }
            delegate?.transferDelivered(self)
        }

        func end(_ error: TransferError? = nil) {
            let delegate = delegate
            self.delegate = nil
            delegate?.transfer(self, endedWith: error)
        }
    }

    private(set) var transfers: [Transfer] = []

    func start(_ request: TransferRequest, delegate: any TransferDelegate) -> any HTTPTransfer {
        let transfer = Transfer(request, delegate)
        transfers.append(transfer)
        return transfer
    }
}
