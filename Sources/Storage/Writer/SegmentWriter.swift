// SPDX-License-Identifier: MIT

package import RadioCore

/// A recorder's way to the disk: files in one folder, written by the writer's thread, one of whose clients it is.
///
/// Sendable, and never blocks: every command goes into the queue and is obeyed in order; results come back as
/// ``WriterReport``. Only data may be refused.
package final class SegmentWriter: Sendable {
    private let queue: WriterQueue
    private let client: Int

    /// `root` is the folder as the user gave it, made where it is missing. `report` is called on the writer's thread,
    /// in order; it posts to the loop's inbox.
    package init(queue: WriterQueue, root: String, report: @escaping @Sendable (WriterReport) -> Void) {
        self.queue = queue
        client = queue.makeClient(root: root, report: report)
    }

    /// Begins a file. Where it cannot be created that is tried again and again, while data waits.
    package func open(_ spec: SegmentFileSpec) -> FileID {
        let file = queue.makeFile(of: client)
        queue.send(.open(file, spec))
        return file
    }

    /// Appends whole frames by reference.
    package func append(_ slice: SlabSlice, to file: FileID, frames: Int, samples: Int64) -> Appended {
        queue.append(.slab(slice), to: file, frames: frames, frameBytes: slice.count, samples: samples)
    }

    /// Appends bytes that are a unit (pages): the file is never cut inside. `frameBytes` of them are frames.
    package func append(_ bytes: [UInt8], to file: FileID, frames: Int, frameBytes: Int, samples: Int64) -> Appended {
        queue.append(.bytes(bytes), to: file, frames: frames, frameBytes: frameBytes, samples: samples)
    }

    /// Nothing more is appended just now. Until then the thread is woken by a batch only: a delivery is several appends,
    /// and to wake a thread costs more than it does for one of them.
    package func flush() { queue.flush() }

    /// Whether `count` bytes could be appended now: asked before a file is opened for them.
    package func hasRoom(for count: Int) -> Bool {
        queue.hasRoom(for: count, of: client)
    }

    /// Rewrites a file's sidecar, also of a finished file that has not been released.
    package func setSidecar(_ sidecar: [UInt8], of file: FileID) {
        queue.send(.sidecar(file, sidecar))
    }

    /// Completes a file once all its data is written: ``WriterReport/finished(_:_:problem:)``,
    /// ``WriterReport/abandoned(_:_:lost:_:)`` or, if it fails before, ``WriterReport/cut(_:_:_:)``.
    package func close(_ file: FileID, _ ending: FileEnding = FileEnding()) {
        queue.send(.close(file, ending))
    }

    /// The answer to ``WriterReport/cut(_:_:_:)``: completes what there is of the file and goes on in a new one, with
    /// the data that waits and all that is appended to the old one from now on.
    package func resume(_ file: FileID, _ ending: FileEnding, in spec: SegmentFileSpec) -> FileID {
        let next = queue.makeFile(of: client)
        queue.send(.resume(file, ending, into: next, spec))
        return next
    }

    /// A finished file's sidecar will not be rewritten any more.
    package func release(_ file: FileID) {
        queue.send(.release(file))
    }

    /// Completes what earlier runs left behind in the folder and below it, between other duties:
    /// ``WriterReport/recovered(_:)``. `depth` is how many nested folders names have now. A file is ours where a
    /// sidecar that was begun or an extended attribute says so (``PartClaim``). Any other stays as it is.
    package func recover(writesSidecars: Bool, depth: Int) {
        queue.send(.recover(client: client, writesSidecars: writesSidecars, depth: depth))
    }

    /// The end: whatever is still open is left as it is. Reports ``WriterReport/detached``.
    package func detach() {
        queue.send(.detach(client: client))
    }

    /// The end in haste: one more try to write what waits, the rest is reported as lost. Every open file gets its last
    /// report, unless the disk hangs; then ``detach()`` is due.
    package func giveUp() {
        queue.send(.giveUp(client: client))
    }

    /// How many bytes wait to be written.
    package var queuedBytes: Int { queue.load(of: client).bytes }

    /// Totals of the frames that are in no file yet.
    package var waiting: FrameTotals { queue.waiting(of: client) }
}
