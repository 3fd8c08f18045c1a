// SPDX-License-Identifier: MIT

import RadioCore
import Recorder
import Stations

/// A sink that keeps a recording: a folder of files, or standard output.
protocol AudioKeeper: StreamSink {
    var progress: RecorderProgress { get }
    /// Finishes everything and reports, waiting for the disk no longer than `patience`; only the first call counts.
    func stop(patience: Duration, completion: @escaping (RecordingReport) -> Void)
}

extension Recorder: AudioKeeper {}
