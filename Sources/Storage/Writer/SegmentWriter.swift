// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// A recorder's access to the disk. It is one client of the writer's thread, and all its files are in one folder.
///
/// Sendable, and never blocks: commands are queued and carried out in order, and results come back as ``WriterReport``.
/// Appended data can be refused, for example when the queue is full; other commands cannot.
package final class SegmentWriter: Sendable {
    private let queue: WriterQueue
    private let client: Int

    /// `root`: the folder as the user gave it, created if missing. `report` is called on the writer's thread, in order;
    /// it posts to the loop's inbox. No audio is written while the disk has less free space than `floor` requires.
    package init(
        queue: WriterQueue, root: String, floor: FreeSpaceFloor = .none,
        report: @escaping @Sendable (WriterReport) -> Void
    ) {
        self.queue = queue
        client = queue.makeClient(root: root, floor: floor, report: report)
    }

    /// Begins a file. If the file cannot be created, creating it is retried repeatedly while its data waits.
    package func open(_ spec: SegmentFileSpec) -> FileID {
        let file = queue.makeFile(of: client)
        queue.send(.open(file, spec))
        return file
    }

    /// Appends whole frames by reference. `at`: the air time of the first frame, for the index.
    package func append(
        _ slice: SlabSlice, to file: FileID, frames: Int, samples: Int64, at: WallInstant? = nil
    ) -> Appended {
        queue.append(.slab(slice), to: file, frames: frames, frameBytes: slice.count, samples: samples, at: at)
    }

    /// Appends bytes as a unit (pages), inside which the file is never cut. `frameBytes`: how many of them belong to
    /// frames.
    package func append(_ bytes: [UInt8], to file: FileID, frames: Int, frameBytes: Int, samples: Int64) -> Appended {
        queue.append(.bytes(bytes), to: file, frames: frames, frameBytes: frameBytes, samples: samples)
    }

    /// Wakes the thread for appended data. Before that, only a full batch wakes it: a delivery has several appends, and
    /// waking a thread costs more than an append.
    package func flush() { queue.flush() }

    /// Whether `count` bytes could be appended now. Ask before opening a file for them.
    package func hasRoom(for count: Int) -> Bool {
        queue.hasRoom(for: count, of: client)
    }

    /// Rewrites a file's sidecar. The file may be finished, as long as it has not been released.
    package func setSidecar(_ sidecar: [UInt8], of file: FileID) {
        queue.send(.sidecar(file, sidecar))
    }

    /// Appends to a companion of a file that grows with the audio. The file may be finished, as long as it has not been
    /// released; without bytes, the companion of a finished file is removed.
    package func append(_ bytes: [UInt8], to companion: Companion, of file: FileID) {
        queue.send(.grow(file, companion, bytes))
    }

    /// Completes a file once all its data is written. The outcome is reported as
    /// ``WriterReport/finished(_:_:problem:)``, ``WriterReport/abandoned(_:_:lost:_:)`` or, if writing fails before,
    /// ``WriterReport/cut(_:_:_:)``.
    package func close(_ file: FileID, _ ending: FileEnding = FileEnding()) {
        queue.send(.close(file, ending))
    }

    /// Answers ``WriterReport/cut(_:_:_:)``: completes the file as far as it got, and continues in a new file with the
    /// queued data, and with all data still appended to the old file.
    package func resume(_ file: FileID, _ ending: FileEnding, in spec: SegmentFileSpec) -> FileID {
        let next = queue.makeFile(of: client)
        queue.send(.resume(file, ending, into: next, spec))
        return next
    }

    /// Lends a finished file to whoever changes its audio: until ``takeBack(_:checksum:sidecar:)``, the writer
    /// leaves the file and its companions alone. Reports ``WriterReport/lent(_:isReady:)``.
    package func lend(_ file: FileID) {
        queue.send(.lend(file))
    }

    /// Takes back a file that was lent. `checksum`: of its frames, if these have changed. `sidecar`: its sidecar, if
    /// that has changed.
    package func takeBack(_ file: FileID, checksum: UInt64? = nil, sidecar: [UInt8]? = nil) {
        queue.send(.takeBack(file, checksum: checksum, sidecar: sidecar))
    }

    /// Lets the writer forget a finished file, whose sidecar will not be rewritten again.
    package func release(_ file: FileID) {
        queue.send(.release(file))
    }

    /// Completes the files that earlier runs left in the folder and below it, between other duties. Reports them as
    /// ``WriterReport/recovered(_:)``. `depth`: how many nested folders the present name template uses. A file is ours
    /// if a begun sidecar or an extended attribute says so (``PartClaim``). All other files are left alone. `again`:
    /// whether the folder is searched even if that was done lately.
    package func recover(writesSidecars: Bool, depth: Int, again: Bool = false) {
        queue.send(.recover(client: client, writesSidecars: writesSidecars, depth: depth, again: again))
    }

    /// Ends the client, leaving open files as they are. Reports ``WriterReport/detached``.
    package func detach() {
        queue.send(.detach(client: client))
    }

    /// Gives up: tries once more to write queued data, and reports the rest as lost. Unless the disk hangs, every open
    /// file gets its last report. Call ``detach()`` afterwards.
    package func giveUp() {
        queue.send(.giveUp(client: client))
    }

    /// How long the data of this client has been waiting, without any of it reaching the disk.
    package var waited: Duration { queue.waited(by: client) }

    /// The totals of the frames that are not in any file yet.
    package var waiting: FrameTotals { queue.waiting(of: client) }
}
