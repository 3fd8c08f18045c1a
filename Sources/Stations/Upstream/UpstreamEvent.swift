// SPDX-License-Identifier: MIT

import CurlClient
import RadioCore

/// What a connection says of itself. What it brings goes to its ``Upstream/taker``.
enum UpstreamEvent {
    case entered(TransferPhase)
    /// The response may carry audio.
    case accepted(StationInfo)
    /// The first byte of the body has come.
    case firstByte
    /// Bytes of a file come again, the same as before. They yield no frames.
    case goesOver
    /// The body is not the rest of the file that broke off but a station's, from its first byte on. The response is
    /// accepted anew, and its frames do not belong to the file.
    case turnsOutLive(Failure)
    /// One delivery is through: no more bytes are at hand, or many have come.
    case delivered
    /// The body is over, in whatever way. Should its last frame be wanted, ``Upstream/flush()`` brings it.
    case bodyIsOver
    /// The last one.
    case ended(UpstreamEnd)
}

/// Hears what a connection says of itself, on the loop's thread.
protocol UpstreamDelegate: AnyObject {
    func upstream(_ upstream: Upstream, _ event: UpstreamEvent)
}

/// How a connection ended.
enum UpstreamEnd: Hashable {
    /// The body is over, in order.
    case complete
    /// The response is a playlist with these addresses.
    case playlist([String])
    case failed(Failure)
    /// What the server sends is not the rest of the file that it began: it was no file. On a new connection it is a
    /// live station.
    case noFile(Failure)
    /// Titles came where they should, and then did not: a byte was wrong on the way. On a new connection they do.
    case slipped(Failure)
    /// Titles do not come as the head says. Without them the audio is good.
    case misread(Failure)
}
