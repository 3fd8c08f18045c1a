// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import Storage

/// Puts found audio into the complete files of a recording.
///
/// Audio waits until the file with its gap is complete, with a copy on the disk in case the process dies. The writer
/// lends the file then, its audio is put in on another thread, piece by piece, and the writer gets the file back. What
/// cannot be put in stays missing.
final class FileHealing {
    /// Finds the frame of a file before which found audio belongs; nil if its gap is not in the file.
    var place: (FoundAudio, PendingFile) -> Int64? = { _, _ in nil }
    /// Puts audio on the disk beside the growing file with its gap. Returns whether there is such a file.
    var save: (FoundAudio) -> Bool = { _ in false }
    /// The segment as the healer is to find it.
    var segment: (PendingFile) -> LibrarySegment? = { _ in nil }
    /// Called with each piece that was put in, and the segment as it is now.
    var onHealed: (FoundAudio, PendingFile, LibrarySegment) -> Void = { _, _, _ in }
    /// Called with audio that has no frames: nothing is missing in its gap.
    var onNothingMissing: (FoundAudio, PendingFile) -> Void = { _, _ in }
    /// Called with each piece that could not be put in, because of the disk.
    var onProblem: (StorageError) -> Void = { _ in }
    /// Called when a file has got everything. `checksum`: of its frames, if these have changed.
    var onEnd: (PendingFile, _ checksum: UInt64?) -> Void = { _, _ in }

    private let root: String
    private let floor: FreeSpaceFloor
    private let thread: HealingThread
    private let writer: SegmentWriter
    private let archive: RecordingArchive
    private let reactor: any Reactor
    private var waiting = WaitingAudio()
    /// The frames before which audio was left out. What is found for their gaps later builds on that audio, so it is
    /// left out as well.
    private var refused: Set<Int64> = []
    private var lent: [FileID: Loan] = [:]
    private var lastOrder = 0
    private var isOver = false

    /// A file that the writer has lent.
    private struct Loan {
        let file: PendingFile
        /// What is to be put in, with the next piece first.
        var pieces: [FoundAudio]
        /// The piece that is being put in.
        var current: (number: Int, state: HealingThread.OrderState)?
        var checksum: UInt64?
    }

    init(
        root: String, floor: FreeSpaceFloor, thread: HealingThread, writer: SegmentWriter, archive: RecordingArchive,
        reactor: any Reactor
    ) {
        (self.root, self.floor, self.thread, self.writer) = (root, floor, thread, writer)
        (self.archive, self.reactor) = (archive, reactor)
    }

    /// Whether any file is lent.
    var isBusy: Bool { !lent.isEmpty }
    var hasWaiting: Bool { !waiting.isEmpty }

    func isLent(_ file: PendingFile) -> Bool { lent[file.id] != nil }

    /// Keeps found audio until its file is complete.
    func add(_ found: FoundAudio) {
        guard !isOver, !refused.contains(found.before) else { return }
        if !waiting.add(found) { refused.insert(found.before) }
    }

    /// Saves what could not be saved before, because its gap was not known.
    func saveWaiting() { waiting.save(save) }

    /// What belongs into a file has no copy beside it any more.
    func unsave(_ file: PendingFile) { waiting.unsave { place($0, file) != nil } }

    /// Whether a complete file has everything that was found for it, so that no copy is needed.
    func isDone(_ file: PendingFile) -> Bool {
        !isOver && !isLent(file) && !waiting.contains { place($0, file) != nil }
    }

    /// Begins to put waiting audio into a complete file. Returns false if none belongs there.
    func begin(_ file: PendingFile) -> Bool {
        guard !isOver, !waiting.isEmpty, !isLent(file) else { return isLent(file) }
        let pieces = waiting.take { place($0, file) != nil }
        guard !pieces.isEmpty else { return false }
        lent[file.id] = Loan(file: file, pieces: pieces)
        writer.lend(file.id)
        return true
    }

    /// The writer has lent a file. If the file is not ready, its audio goes on waiting.
    func lent(_ id: FileID, isReady: Bool) {
        guard let loan = lent[id] else { return }
        guard isReady, !isOver else { return end(id, keeping: loan.pieces) }
        archive.beginChange(of: id)
        proceed(id)
    }

    private func proceed(_ id: FileID) {
        guard var loan = lent[id] else { return }
        // More may have been found meanwhile.
        if loan.pieces.isEmpty, !isOver { loan.pieces = waiting.take { place($0, loan.file) != nil } }
        guard !loan.pieces.isEmpty else { return end(id) }
        let found = loan.pieces.removeFirst()
        guard !refused.contains(found.before), let frame = place(found, loan.file), let segment = segment(loan.file)
        else {
            refused.insert(found.before)
            lent[id] = loan
            return proceed(id)
        }
        guard found.batch.count > 0 else {
            lent[id] = loan
            onNothingMissing(found, loan.file)
            return proceed(id)
        }
        lastOrder += 1
        let (number, state) = (lastOrder, HealingThread.OrderState())
        loan.current = (number, state)
        lent[id] = loan
        let own = reactor.bind(self)
        let order = HealingThread.Order(root: root, segment, before: frame, found, floor: floor)
        let isGiven = thread.heal(order, state, now: reactor.wallNow) { result in
            own.tell { $0.take(result, of: found, number, for: id) }
        }
        if !isGiven { end(id) }
    }

    private func take(
        _ result: Result<LibrarySegment, RecordingHealer.Problem>, of found: FoundAudio, _ number: Int, for id: FileID
    ) {
        guard let loan = lent[id], loan.current?.number == number else { return }
        lent[id]?.current = nil
        switch result {
        case .success(let segment):
            lent[id]?.checksum = segment.sidecar?.checksum
            onHealed(found, loan.file, segment)
        case .failure(.storage(let error)):
            onProblem(error)
            // Once there is room again, the file is complete, and is tried again.
            if [.noSpace, .keptFree].contains(error.code) { return end(id, keeping: [found] + loan.pieces) }
            refused.insert(found.before)
        case .failure: refused.insert(found.before)
        }
        proceed(id)
    }

    private func end(_ id: FileID, keeping pieces: [FoundAudio] = []) {
        guard let loan = lent.removeValue(forKey: id) else { return }
        archive.endChange(of: id)
        if !isOver { waiting.putBack(pieces) }
        onEnd(loan.file, loan.checksum)
    }

    /// Puts nothing more into files: there is no time. A file that is getting its frames at this moment still gets
    /// them.
    func giveUp() {
        isOver = true
        waiting = WaitingAudio()
        for (id, loan) in lent {
            lent[id]?.pieces = []
            if loan.current.map({ $0.state.cancel() }) ?? true { end(id) }
        }
    }

    /// Ends at once, with what has been put in so far.
    func abandon() {
        isOver = true
        for id in lent.keys { end(id) }
    }
}
