// SPDX-License-Identifier: MIT

package import Instants
import RadioCore
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
    /// What is in files.
    private(set) var recorded: [Stretch]
    /// When the audio of each of its recordings under way begins, by the ID of the recording.
    private var underWay: [String: MonotonicInstant] = [:]

    /// A stretch of time whose audio is in files.
    struct Stretch: Hashable, Sendable {
        var span: Range<MonotonicInstant>
        /// The recording that the stretch is part of. The first stretch of a recording has the paths of its files.
        var source: AiringResult.Source
    }

    /// The longest recording that a user may request.
    package static let longest = Duration.seconds(31 * 86_400)
    private static let timeToConnect = Duration.seconds(10)
    /// The most stretches that are remembered. Audio in others counts as missing.
    private static let mostStretches = 50

    init(number: Int, station: String, span: Range<MonotonicInstant>, recorded: [Stretch] = []) {
        self.number = number
        self.station = station
        self.span = span
        self.recorded = recorded.suffix(Self.mostStretches)
    }

    package var key: UseKey { UseKey(station, .manual(number)) }

    /// Notes that one of its recordings has its first file, whose audio was on air from `start` on.
    mutating func began(_ recording: String, at start: MonotonicInstant) { underWay[recording] = start }

    /// Notes that one of its recordings has ended.
    mutating func ended(_ recording: String, _ report: RecordingReport, at now: MonotonicInstant) {
        guard let start = underWay.removeValue(forKey: recording), report.frames > 0 else { return }
        let spans = report.stretches(from: start, to: min(now, span.upperBound))
        let stretches = spans.enumerated().map { index, span in
            let files = index == 0 ? Array(report.files.prefix(HookEvent.mostListed)) : []
            return Stretch(span: span, source: AiringResult.Source(recording: recording, files: files))
        }
        recorded = (recorded + stretches).suffix(Self.mostStretches)
    }

    /// What has been recorded up to now if the recordings under way have no gaps.
    func recorded(upTo now: MonotonicInstant) -> [Stretch] {
        recorded
            + underWay.filter { $0.value < now }.map { recording, start in
                Stretch(span: start..<now, source: AiringResult.Source(recording: recording, files: []))
            }
    }

    /// How much of the span is in files. `clock` dates what is missing. The time that it takes to connect is not missing.
    func result(_ clock: ClockReading) -> AiringResult {
        let start = recorded.map(\.span.lowerBound).min().map { max($0, span.lowerBound) } ?? span.lowerBound
        let isPrompt = start - span.lowerBound <= Self.timeToConnect
        return AiringResult(
            window: clock.wall(at: (isPrompt ? start : span.lowerBound)..<span.upperBound),
            pieces: recorded.map { stretch in
                let times = clock.wall(at: stretch.span)
                return AiringResult.Piece(
                    of: stretch.source, at: times.lowerBound, length: times.upperBound - times.lowerBound)
            })
    }
}

extension RecordingReport {
    /// The stretches of time whose audio is in the files of a recording that went on from one instant to another.
    ///
    /// The wall times of its gaps are of no use here, as the wall clock may have been set meanwhile. So a gap is where
    /// the audio and the gaps before it end.
    fileprivate func stretches(from start: MonotonicInstant, to end: MonotonicInstant) -> [Range<MonotonicInstant>] {
        let frame = seconds / Double(frames)
        var (stretches, began, missing) = ([Range<MonotonicInstant>](), start, Duration.zero)
        // A gap in front of the first frame is no part of the recording.
        for gap in gaps where gap.position > 0 {
            let length = Duration.milliseconds(max(0, gap.milliseconds ?? 0))
            let place = min(start + .seconds(frame * Double(gap.position)) + missing, end - length)
            if place > began { stretches.append(began..<place) }
            missing += length
            began = max(began, place + length)
        }
        return began < end ? stretches + [began..<end] : stretches
    }
}
