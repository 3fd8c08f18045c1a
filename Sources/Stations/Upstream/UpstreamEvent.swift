// SPDX-License-Identifier: MIT

import CurlClient
import RadioCore
import RadioFormats

/// What happens on a connection. Its stream parts go to ``Upstream/taker``.
enum UpstreamEvent {
    case entered(TransferPhase)
    /// The final response of an exchange has a head.
    case answered(ResponseHead)
    /// The first byte of the body has come.
    case firstByte
    /// One delivery is complete: no more bytes are at hand, or many have been processed. Its frames have made the first
    /// pass, to the joint or to the ring. Now follows the second pass, that of the clocks.
    case delivered
    /// The body has ended, with an error if it is broken. ``Upstream/flush()`` emits the last frame, if it is wanted.
    case bodyIsOver(isBroken: Bool)
    /// The last event.
    case ended(UpstreamEnd)
}

/// Receives a connection's events on the loop's thread.
protocol UpstreamDelegate: AnyObject {
    func upstream(_ upstream: Upstream, _ event: UpstreamEvent)
    /// Offers a response whose head has come. If it is not audio, it is offered again with its first bytes, with each
    /// piece, and at its end. Returns how the connection ends; nil if it goes on.
    func upstream(_ upstream: Upstream, offers response: UnreadResponse) -> UpstreamEnd?
    /// Shows the head of a response before it is offered. Returns whether the body goes on with it, or the connection
    /// has ended.
    func upstream(_ upstream: Upstream, goesOnWith head: ResponseHead) -> Bool
    /// Shows bytes of the body before they are framed. Returns those that are new.
    func upstream(_ upstream: Upstream, newIn bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?
}

// Without a delegate's own decision, each body begins anew, all its bytes are new, and what is no audio is a failure.
extension UpstreamDelegate {
    func upstream(_ upstream: Upstream, offers response: UnreadResponse) -> UpstreamEnd? {
        response.guess == .undecided ? nil : .failed(Failure(response.guess, at: upstream.place))
    }

    func upstream(_ upstream: Upstream, goesOnWith head: ResponseHead) -> Bool { false }

    func upstream(_ upstream: Upstream, newIn bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? { bytes }
}

/// How a connection ended.
enum UpstreamEnd: Hashable {
    /// The body ended properly.
    case complete
    case playlist(Playlist)
    case failed(Failure)
    /// Metadata was in place, then got out of step, because a byte was damaged on the way. A new connection restores
    /// it.
    case slipped(Failure)
    /// Metadata is not where the head says. Without it, the audio is good.
    case misread(Failure)
}
