// SPDX-License-Identifier: MIT

import Stations
import Storage

/// Pauses a source that can wait while the consumer of its frames is slower.
final class SourceBrake {
    weak var flow: (any FlowControl)?
    private var isOn = false

    /// Pauses the source if appending the sink's frames took the queue above its high-water mark.
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
