// SPDX-License-Identifier: MIT

package import RadioCore

/// What is worth a line in the log, or on the terminal. Values only; the words are the reader's.
package enum StationNotice: Sendable, Hashable {
    /// A connection is being opened; the URL without credentials.
    case connecting(url: String, attempt: Int)
    /// The response carries audio.
    case connected(StationInfo)
    /// The first frame has come; true where a file goes on. For a station that was lost, a splice or a gap says that it
    /// is back.
    case live(again: Bool)
    /// The address led to a playlist, which has `entries` addresses.
    case followedPlaylist(url: String, entries: Int)
    /// The connection has fallen silent, or has not answered yet, and another is opened beside it.
    case hedging(url: String, hasStalled: Bool)
    /// The second connection has failed. The first one is still open, and may come back.
    case hedgeFailed(Failure)
    /// A new connection goes on from the old one, and nothing is lost.
    case spliced(Splice)
    /// Audio was lost.
    case gap(Gap)
    /// The audio before this was foreign, so that nothing is lost after all, or it had been heard before.
    case stretch(Stretch)
    /// A connection failed or ended; the next try is in `retryIn`.
    case failed(Failure, retryIn: Duration)
    /// A file, or the rest of it, is not played, and why.
    case skipped(item: String, reason: String)
}

/// A station at a glance, for progress lines and reports.
package struct StationSnapshot: Sendable, Hashable {
    package var activity: Activity
    package var info: StationInfo?
    package var position: Position
    package var title: String?
    package var lastFailure: Failure?
    package var reconnects: Int
    /// Connections that were opened beside one that had stalled, or hung.
    package var hedges: Int
    /// Whether audio goes to the sinks: false while it is missing, or held back until it is known where it belongs.
    package var isDelivering: Bool
    /// How long ago the last frame came, while there is a connection that has brought some.
    package var silence: Duration
    /// Bytes that were no frames, by reason.
    package var skipped: [SkippedBytes]
    /// Frames that came with a checksum they do not agree with, on all connections: one that a new connection brings
    /// again counts again. They go on like all others.
    package var wrongChecksums: Int64
    /// The length of the burst with which the last connection began, once known.
    package var burst: Duration?
    /// How much faster the station's clock runs than ours, in parts per million; nil until that is known.
    package var drift: Double?
    package var playlists: [String]
    /// How many addresses it has, with those of its playlists.
    package var addresses: Int

    package init(
        activity: Activity, info: StationInfo? = nil, position: Position, title: String? = nil,
        lastFailure: Failure? = nil, reconnects: Int = 0, hedges: Int = 0, isDelivering: Bool,
        silence: Duration = .zero, skipped: [SkippedBytes] = [], wrongChecksums: Int64 = 0, burst: Duration? = nil,
        drift: Double? = nil, playlists: [String] = [], addresses: Int = 1
    ) {
        self.activity = activity
        self.info = info
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
