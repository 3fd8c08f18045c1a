// SPDX-License-Identifier: MIT

import EventLoop
import Storage

/// Completes the files that earlier runs left in a folder of recordings, without recording anything.
final class FolderRecovery {
    private let writer: SegmentWriter
    private let tell: (EngineEvent) -> Void
    private let finished: (FinishedBundle) -> Void
    private var hasEnded = false

    /// Begins. Calls `tell` with ``EngineEvent/recovered(_:)`` for each file, and `finished` if the file is whole; at
    /// the end, calls `tell` with ``EngineEvent/recoveryEnded``.
    init(
        _ folder: String, depth: Int, queue: WriterQueue, reactor: any Reactor, tell: @escaping (EngineEvent) -> Void,
        finished: @escaping (FinishedBundle) -> Void
    ) {
        (self.tell, self.finished) = (tell, finished)
        let own = LoopBound<FolderRecovery>(reactor)
        writer = SegmentWriter(queue: queue, root: folder) { report in own.tell { $0.hear(report) } }
        own.bind(self)
        writer.recover(writesSidecars: true, depth: depth, again: true)
    }

    private func hear(_ report: WriterReport) {
        switch report {
        case .recovered(let files):
            for file in files {
                tell(.recovered(file))
                if let bundle = file.bundle { finished(bundle) }
            }
        case .recoveryEnded:
            writer.detach()
            end()
        case .detached: end()
        case .opened, .cut, .finished, .discarded, .abandoned, .failing, .resumed, .sidecarRewritten, .sidecarFailed,
            .lent, .copied, .drained:
            break
        }
    }

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        tell(.recoveryEnded)
    }
}
