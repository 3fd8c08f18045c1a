// SPDX-License-Identifier: MIT

import CurlClient
import RadioCore
import RadioFormats

/// What a station hears of one of its connections.
protocol UpstreamDelegate: AnyObject {
    func upstream(_ upstream: Upstream, entered phase: TransferPhase)
    /// The response may carry audio.
    func upstream(_ upstream: Upstream, accepted info: StationInfo)
    func upstreamReceivedFirstByte(_ upstream: Upstream)
    /// Bytes of a file come again, the same as before. They yield no frames.
    func upstreamGoesOver(_ upstream: Upstream)
    /// The body is not the rest of the file that broke off but a station's, from its first byte on. The response is
    /// accepted anew, and its frames do not belong to the file.
    func upstream(_ upstream: Upstream, turnsOutLive failure: Failure)
    func upstream(_ upstream: Upstream, began format: StreamFormat)
    /// Who takes the next frames. Asked once for each delivery; the answer holds until the delivery's end.
    func frameTaker(for upstream: Upstream) -> (any FrameTaker)?
    /// The next frame is the first that this title belongs to.
    func upstream(_ upstream: Upstream, title: String, raw: [UInt8])
    /// The next frame does not follow the one before it.
    func upstreamResynced(_ upstream: Upstream)
    /// Audio is missing before the next frame: as many samples as the stream says; nil where it does not say how many.
    func upstream(_ upstream: Upstream, missing samples: Int64?)
    /// The next frame does not agree with its checksum.
    func upstreamMetWrongChecksum(_ upstream: Upstream)
    func upstream(_ upstream: Upstream, skipped bytes: Int, _ reason: SkipReason)
    /// The frames from here on may not be whole, or may not follow the ones before. They must not go on until they are
    /// known to be right; where the connection ends before that, in any way, they count as never received.
    func upstreamBecameDoubtful(_ upstream: Upstream)
    /// The frames in doubt were right.
    func upstreamIsSoundAgain(_ upstream: Upstream)
    /// One delivery is through: no more frames are at hand.
    func upstreamDelivered(_ upstream: Upstream)
    /// The body is over, in whatever way. Should its last frame be wanted, ``Upstream/flush()`` brings it.
    func upstreamBodyIsOver(_ upstream: Upstream)
    /// The response is a playlist with these addresses. The last call.
    func upstream(_ upstream: Upstream, isPlaylist entries: [String])
    /// The last call.
    func upstream(_ upstream: Upstream, endedWith end: UpstreamEnd)
}

/// Where the frames of a connection go.
protocol FrameTaker: AnyObject {
    /// One whole frame; the bytes are valid during the call only.
    func take(_ frame: Frame, _ bytes: UnsafeRawBufferPointer)
}

/// How a connection ended.
enum UpstreamEnd: Hashable {
    /// The body is over, in order.
    case complete
    case failed(Failure)
    /// What the server sends is not the rest of the file that it began: it was no file. On a new connection it is a
    /// live station.
    case noFile(Failure)
    /// Titles came where they should, and then did not: a byte was wrong on the way. On a new connection they do.
    case slipped(Failure)
    /// Titles do not come as the head says. Without them the audio is good.
    case misread(Failure)
}
