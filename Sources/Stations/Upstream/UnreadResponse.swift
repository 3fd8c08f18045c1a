// SPDX-License-Identifier: MIT

import CurlClient
package import Instants
import RadioFormats

/// A response of which it is not known what it is, or which is not audio. Whoever reads it can take it over from its
/// connection, so that nothing is requested twice.
///
/// The bytes that arrive wait here, up to a little more than the longest list, until another delegate takes them.
package final class UnreadResponse {
    let head: ResponseHead
    /// What its first bytes show; undecided if only the head has come.
    let guess: ContentGuess
    /// Whether its reader goes on with it although its connection ends.
    var isTaken = false
    private var transfer: (any HTTPTransfer)?
    /// The bytes that have arrived, from the first one.
    private(set) var body: [UInt8]
    /// The error, or nil, with which the response ended; `.none` while it is incomplete.
    private var end: TransferError??
    private weak var reader: (any TransferDelegate)?

    /// `beginning` is the part of the body received so far.
    init(_ head: ResponseHead, _ guess: ContentGuess, _ beginning: [UInt8], of transfer: (any HTTPTransfer)?) {
        (self.head, self.guess) = (head, guess)
        body = beginning
        self.transfer = transfer
    }

    func isOf(_ transfer: any HTTPTransfer) -> Bool { self.transfer === transfer }

    /// Whether the whole body has arrived.
    var isComplete: Bool { end == .some(nil) }

    func received(_ bytes: UnsafeRawBufferPointer) {
        if let reader {
            reader.transfer(self, received: bytes)
        } else if body.count <= ListFetch.longest {
            body.append(contentsOf: bytes)
        }
    }

    func ended(with error: TransferError?) {
        transfer = nil
        end = .some(error)
        reader?.transfer(self, endedWith: error)
    }

    /// Delivers the body, from its first byte, and its end to `reader`. Bytes that have already arrived are delivered
    /// during this call.
    func tell(_ reader: any TransferDelegate) {
        self.reader = reader
        let bytes = body
        body = []
        if !bytes.isEmpty { bytes.withUnsafeBytes { reader.transfer(self, received: $0) } }
        if let end, self.reader != nil { reader.transfer(self, endedWith: end) }
    }
}

extension UnreadResponse: HTTPTransfer {
    package func cancel() {
        transfer?.cancel()
        (transfer, reader, body) = (nil, nil, [])
    }

    package func pause() { transfer?.pause() }
    package func resume() { transfer?.resume() }
    package func gather(_ bytes: Int, isCoalesced: Bool) { transfer?.gather(bytes, isCoalesced: isCoalesced) }
    package var lastArrival: MonotonicInstant? { transfer?.lastArrival }
}
