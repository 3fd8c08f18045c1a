// SPDX-License-Identifier: MIT

import CurlClient
import RadioCore
import RadioFormats

/// What happens on a connection. Its stream parts go to ``Upstream/taker``.
enum UpstreamEvent {
    case entered(TransferPhase)
    /// The final response of an exchange has a head.
    case answered(ResponseHead)
    /// The response may carry audio.
    case accepted(StationInfo)
    /// The first byte of the body has come.
    case firstByte
    /// Bytes of a file have been sent again, and are equal to the bytes received before. They yield no frames.
    case goesOver
    /// The body is not the rest of the interrupted file: from its first byte on, it is a live station's audio. The
    /// response is accepted anew, and its frames do not belong to the file.
    case turnsOutLive(Failure)
    /// One delivery is complete: no more bytes are at hand, or many have been processed. Its frames have made the first
    /// pass, to the joint or to the ring. Now follows the second pass, that of the clocks.
    case delivered
    /// The body has ended, for whatever reason. ``Upstream/flush()`` emits the last frame, if it is wanted.
    case bodyIsOver
    /// The last event.
    case ended(UpstreamEnd)
}

/// Receives a connection's events on the loop's thread.
protocol UpstreamDelegate: AnyObject {
    func upstream(_ upstream: Upstream, _ event: UpstreamEvent)
    /// Offers a response that is not audio, with its first bytes, and again with each piece and at its end. Returns how
    /// the connection ends; nil if more of the response must come before.
    func upstream(_ upstream: Upstream, offers response: UnreadResponse) -> UpstreamEnd?
}

extension UpstreamDelegate {
    func upstream(_ upstream: Upstream, offers response: UnreadResponse) -> UpstreamEnd? {
        .failed(Failure(response.guess, at: upstream.place))
    }
}

/// How a connection ended.
enum UpstreamEnd: Hashable {
    /// The body ended properly.
    case complete
    case playlist(Playlist)
    case failed(Failure)
    /// The server does not send the rest of the file that it began, so what it sent was not a file. The next connection
    /// is treated as a connection to a live station.
    case noFile(Failure)
    /// Metadata was in place, then got out of step, because a byte was damaged on the way. A new connection restores
    /// it.
    case slipped(Failure)
    /// Metadata is not where the head says. Without it, the audio is good.
    case misread(Failure)
}
