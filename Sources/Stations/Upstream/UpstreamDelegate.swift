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
    /// Bytes of a file come again, as they came before. No frame will come of them.
    func upstreamGoesOver(_ upstream: Upstream)
    /// What comes is not the rest of the file that broke off, but a station's, from the body's first byte on. It is
    /// accepted anew, and its frames stand nowhere in the file.
    func upstream(_ upstream: Upstream, turnsOutLive failure: Failure)
    func upstream(_ upstream: Upstream, began format: StreamFormat)
    /// Where the frames go that come next. Asked once for each delivery, and holds until its end.
    func frameTaker(for upstream: Upstream) -> (any FrameTaker)?
    /// The next frame is the first that this title belongs to.
    func upstream(_ upstream: Upstream, title: String, raw: [UInt8])
    /// The next frame does not follow the one before it.
    func upstreamResynced(_ upstream: Upstream)
    /// The same, and audio is missing there: as many samples as the stream says; nil where it does not say how many.
    func upstream(_ upstream: Upstream, missing samples: Int64?)
    /// The next frame does not agree with its checksum.
    func upstreamMetWrongChecksum(_ upstream: Upstream)
    func upstream(_ upstream: Upstream, skipped bytes: Int, _ reason: SkipReason)
    /// It is not sure that the frames from here on are whole, and follow the ones before. They must not go on to
    /// anybody until it is known; where the connection ends before, in any way, they are as if they had never come.
    func upstreamBecameDoubtful(_ upstream: Upstream)
    /// They were right.
    func upstreamIsSoundAgain(_ upstream: Upstream)
    /// One delivery is through: no more frames are at hand.
    func upstreamDelivered(_ upstream: Upstream)
    /// The body is over, in whatever way. Should what is left of it be wanted, ``Upstream/flush()`` brings it.
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
