// SPDX-License-Identifier: MIT

import Instants
package import RadioCore
package import RadioFormats

/// The state of a station, for progress lines and reports.
package struct StationSnapshot: Sendable, Hashable {
    package var activity: Activity
    package var info: StationInfo?
    /// The format of the newest audio; nil before the first frame.
    package var format: StreamFormat?
    package var position: Position
    package var title: String?
    package var lastFailure: Failure?
    package var reconnects = 0
    /// The number of connections opened beside a connection that had stalled or brought no audio.
    package var hedges = 0
    /// Whether audio reaches the sinks; false while it is missing, or held back until its place is known.
    package var isDelivering: Bool
    /// The time since the last frame, while a connection that has brought frames is open.
    package var silence: Duration
    /// Bytes that were not frames, by reason.
    package var skipped: [SkippedBytes] = []
    /// Damaged audio, on all connections; a place sent again by a new connection counts again.
    package var damage = StreamDamage()
    /// Frames with a wrong checksum, on all connections; a frame sent again by a new connection counts again. Such
    /// frames are passed on like all others.
    package var wrongChecksums: Int64 = 0
    /// The length of the burst at the start of the last connection; nil until known.
    package var burst: Duration?
    /// How much faster the station's clock runs than ours, in parts per million; nil until known.
    package var drift: Double?
    package var playlists: [String] = []
    /// The number of addresses, including those from playlists.
    package var addresses = 1
    /// How much recent audio is kept.
    package var ring = RingFigures()
    /// Whether audio has arrived faster than from any station, as the audio of a file does.
    package var outrunsStations = false
    /// The time since new audio last came, also while the station is down; nil before the first audio.
    package var sinceAudio: Duration?

    /// How far the newest audio was behind the air when it came; nil before the first audio.
    package var behind: Duration?
    /// What is known of a station in HLS; nil for others.
    package var segments: SegmentFacts?

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
        title: String? = nil, isDelivering: Bool, silence: Duration = .zero
    ) {
        self.activity = activity
        self.info = info
        self.format = format
        self.position = position
        self.title = title
        self.isDelivering = isDelivering
        self.silence = silence
    }

    /// The state of a programme by what its sinks receive.
    init(of hub: StreamHub) {
        self.init(
            activity: hub.hasEnded ? .stopped : hub.hasAudio ? .delivering : .awaitingAudio, info: hub.info,
            format: hub.ring.format, position: hub.position, title: hub.title?.text,
            isDelivering: hub.hasAudio && !hub.hasEnded)
    }

    package struct SkippedBytes: Sendable, Hashable {
        package var reason: String
        package var bytes: Int64
    }
}
