// SPDX-License-Identifier: MIT

/// What starts HTTP exchanges: ``CurlClient``, or an origin in virtual time for tests. Confined to the loop's thread.
package protocol HTTPClient: AnyObject {
    /// Starts an exchange; the delegate hears of it from a later turn of the loop on, never inside this call.
    func start(_ request: TransferRequest, delegate: any TransferDelegate) -> any HTTPTransfer
}

/// One HTTP exchange, with its redirects, as its caller sees it. Confined to the loop's thread.
package protocol HTTPTransfer: AnyObject {
    /// Ends it; the delegate hears nothing more.
    func cancel()
    /// Stops receiving: no more body bytes come. For files; a live station is never paused.
    func pause()
    /// Goes on receiving; the first bytes come after this call, never inside it.
    func resume()
    /// Lets `bytes` bytes gather before the loop is woken; 1 is as usual. Fewer bytes wait until more come, the
    /// connection ends, or a smaller number is set.
    func gather(_ bytes: Int)
}

/// Hears of one transfer. All calls come on the loop's thread; inside any of them the transfer may be cancelled, paused
/// or resumed, others may be started, and the client may be closed.
///
/// The transfer holds its delegate until the end or the cancellation, whichever comes first.
package protocol TransferDelegate: AnyObject {
    /// A phase begins. After a redirect the phases begin anew.
    func transfer(_ transfer: any HTTPTransfer, entered phase: TransferPhase)
    /// The head of the final response, once, before the first body byte, whatever its status.
    func transfer(_ transfer: any HTTPTransfer, received head: ResponseHead)
    /// Body bytes; valid during the call only. Never called while paused.
    func transfer(_ transfer: any HTTPTransfer, received bytes: UnsafeRawBufferPointer)
    /// Called when all bytes at hand have been received, or many of them, so that costly work is done once for all.
    func transferDelivered(_ transfer: any HTTPTransfer)
    /// The end, exactly once, unless cancelled: nil is a proper end of the body.
    func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?)
}

extension TransferDelegate {
    package func transferDelivered(_ transfer: any HTTPTransfer) {}
}

/// Where a transfer stands, for deadlines and words ("connecting to …").
package enum TransferPhase: Sendable, Hashable, Comparable {
    case resolving, connecting, securing, waitingForHead, receiving
}
