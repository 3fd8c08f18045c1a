// SPDX-License-Identifier: MIT

package import RadioCore

/// What is worth a line in the log, or on the terminal. Values only; the words are the reader's.
package enum StationNotice: Sendable, Hashable {
    /// A connection is being opened; the URL without credentials.
    case connecting(url: String, attempt: Int)
    /// The response carries audio.
    case connected(StationInfo)
    /// The first frame of a connection has come; true where it is a reconnect.
    case live(again: Bool)
    /// The address led to a playlist with so many entries.
    case followedPlaylist(url: String, entries: Int)
    /// A connection failed or ended; the next try is in `retryIn`.
    case failed(Failure, retryIn: Duration)
    /// The connection is open, and for so long no frame has come.
    case stalled(after: Duration)
    /// A second connection is being opened beside the one that is silent; the URL without credentials.
    case hedging(url: String)
    /// A new connection goes on where the old one stopped, so long after audio had stopped coming.
    case spliced(Splice, after: Duration)
    /// Audio is back, and some of the programme is missing.
    case gap(Gap)
    /// What came since the last gap was none of the programme, and nothing is missing after all.
    case foreign(ForeignSpan)
}

/// A station at a glance, for progress lines and reports.
package struct StationSnapshot: Sendable, Hashable {
    package var state: ConnectionMachine.State
    package var info: StationInfo?
    package var position: Position
    package var title: String?
    package var lastFailure: Failure?
    package var reconnects: Int
    /// Second connections that were opened beside one that had gone silent.
    package var hedges = 0
    /// Bytes that were no frames, by reason.
    package var skipped: [SkippedBytes]
    /// How much audio the last connection began with at once, once known.
    package var burst: Duration?
    package var playlists: [String]

    package struct SkippedBytes: Sendable, Hashable {
        package var reason: String
        package var bytes: Int64
        package init(reason: String, bytes: Int64) {
            self.reason = reason
            self.bytes = bytes
        }
    }
}
