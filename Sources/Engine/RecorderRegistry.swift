// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import Recorder
import Stations
import Storage

/// Recorders by number, so that the writer's reports find theirs. Confined to the loop's thread.
///
/// A report comes from the writer's thread through the loop's inbox and carries a number; one whose recorder is gone is
/// ignored.
final class RecorderRegistry {
    private var recorders: [Int: Recorder] = [:]
    private var count = 0

    /// Makes a recorder that writes into a folder.
    func make(
        folder: String, settings: RecorderSettings, writer: WriterThread, reactor: any Reactor,
        deliver: @escaping @Sendable (Int, WriterReport) -> Void
    ) -> Recorder {
        count += 1
        let number = count
        let segments = SegmentWriter(queue: writer.queue, root: folder) { deliver(number, $0) }
        let recorder = Recorder(settings: settings, writer: segments, reactor: reactor)
        recorders[number] = recorder
        return recorder
    }

    func hear(_ number: Int, _ report: WriterReport) {
        recorders[number]?.hear(report)
        if case .detached = report { recorders[number] = nil }
    }
}
