// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// An incomplete file of a ``ClientWriter``, and its queued data. Confined to the writer's thread.
final class WriterEntry {
    enum State {
        /// The file has not been created yet.
        case waiting
        case open(SegmentFile)
        /// The file has failed, and accepts no data until the recorder says how to continue.
        case cut(SegmentFile)
    }

    let id: FileID
    let spec: SegmentFileSpec
    var state = State.waiting
    var pending: [WriterItem] = []
    var pendingBytes = 0
    var ending: FileEnding?
    /// Ogg: how to renumber pages whose predecessors went into other files. Applied in this order.
    var continuations: [OggContinuation] = []
    /// The newest sidecar that is not written yet.
    var sidecar: [UInt8]?
    /// What companions that grow are to begin with once the file is created.
    var growth: [Companion: [UInt8]] = [:]
    /// When the oldest written but unsynced data was appended.
    var unsyncedSince: MonotonicInstant?

    init(id: FileID, spec: SegmentFileSpec) {
        self.id = id
        self.spec = spec
    }
}

extension [WriterItem] {
    /// The shortest prefix with at least `bytes` bytes in total; all items if they have fewer.
    func prefixOfBytes(_ bytes: Int) -> ArraySlice<WriterItem> {
        var sum = 0
        return prefix { item in
            defer { sum += item.count }
            return sum < bytes
        }
    }
}
