// SPDX-License-Identifier: MIT

package import Instants
package import RadioFormats

/// Why one segment ends and the next begins. A sidecar contains the raw value for its own segment (`began`).
package enum CutCause: String, Hashable, Sendable {
    /// The recording starts; only for its first segment.
    case start
    /// A boundary of the period falls into the first frame.
    case period
    /// The title has changed.
    case title
    /// Frames of another format follow, which cannot go into the same file.
    case format
    /// Another station of the list follows.
    case station
    /// The previous file could not be written any further. Set only by the recorder, which begins such a segment by
    /// itself.
    case storage
    /// The recording has ended; only for the end of its last segment.
    case end
}

/// The facts that are known when a segment begins.
package struct SegmentPlan: Hashable, Sendable {
    /// The number of the segment in its recording, from 1.
    package var sequence: Int
    /// The position of the first frame.
    package var position: Position
    /// The time at which the first frame was live. The frames of a file were never live: for a file, this is the start
    /// of the recording plus media time.
    package var airTime: WallInstant
    /// The instant in the file's name: ``airTime``, or, if the segment begins by the clock, the boundary itself, which
    /// falls into the first frame. A segment that was cut at 08:00:00 is not called 07:59:59.
    package var nameTime: WallInstant
    /// The title at the first frame, as the station sent it; nil before the first title, empty if the station sent an
    /// empty one. It may date from an earlier segment. Each change of title has a ``SegmentEntry``.
    package var title: String?
    package var cause: CutCause
    package var format: StreamFormat
    /// The name of the station from which the frames come; nil if unknown.
    package var station: String?
    /// See ``StationInfo/standsIn``.
    package var standsIn = false

    package init(
        sequence: Int, position: Position, airTime: WallInstant, nameTime: WallInstant? = nil, title: String?,
        cause: CutCause, format: StreamFormat
    ) {
        self.sequence = sequence
        self.position = position
        self.airTime = airTime
        self.nameTime = nameTime ?? airTime
        self.title = title
        self.cause = cause
        self.format = format
    }
}
