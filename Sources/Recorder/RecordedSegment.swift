// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// A file of a recording.
package struct RecordedSegment: Hashable, Sendable {
    package var path: String
    /// The path with which the file was announced, if the complete file got another name.
    package var formerPath: String?
    /// The air time of the first frame.
    package var at: CivilTime
    package var frames: Int64
    /// Bytes of frames, without tags.
    package var bytes: Int64
    /// Seconds of audio.
    package var seconds: Double
    /// How much of the programme is missing after the first frame, as far as it is known.
    package var missing: Duration
    /// False for a file that was left as `.part`.
    package var isComplete: Bool
    /// The name of the station from which the frames come; nil if unknown.
    package var station: String?
    /// How far the clock was set forward while the file was recorded, or back if negative.
    package var clockStep: Duration
    /// The times that the clock left out when it was set forward; nil if it was not.
    package var leftOut: Range<WallInstant>?
    /// The number of the file in its recording; nil if it has none.
    package var number: Int?

    package init(
        path: String, at: CivilTime, frames: Int64, bytes: Int64, seconds: Double, missing: Duration,
        isComplete: Bool, station: String? = nil, clockStep: Duration = .zero, leftOut: Range<WallInstant>? = nil,
        number: Int? = nil
    ) {
        self.path = path
        self.at = at
        self.frames = frames
        self.bytes = bytes
        self.seconds = seconds
        self.missing = missing
        self.isComplete = isComplete
        self.station = station
        self.clockStep = clockStep
        self.leftOut = leftOut
        self.number = number
    }

    /// The length in air time: the audio and the gaps after its first frame.
    package var length: Duration { .seconds(seconds) + missing }

    /// When the last frame ended on air.
    package var end: WallInstant { at.instant + length + clockStep }
}
