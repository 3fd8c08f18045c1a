// SPDX-License-Identifier: MIT

import RadioCore
import Recorder
import Stations

/// A sink that writes a recording: to a folder of files, or to standard output.
protocol AudioKeeper: StreamSink {
    /// Frames, bytes and seconds of audio written so far.
    var kept: (frames: Int64, bytes: Int64, seconds: Double) { get }
    /// The length of the recording so far in air time, including gaps.
    var length: Duration { get }
    /// The file that grows; nil if there is none.
    var file: RecordedSegment? { get }
    /// Enters a gap before the first frame.
    func note(missingBefore gap: Gap)
    /// Enters which recording this one continues; nil for none.
    func note(continues recording: String?)
    /// Leaves the gap behind this recording to another one, which follows at once.
    func noteFollowed()
    /// The recording as an archive to read from; nil if it cannot be read.
    var archived: (any FrameArchive)? { get }
    /// Finishes everything and reports. If the disk or the reader makes no progress, the report comes shortly after
    /// `patience`. Only the first call counts.
    func stop(patience: Duration, completion: @escaping (RecordingReport) -> Void)
    /// Makes a stop that is in progress end within `patience`.
    func hurry(_ patience: Duration)
}

extension Recorder: AudioKeeper {
    var kept: (frames: Int64, bytes: Int64, seconds: Double) { progress }
    var archived: (any FrameArchive)? { archive }
}

extension FrameOutput: AudioKeeper {
    var kept: (frames: Int64, bytes: Int64, seconds: Double) { progress }
    var length: Duration { .seconds(kept.seconds) }
    var file: RecordedSegment? { nil }
    var archived: (any FrameArchive)? { nil }

    // Standard output has no ledger.
    func note(missingBefore gap: Gap) {}
    func note(continues recording: String?) {}
    func noteFollowed() {}
}
