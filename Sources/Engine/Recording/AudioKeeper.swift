// SPDX-License-Identifier: MIT

import Recorder
import Stations

/// A sink that writes a recording: to a folder of files, or to standard output.
protocol AudioKeeper: StreamSink {
    /// The keeper if it records files, with a ledger and companions; nil if it writes to standard output.
    var recorder: Recorder? { get }
    /// Frames, bytes and seconds of audio written so far.
    var progress: (frames: Int64, bytes: Int64, seconds: Double) { get }
    /// Finishes everything and reports. If the disk or the reader makes no progress, the report comes shortly after
    /// `patience`. Only the first call counts.
    func stop(patience: Duration, completion: @escaping (RecordingReport) -> Void)
    /// Makes a stop that is in progress end within `patience`.
    func hurry(_ patience: Duration)
}

extension Recorder: AudioKeeper {
    var recorder: Recorder? { self }
}

extension FrameOutput: AudioKeeper {
    var recorder: Recorder? { nil }
}
