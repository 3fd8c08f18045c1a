// SPDX-License-Identifier: MIT

/// How an encoder cuts a programme into segments and numbers them, from its start until another run takes over. All
/// times are times of the programme.
package struct HLSRun: Sendable {
    /// When the list changes to this run: at once if it has a segment by then, otherwise with its first segment.
    package var takesOver = Duration.zero
    /// Where the first segment begins; nil to go on where the run before has ended. A time far before ``takesOver`` is
    /// that of a server that publishes the same audio under other numbers.
    package var cutsFrom: Duration?
    /// The number of the first segment.
    package var firstNumber = 0
    package var segmentLength = Duration.seconds(1)
    /// Whether segments begin with whole frames. If not, each begins with the second half of a frame (only in packed
    /// audio and transport streams).
    package var isAligned = true
    /// The presentation time of the first frame, in ticks of 90 kHz.
    package var firstTime: Int64 = 900_000
    package var dates = HLSDates()
    /// Whether `EXT-X-DISCONTINUITY` stands before the first segment.
    package var isMarked = false
    /// Whether `EXT-X-DISCONTINUITY` stands where the station has left audio out.
    package var marksHoles = true
    /// The value of `EXT-X-DISCONTINUITY-SEQUENCE` at the start; nil to leave the tag out.
    package var discontinuities: Int?
    /// What precedes the number in the names of segments. Runs with the same name write over each other's files.
    package var name = "s"

    package init(_ change: (inout HLSRun) -> Void = { _ in }) { change(&self) }
}

/// The dates of a list (`EXT-X-PROGRAM-DATE-TIME`).
package struct HLSDates: Sendable, Hashable {
    package enum Presence: Sendable, Hashable {
        case none
        /// Each segment has a date.
        case each
        /// The first segment of a list has a date.
        case first
    }

    package var presence = Presence.each
    /// Dates are truncated to multiples of this.
    package var precision = Duration.milliseconds(1)
    /// How far the station's clock is ahead.
    package var offset = Duration.zero
    /// How many seconds the station's clock gains in a second.
    package var drift = 0.0

    package init(
        _ presence: Presence = .each, precision: Duration = .milliseconds(1), offset: Duration = .zero,
        drift: Double = 0
    ) {
        (self.presence, self.precision, self.offset, self.drift) = (presence, precision, offset, drift)
    }
}
