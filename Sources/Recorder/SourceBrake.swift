// SPDX-License-Identifier: MIT

import Stations
import Storage

/// Holds back a source that can wait, while what takes its frames is slower. Confined to the loop's thread.
final class SourceBrake {
    weak var flow: (any FlowControl)?
    private var isOn = false

    /// Goes by what became of frames of the sink.
    func heed(_ result: Appended, for sink: any StreamSink) {
        guard result == .aboveHighWater, !isOn else { return }
        isOn = true
        flow?.pause(for: sink)
    }

    func release(for sink: any StreamSink) {
        guard isOn else { return }
        isOn = false
        flow?.resume(for: sink)
    }
}
