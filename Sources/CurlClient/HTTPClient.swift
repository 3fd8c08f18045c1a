// SPDX-License-Identifier: MIT

package import Instants

/// Starts HTTP exchanges: ``CurlClient``, or an origin in virtual time for tests.
package protocol HTTPClient: AnyObject {
    /// Starts an exchange. The delegate is called in later turns of the loop, never inside this call.
    func start(_ request: TransferRequest, delegate: any TransferDelegate) -> any HTTPTransfer
}

/// An HTTP exchange with its redirects, from its caller's view.
package protocol HTTPTransfer: AnyObject {
    /// Cancels the exchange, without any further call to the delegate.
    func cancel()
    /// Stops receiving body bytes. Only used for files; a live station is never paused.
    func pause()
    /// Resumes receiving. The first bytes arrive after this call, never inside it.
    func resume()
    /// Lets `bytes` bytes gather before the loop is woken; 1 is the default. If fewer bytes have arrived, they wait
    /// until more arrive, the connection ends, or a smaller number is set. If `isCoalesced`, they may wait some 50 ms
    /// longer, and are delivered together with bytes of other transfers.
    func gather(_ bytes: Int, isCoalesced: Bool)
    /// When the newest bytes reached this machine (`tcpi_last_data_recv` of `TCP_INFO`), which may be long before they
    /// were read; nil if unknown.
    var lastArrival: MonotonicInstant? { get }
}

extension HTTPTransfer {
    package var lastArrival: MonotonicInstant? { nil }
}

/// Receives the events of a transfer, on the loop's thread. Inside any call, the delegate may cancel, pause or resume
/// the transfer, start others, and close the client.
///
/// The transfer retains its delegate until its end or cancellation, whichever comes first.
package protocol TransferDelegate: AnyObject {
    /// A phase begins. After a redirect, the phases start over.
    func transfer(_ transfer: any HTTPTransfer, entered phase: TransferPhase)
    /// Called with the head of the final response, whatever its status. It is called once, before the first body byte.
    func transfer(_ transfer: any HTTPTransfer, received head: ResponseHead)
    /// Called with body bytes, which are valid during the call only. Never called while paused.
    func transfer(_ transfer: any HTTPTransfer, received bytes: UnsafeRawBufferPointer)
    /// Called after all available bytes, or many of them, have been received, so that costly work is done once for all
    /// of them.
    func transferDelivered(_ transfer: any HTTPTransfer)
    /// Called at the end, exactly once unless the transfer was cancelled. `error` is nil if the body ended properly.
    func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?)
}

extension TransferDelegate {
    package func transferDelivered(_ transfer: any HTTPTransfer) {}
}

/// The phase of a transfer, for deadlines and messages ("connecting to …").
package enum TransferPhase: Sendable, Hashable, Comparable {
    case resolving, connecting, securing, waitingForHead, receiving
}
