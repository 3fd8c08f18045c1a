// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// One file of a ``ClientWriter`` that is not complete, and what waits for it. Confined to the writer's thread.
final class WriterEntry {
    enum State {
        /// To be created.
        case waiting
        case open(SegmentFile)
        /// It has failed, and takes no more until the recorder says how to go on.
        case cut(SegmentFile)
    }

    let id: FileID
    let spec: SegmentFileSpec
    var state = State.waiting
    var pending: [WriterItem] = []
    var pendingBytes = 0
    var ending: FileEnding?
    /// Ogg: renumber pages whose predecessors went into other files; applied in this order.
    var continuations: [OggContinuation] = []
    /// The newest sidecar that is not written yet.
    var sidecar: [UInt8]?
    /// When the oldest data that is written and not synced was appended.
    var unsyncedSince: MonotonicInstant?

    init(id: FileID, spec: SegmentFileSpec) {
        self.id = id
        self.spec = spec
    }
}

extension [WriterItem] {
    /// The first items, as many as hold `bytes` together; at least one.
    func prefixOfBytes(_ bytes: Int) -> ArraySlice<WriterItem> {
        var sum = 0
        return prefix { item in
            defer { sum += item.count }
            return sum < bytes
        }
    }
}
