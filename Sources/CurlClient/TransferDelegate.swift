// SPDX-License-Identifier: MIT

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
    /// The end, exactly once, unless cancelled: nil is a proper end of the body.
    func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?)
}

/// Where a transfer stands, for deadlines and words ("connecting to …").
package enum TransferPhase: Sendable, Hashable, Comparable {
    case resolving, connecting, securing, waitingForHead, receiving
}
