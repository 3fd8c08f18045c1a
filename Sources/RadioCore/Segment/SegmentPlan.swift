// SPDX-License-Identifier: MIT

package import Instants
package import RadioFormats

/// Why one segment ends and the next begins. The raw value of the latter is what a sidecar says (`began`).
package enum CutCause: String, Hashable, Sendable {
    /// The recording starts: cause of a first segment only.
    case start
    /// A boundary of the period falls into the first frame.
    case period
    /// Another title.
    case title
    /// Frames of another format cannot go into the same file.
    case format
    /// The file before could not be written any further. Not the planner's: the recorder begins such a segment by
    /// itself.
    case storage
    /// The recording is over: cause of a last segment's end only.
    case end
}

/// What is known of a segment when it begins.
package struct SegmentPlan: Hashable, Sendable {
    /// Counts the segments of a recording from 1.
    package var sequence: Int
    /// The first frame.
    package var position: Position
    /// When the first frame was live. For a file, whose frames never were, the start of the recording plus media time.
    package var airTime: WallInstant
    /// The instant that names the file: ``airTime``, or at a cut by the clock the boundary itself, which falls into the
    /// first frame. A segment that was cut at 08:00:00 is not called 07:59:59.
    package var nameTime: WallInstant
    /// The title that holds at the first frame, as the station sent it: nil where none was heard yet, empty where the
    /// station says that there is none. It may hold since an earlier segment: a ``SegmentMark`` tells the change.
    package var title: String?
    package var cause: CutCause
    package var format: StreamFormat

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
