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
    private(set) var pending: [WriterItem] = []
    private(set) var pendingBytes = 0
    var ending: FileEnding?
    /// Ogg: how to renumber pages whose predecessors went into other files. Applied in this order.
    private var continuations: [OggContinuation] = []
    /// The newest sidecar that is not written yet.
    var sidecar: [UInt8]?
    /// The bytes with which growing companions begin once the file is created.
    var growth: [Companion: [UInt8]] = [:]
    /// When the oldest written but unsynced data was appended.
    var unsyncedSince: MonotonicInstant?

    init(id: FileID, spec: SegmentFileSpec) {
        (self.id, self.spec) = (id, spec)
    }

    /// Creates the entry of the file that gets the queued data of `old`, whose file was cut after `samples` samples.
    init(id: FileID, spec: SegmentFileSpec, continuing old: WriterEntry, behind samples: Int64) {
        (self.id, self.spec) = (id, spec)
        (pending, pendingBytes, continuations) = (old.pending, old.pendingBytes, old.continuations)
        guard spec.isPaged else { return }
        var continuation = OggContinuation(header: spec.header, samples: samples)
        for index in pending.indices { pending[index].renumber(&continuation) }
        continuations.append(continuation)
    }

    /// The file, if it accepts data.
    var file: SegmentFile? { if case .open(let file) = state { file } else { nil } }

    /// Whether the beginning, data or end of the file is still to be written.
    var hasPending: Bool {
        switch state {
        case .waiting: true
        case .open: !pending.isEmpty || ending != nil
        case .cut: false
        }
    }

    func append(_ item: WriterItem) {
        var item = item
        for index in continuations.indices { item.renumber(&continuations[index]) }
        pending.append(item)
        pendingBytes += item.count
    }

    /// Removes and returns the first items, which are in the file now, but not synced.
    func takeWritten(_ count: Int) -> ArraySlice<WriterItem> {
        let written = pending.prefix(count)
        unsyncedSince = unsyncedSince ?? written.first?.arrival
        pendingBytes -= written.reduce(0) { $0 + $1.count }
        pending.removeFirst(count)
        return written
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
