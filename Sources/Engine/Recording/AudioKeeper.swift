// SPDX-License-Identifier: MIT

import RadioCore
import Recorder
import Stations
import Storage

/// A sink that keeps a recording: a folder of files, or standard output. Confined to the loop's thread.
protocol AudioKeeper: StreamSink {
    /// Bytes and seconds of audio so far.
    var kept: (bytes: Int64, seconds: Double) { get }
    /// What was recorded, to be read again; nil where it cannot be.
    var archived: (any FrameArchive)? { get }
    /// Finishes everything and reports, at the latest some time after `patience` has run out on the disk or the reader;
    /// only the first call counts.
    func stop(patience: Duration, completion: @escaping (RecordingReport) -> Void)
    /// Ends a stop that is under way within so long.
    func hurry(_ patience: Duration)
}

extension Recorder: AudioKeeper {
    var kept: (bytes: Int64, seconds: Double) { progress }
    var archived: (any FrameArchive)? { archive }
}
