// SPDX-License-Identifier: MIT

import CurlClient

/// A response that has turned out to be no audio, and has more to come: who can read it otherwise takes it over, so
/// that nothing is asked for twice. Confined to the loop's thread.
///
/// What comes before somebody reads it is kept, a little more than a list may have.
package final class UnreadResponse {
    let head: ResponseHead
    private var transfer: (any HTTPTransfer)?
    private var body: [UInt8]
    /// With which it has ended; nil while it has not.
    private var end: TransferError??
    private weak var reader: (any TransferDelegate)?

    /// `beginning` is what has come of the body so far.
    init(_ head: ResponseHead, _ beginning: [UInt8], of transfer: any HTTPTransfer) {
        self.head = head
        body = beginning
        self.transfer = transfer
    }

    func isOf(_ transfer: any HTTPTransfer) -> Bool { self.transfer === transfer }

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

    /// Has the body, and the end, told to a reader, from the first byte on: what is there, at once.
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
    package func gather(_ bytes: Int) { transfer?.gather(bytes) }
}
