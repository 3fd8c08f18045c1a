// SPDX-License-Identifier: MIT

/// Takes the audio out of a format that wraps its frames: an MPEG transport stream, MP4, packed audio.
///
/// What comes out is an elementary stream, as a station without a wrapper would send it: MPEG audio frames, or AAC
/// frames with ADTS headers. A ``Framer`` finds the frames in it, which may straddle the pieces. Incremental, for any
/// split of the input; confined to one thread. Never traps on any input, and holds at most a fixed number of bytes
/// beyond those of one `push`.
package protocol Demuxer {
    /// Takes the next bytes, and passes what they yield to `take`. After an error, no further call is allowed.
    mutating func push(_ bytes: UnsafeRawBufferPointer, _ take: (Demuxed) -> Void) throws(DemuxProblem)
    /// Ends the input. Throws if nothing was found in it.
    mutating func finish(_ take: (Demuxed) -> Void) throws(DemuxProblem)
    /// The next bytes begin a segment, which follows the one before. Counters of the container may begin anew there.
    mutating func segmentBegins()
    /// The bytes so far are a whole segment: yields what was held only because more bytes could follow. Without this
    /// call, it comes with the next segment.
    mutating func segmentEnds(_ take: (Demuxed) -> Void) throws(DemuxProblem)
    /// The next bytes do not follow those before: forgets what was read in part.
    mutating func restart()
}

extension Demuxer {
    package mutating func segmentBegins() {}
    package mutating func segmentEnds(_ take: (Demuxed) -> Void) throws(DemuxProblem) {}
    package mutating func restart() {}
}

/// What a demuxer yields, in stream order.
package enum Demuxed {
    /// The audio that follows is of this container. Comes before the first audio, and whenever it changes.
    case container(Container)
    /// The next bytes of the audio, which are valid during the call only.
    case audio(UnsafeRawBufferPointer)
    /// The first frame that begins at this place of the audio, or behind it, is presented at this time.
    case time(MediaTime)
    /// An ID3v2 tag that applies from this place on, valid during the call only. A tag of more than 256 KiB is cut.
    case tag(UnsafeRawBufferPointer)
    /// Bytes are missing here, or damaged: the audio that follows does not continue the audio before. A frame that is
    /// incomplete at this place has no rest, and a time whose frame has not begun yet is void.
    case lost
}

/// Why nothing comes out of a demuxer, or nothing more.
package enum DemuxProblem: Error, Hashable, Sendable {
    /// The audio is of a kind that Aircheck does not support, such as `FLAC in MP4`. For messages.
    case unsupported(String)
    /// The audio is encrypted in this way, such as `SAMPLE-AES`. For messages.
    case encrypted(String)
    /// What describes the audio (the movie box of MP4) stands behind it, so the audio cannot be taken out in one pass.
    case indexBehindAudio
    /// There is no audio in it.
    case noAudio
    /// The bytes are not what they were taken for, or break a limit: what is wrong, for messages.
    case malformed(String)
}
