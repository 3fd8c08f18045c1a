// SPDX-License-Identifier: MIT

import Stations
import Storage

/// Pauses a source that can wait while the consumer of its frames is slower.
final class SourceBrake {
    weak var flow: (any FlowControl)?
    private(set) var isOn = false

    /// Pauses the source if the queue is above its high-water mark. The brake asks again with each append, because it
    /// may become known later that the source can wait.
    func heed(_ result: Appended, for sink: any StreamSink) {
        guard result == .aboveHighWater else { return }
        isOn = true
        flow?.pause(for: sink)
    }

    func release(for sink: any StreamSink) {
        guard isOn else { return }
        isOn = false
        flow?.resume(for: sink)
    }
}
