// SPDX-License-Identifier: MIT

package import Instants
import Recorder

/// A recording that a user has requested from a running daemon, independent of any show. A value.
///
/// It lasts as long as the user said by the monotonic clock, so that a wall clock that is set makes it neither longer
/// nor shorter. All of its instants are of that clock. Wall times are made of them for files and people.
package struct ManualRecording: Hashable, Sendable {
    package var number: Int
    /// The ID of the station.
    package var station: String
    package var span: Range<MonotonicInstant>
    /// When its first frame was on air; nil before.
    private(set) var firstAudio: MonotonicInstant?
    /// The IDs of its recordings that earlier runs of the daemon began. Only the catalog knows what is in them.
    private(set) var earlier: [String]
    /// The IDs of its recordings that this run began, in order.
    private var own: [String] = []
    /// What the ended ones of this run have brought.
    private(set) var recorded = RecordedTime()
    /// The paths of their files.
    private(set) var files: [String] = []

    /// The longest recording that a user may request.
    package static let longest = Duration.seconds(31 * 86_400)
    /// The most recordings, the last ones, that are remembered for the next run.
    private static let mostRecordings = 100

    init(
        number: Int, station: String, span: Range<MonotonicInstant>, firstAudio: MonotonicInstant? = nil,
        earlier: [String] = []
    ) {
        self.number = number
        self.station = station
        self.span = span
        self.firstAudio = firstAudio
        self.earlier = earlier.suffix(Self.mostRecordings)
    }

    package var key: UseKey { UseKey(station, .manual(number)) }

    /// The IDs of its last recordings, in order.
    var recordings: [String] { (earlier + own).suffix(Self.mostRecordings) }

    /// Notes that one of its recordings has its first file, whose audio was on air from `start` on.
    mutating func began(_ recording: String, at start: MonotonicInstant) {
        firstAudio = firstAudio ?? start
        own = (own + [recording]).suffix(Self.mostRecordings)
    }

    /// Notes that one of its recordings has ended.
    mutating func ended(_ report: RecordingReport) {
        recorded += RecordedTime(report)
        files = Array((files + report.files).prefix(HookEvent.mostListed))
    }
}
