// SPDX-License-Identifier: MIT

import Instants
package import RadioCore
package import RadioFormats

/// An event worth a line in the log or on the terminal. The value contains no wording.
package enum StationNotice: Sendable, Hashable {
    /// A connection is being opened. The URL contains no credentials.
    case connecting(url: String, attempt: Int)
    /// A server has sent a response of any kind. This notice comes before the other notices of the response.
    case answered(ServerAnswer)
    /// The response may carry audio.
    case connected(StationInfo)
    /// The first frame has arrived; `again` is true if an interrupted file resumes. When a live station returns after
    /// an outage, a splice or a gap is reported instead.
    case live(again: Bool)
    /// The address led to a playlist with `entries` addresses.
    case followedPlaylist(url: String, entries: Int, ignoredOptions: [String])
    /// A second connection is being opened because the first has stalled, or has not brought audio yet.
    case hedging(url: String, hasStalled: Bool)
    /// The second connection has failed. The first is still open and may recover.
    case hedgeFailed(Failure)
    /// A new connection continues the audio of the old connection without loss.
    case spliced(Splice)
    /// Audio was lost.
    case gap(Gap)
    /// The preceding audio turned out to be foreign, so that nothing was lost, or to be a repetition.
    case stretch(Stretch)
    /// The programme changes from one station to another one of the same list, or at the same address.
    case changed(from: StationInfo, to: StationInfo)
    /// A server sends another name than before, `from`, for what counts as the same station: because the list or the
    /// user says so, or because the frames are equal. Said once for each name.
    case renamed(StationInfo, from: String)
    /// This entry of the list is the station from now on. `insteadOf`: the entry that was the station, if the list has
    /// it no more, or if another one that comes before it played first in this run.
    case chose(ListChoice, insteadOf: ListChoice?)
    /// A better entry of the list is tried again, beside the one that plays.
    case returning(url: String)
    /// A connection failed or ended. The next attempt follows after `retryIn`.
    case failed(Failure, retryIn: Duration)
    /// Covers and other attachments, of so many bytes so far, are left out of the programme. Said once for a station,
    /// and once for each file that is played or relayed.
    case attachmentsLeftOut(bytes: Int64, of: String? = nil)
    /// A file that was being written has not grown for a while, so it counts as over, but it does not say that it is
    /// whole.
    case mayBeIncomplete(item: String)
    /// A file, or the rest of it, is not played, for this reason.
    case skipped(item: String, reason: String)
}

/// The state of a station, for progress lines and reports.
package struct StationSnapshot: Sendable, Hashable {
    package var activity: Activity
    package var info: StationInfo?
    /// The format of the newest audio; nil before the first frame.
    package var format: StreamFormat?
    package var position: Position
    package var title: String?
    package var lastFailure: Failure?
    package var reconnects: Int
    /// The number of connections opened beside a connection that had stalled or brought no audio.
    package var hedges: Int
    /// Whether audio reaches the sinks; false while it is missing, or held back until its place is known.
    package var isDelivering: Bool
    /// The time since the last frame, while a connection that has brought frames is open.
    package var silence: Duration
    /// Bytes that were not frames, by reason.
    package var skipped: [SkippedBytes]
    /// Damaged audio, on all connections; a place sent again by a new connection counts again.
    package var damage = StreamDamage()
    /// Frames with a wrong checksum, on all connections; a frame sent again by a new connection counts again. Such
    /// frames are passed on like all others.
    package var wrongChecksums: Int64
    /// The length of the burst at the start of the last connection; nil until known.
    package var burst: Duration?
    /// How much faster the station's clock runs than ours, in parts per million; nil until known.
    package var drift: Double?
    package var playlists: [String]
    /// The number of addresses, including those from playlists.
    package var addresses: Int
    /// How much recent audio is kept.
    package var ring = RingFigures()
    /// Whether audio has arrived faster than from any station, as the audio of a file does.
    package var outrunsStations = false
    /// The time since new audio last came, also while the station is down; nil before the first audio.
    package var sinceAudio: Duration?

    /// How much audio a programme keeps.
    package struct RingFigures: Sendable, Hashable {
        /// The memory used.
        package var bytes = 0
        package var duration = Duration.zero

        /// The bit rate of the newest ten seconds, in bits per second; nil with less than a second of audio.
        package var bitRate: Double?

        package init() {}

        package init(_ ring: Ring) {
            (bytes, duration) = ring.held
            let start = ring.joinPoint(behind: .seconds(10))
            let time = ring.lag(of: start)
            guard time >= .seconds(1) else { return }
            bitRate = Double(8 * (ring.position.bytes - ring.position(of: start).bytes)) / time.inSeconds
        }
    }

    /// The bit rate in bits per second, as measured or, if not measured, as declared by the station; nil if unknown.
    package var bitRate: Double? { ring.bitRate ?? info?.declaredBitRate.map { Double($0) * 1_000 } }

    package init(
        activity: Activity, info: StationInfo? = nil, format: StreamFormat? = nil, position: Position,
        title: String? = nil, lastFailure: Failure? = nil, reconnects: Int = 0, hedges: Int = 0, isDelivering: Bool,
        silence: Duration = .zero, skipped: [SkippedBytes] = [], wrongChecksums: Int64 = 0, burst: Duration? = nil,
        drift: Double? = nil, playlists: [String] = [], addresses: Int = 1
    ) {
        self.activity = activity
        self.info = info
        self.format = format
        self.position = position
        self.title = title
        self.lastFailure = lastFailure
        self.reconnects = reconnects
        self.hedges = hedges
        self.isDelivering = isDelivering
        self.silence = silence
        self.skipped = skipped
        self.wrongChecksums = wrongChecksums
        self.burst = burst
        self.drift = drift
        self.playlists = playlists
        self.addresses = addresses
    }

    package struct SkippedBytes: Sendable, Hashable {
        package var reason: String
        package var bytes: Int64
        package init(reason: String, bytes: Int64) {
            self.reason = reason
            self.bytes = bytes
        }
    }
}
