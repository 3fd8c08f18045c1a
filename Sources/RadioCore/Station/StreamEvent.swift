// SPDX-License-Identifier: MIT

package import Instants
package import RadioFormats

/// An event that a station sends to its sinks, in stream order. Sinks never see the connection.
package enum StreamEvent: Sendable {
    /// What the station says about itself. Sent first, and again if a new connection says something else.
    case station(StationInfo)
    /// The format of the chunks that follow; before the first chunk and at each change. Samples count from 0 again.
    case format(StreamFormat, at: Position)
    /// The next chunk's first frame does not follow the one before it.
    case discontinuity(Discontinuity)
    /// The next chunk's first frame arrived on a new connection, but continues the frame before it.
    case splice(Splice)
    /// More is known about frames that were delivered.
    case stretch(Stretch)
    /// Audio is missing before a frame that was delivered, as the pace of the frames after it has shown. The gap takes
    /// the place of one at the same frame, of which less was known.
    case hole(Gap, before: Position)
    /// Audio was found that belongs before a frame that was delivered. Sinks that cannot go back ignore it.
    case found(FoundAudio)
    /// A title that belongs to the next chunk's first frame.
    case title(StreamTitle)
    case chunk(Chunk)
    /// The map from media time to air time has changed or settled. Sent before the chunks to which it applies.
    case airTime(AirTime)
    /// The last event. Without a failure, the end is proper: a file has ended, or a stop was requested.
    case ended(Failure?)
}

/// A title and its position.
package struct StreamTitle: Hashable, Sendable {
    /// The cleaned title; empty if the station says that there is no title.
    package var text: String
    /// The position of the first frame that starts at or after the metadata block.
    package var position: Position
    /// The bytes as the station sent them, in case the charset rules have decoded them wrongly.
    package var raw: [UInt8]
    /// The address that came with the title, for example of a cover: a checked `WebAddress`.
    package var url: String?
    /// Whether what it names may have begun earlier: it is the first title since a gap.
    package var mayBeOlder: Bool

    package init(text: String, position: Position, raw: [UInt8] = [], url: String? = nil, mayBeOlder: Bool = false) {
        self.text = text
        self.position = position
        self.raw = raw
        self.url = url
        self.mayBeOlder = mayBeOlder
    }
}

/// The flag on the first frame that does not follow its predecessor.
package struct Discontinuity: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The very first audio.
        case firstJoin
        /// Audio was lost.
        case gap(Gap)
        /// Frames inside one connection do not follow each other (damage, a new chain link).
        case resync
    }

    package var kind: Kind
    package var position: Position

    package init(kind: Kind, position: Position) {
        self.kind = kind
        self.position = position
    }
}

/// Lost audio, measured and dated.
package struct Gap: Hashable, Sendable {
    /// When the audio stopped, in air time.
    package var at: WallInstant
    /// How much was lost; nil if unknown.
    package var length: Duration?
    /// The cause, as the log words it: "the server closed the connection".
    package var cause: String
    /// One short line for each kind of failed connection attempt, such as "connection refused (20 times)".
    package var tried: [String]
    /// Whether audio is missing although the connection was not interrupted.
    package var isInsideConnection: Bool
    /// The failure behind the cause, with its class and its remedy; nil if nothing failed.
    package var failure: Failure?
    /// How much of the audio after the gap was on air before the audio stopped, and may therefore occur twice.
    package var overlap = Duration.zero
    /// If the station repeats itself: the audio after the gap was already delivered this long before the gap.
    package var repeats: Duration?

    package init(
        at: WallInstant, length: Duration?, cause: String, tried: [String] = [], isInsideConnection: Bool = false,
        failure: Failure? = nil
    ) {
        self.at = at
        self.length = length
        self.cause = cause
        self.tried = tried
        self.isInsideConnection = isInsideConnection
        self.failure = failure
    }

    /// A gap inside one connection.
    package static func inside(at: WallInstant, length: Duration?) -> Gap {
        Gap(at: at, length: length, cause: "frames are missing from the station's stream", isInsideConnection: true)
    }
}

/// A place where a new connection was joined to the old one without loss or repetition.
package struct Splice: Hashable, Sendable {
    /// How the place was found. `--json` and the sidecar contain the raw value.
    package enum Method: String, Hashable, Sendable {
        /// Frames of both connections are the same, byte for byte.
        case match
        /// The place was found, to within 0.1 s, by the time at which frames arrived, because all frames are alike
        /// (digital silence).
        case time
        /// The numbers that the stream states for its frames follow each other.
        case position
    }

    /// The position of the first new frame.
    package var position: Position
    /// The air time of that frame.
    package var at: WallInstant
    /// The number of the new connection's frames before ``position``, which were left out.
    package var droppedFrames: Int64
    /// How many of the dropped frames were never delivered: an advert at connect, for example, or audio that aired
    /// during a gap.
    package var unheardFrames: Int64 = 0
    package var method: Method

    package init(position: Position, at: WallInstant, droppedFrames: Int64, method: Method) {
        self.position = position
        self.at = at
        self.droppedFrames = droppedFrames
        self.method = method
    }
}

/// Frames about which more is known after they were delivered.
package struct Stretch: Hashable, Sendable {
    /// What is known. Sidecars contain the raw value.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The frames are not part of the programme, such as an advert at connect. The frame after the stretch
        /// continues the programme where it stopped before the stretch, so the gaps reported at the beginning of the
        /// stretch, inside it and at its end are withdrawn.
        case foreign
        /// Audio that had already been delivered before a gap.
        case repeated
        /// The programme is silent.
        case silence
        /// The programme stands still in one tone.
        case tone
        /// The station says that an advert is on air.
        case advert
    }

    package var kind: Kind
    /// The frame numbers, counted from the first frame delivered.
    package var frames: Range<Int64>
    /// The air time of the first of these frames.
    package var at: WallInstant
    package var length: Duration
    /// What says so; nil if Aircheck has found it out. Sidecars contain it.
    package var by: String?
    /// Whether the stretch goes on with the frames that follow, until it is reported again.
    package var isOpen = false

    package init(_ kind: Kind, frames: Range<Int64>, at: WallInstant, length: Duration) {
        self.kind = kind
        self.frames = frames
        self.at = at
        self.length = length
    }

    /// A stretch that goes on, for those who get the frames from a position on.
    package func begun(at position: Position, _ airTime: AirTime?) -> Stretch {
        guard position.frames > frames.lowerBound else { return self }
        var stretch = self
        stretch.frames = position.frames..<position.frames
        stretch.at = airTime?.instant(ofSample: position.samples) ?? at
        return stretch
    }
}

/// The map from media time (samples of the current format, see ``Position/samples``) to air time.
///
/// `air(samples) = origin + samples / rate`. The map is fitted to the least-delayed arrivals, so that a burst is
/// back-dated.
package struct AirTime: Hashable, Sendable {
    /// The air time of sample 0 of the current format.
    package var origin: WallInstant
    package var sampleRate: Int
    /// Whether the map has settled. It has not during a burst, and while it is not known whether a silence left audio
    /// out; then no cut may be decided with it.
    package var isSettled: Bool
    /// How much faster the station's clock is than this machine's, in parts per million; nil while unknown. The map
    /// follows the drift.
    package var drift: Double?

    /// The air time of a sample: when it was live at the station's edge.
    package func instant(ofSample sample: Int64) -> WallInstant {
        origin + .samples(sample, at: sampleRate)
    }
}
