// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import Storage

/// Puts found audio into the complete files of a recording.
///
/// Audio waits until the file with its gap is complete, with a copy on the disk: so much of it takes no memory, and the
/// process may die. The writer lends the file then, its audio is put in on another thread, piece by piece, and the
/// writer gets the file back. What cannot be put in stays missing.
final class FileHealing {
    /// Called with each piece that was put into a file.
    var onHealed: (HealedAudio) -> Void = { _ in }
    /// Called with each piece that could not be put in, because of the disk.
    var onProblem: (StorageError) -> Void = { _ in }
    /// Called when nothing more is put into a file at present, with whether its frames have changed.
    var onEnd: (PendingFile, _ hasChanged: Bool) -> Void = { _, _ in }

    private let files: PendingFiles
    private let sidecars: RecordingSidecars
    private let root: String
    private let floor: FreeSpaceFloor
    private let thread: HealingThread
    private let writer: SegmentWriter
    private let archive: RecordingArchive
    private let reactor: any Reactor
    private var waiting = WaitingAudio()
    /// The frames before which audio was not put in, or not kept. What was found for their gaps later builds on that
    /// audio, so it is left out as well.
    private var (refused, full) = (Set<Int64>(), Set<Int64>())
    /// Whether copies stay until their audio is in its file.
    private let keepsCopies: Bool
    private var lent: [FileID: Loan] = [:]
    private var lastOrder = 0
    private var isOver = false

    /// A file that the writer has lent.
    private struct Loan {
        let file: PendingFile
        /// What is to be put in, with the next piece first.
        var pieces: [FoundPiece]
        /// The piece that is being put in.
        var current: (number: Int, state: HealingThread.OrderState)?
        var checksum: UInt64?
    }

    init(
        of files: PendingFiles, _ sidecars: RecordingSidecars, root: String, floor: FreeSpaceFloor,
        thread: HealingThread, writer: SegmentWriter, archive: RecordingArchive, reactor: any Reactor, keepsCopies: Bool
    ) {
        (self.files, self.sidecars, self.root, self.floor) = (files, sidecars, root, floor)
        (self.thread, self.writer, self.archive, self.reactor) = (thread, writer, archive, reactor)
        self.keepsCopies = keepsCopies
    }

    /// Whether any file is lent.
    var isBusy: Bool { !lent.isEmpty }
    var hasWaiting: Bool { !waiting.isEmpty }

    /// Keeps found audio until it can be put into its file.
    func add(_ found: FoundAudio) {
        let isLeftOut = isOver || refused.contains(found.before) || full.contains(found.before)
        if !isLeftOut, !waiting.add(found) { full.insert(found.before) }
        healComplete()
    }

    /// Puts audio into the files that are complete already, as far as these are known.
    func healComplete() {
        saveWaiting()
        for file in files.finished where hasWaiting { begin(file) }
    }

    // MARK: Copies

    /// Saves what could not be saved before, because its gap was not known.
    func saveWaiting() { waiting.save(save) }

    /// Puts found audio on the disk beside the growing file that lacks it, whose sidecar must say so. Returns where it
    /// will be; nil if there is no such file.
    private func save(_ found: FoundAudio, of piece: FoundPiece) -> SavedAudio.Copy? {
        for file in files.incomplete {
            guard let place = sidecars.place(of: piece, in: file) else { continue }
            let record = SavedAudio.record(found, before: place)
            let begin = file.foundLength
            file.foundLength += Int64(record.count)
            sidecars.rewrite(file)
            writer.append(record, to: .found, of: file.id)
            return SavedAudio.Copy(beside: file.id, begin..<file.foundLength)
        }
        return nil
    }

    /// A part of a file's companion with copies is on the disk.
    func copied(_ range: Range<Int64>, of id: FileID) {
        if keepsCopies { waiting.copied(range, of: id) }
    }

    /// What belongs into a file has no copy beside it any more.
    func unsave(_ file: PendingFile) { waiting.unsave { belongs($0, in: file) } }

    /// Removes the copies of found audio, once the complete file has all of it.
    func removeCopies(of file: PendingFile) {
        guard file.hasFound, isDone(file) else { return }
        file.foundLength = 0
        writer.append([], to: .found, of: file.id)
    }

    // MARK: Files

    private func belongs(_ found: FoundPiece, in file: PendingFile) -> Bool {
        sidecars.place(of: found, in: file) != nil
    }

    /// Whether a complete file has everything that was found for it, so that no copy is needed.
    func isDone(_ file: PendingFile) -> Bool {
        !isOver && !file.isLent && !waiting.contains { belongs($0, in: file) }
    }

    /// Begins to put waiting audio into a complete file.
    func begin(_ file: PendingFile) {
        guard !isOver, !file.isLent else { return }
        let pieces = waiting.take { belongs($0, in: file) }
        guard !pieces.isEmpty else { return }
        lent[file.id] = Loan(file: file, pieces: pieces)
        file.isLent = true
        writer.lend(file.id)
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
        if loan.pieces.isEmpty, !isOver { loan.pieces = waiting.take { belongs($0, in: loan.file) } }
        guard !loan.pieces.isEmpty else { return end(id) }
        let found = loan.pieces.removeFirst()
        guard !refused.contains(found.before), found.parts.allSatisfy({ $0.audio != nil || $0.copy?.file == id }),
            let frame = sidecars.place(of: found, in: loan.file),
            let segment = sidecars.librarySegment(of: loan.file)
        else {
            refused.insert(found.before)
            lent[id] = loan
            return proceed(id)
        }
        guard found.frames > 0 else {
            lent[id] = loan
            sidecars.removeGap(of: found, in: loan.file)
            return proceed(id)
        }
        lastOrder += 1
        let (number, state) = (lastOrder, HealingThread.OrderState())
        loan.current = (number, state)
        lent[id] = loan
        let own = reactor.bind(self)
        let order = HealingThread.Order(root: root, segment, before: frame, found, floor: floor)
        let isGiven = thread.heal(order, state, now: reactor.wallNow) { result in
            own.tell { $0.take(result, of: found, before: frame, number, for: id) }
        }
        if !isGiven { end(id, keeping: [found] + loan.pieces) }
    }

    private func take(
        _ result: Result<LibrarySegment, RecordingHealer.Problem>, of found: FoundPiece, before frame: Int64,
        _ number: Int, for id: FileID
    ) {
        guard let loan = lent[id], loan.current?.number == number else { return }
        lent[id]?.current = nil
        switch result {
        case .success(let segment):
            lent[id]?.checksum = segment.sidecar?.checksum
            if let put = sidecars.put(found, before: frame, into: loan.file, segment) {
                archive.put(put.audio.audio.frames, samples: put.samples, before: frame, of: id)
                onHealed(put.audio)
            }
        case .failure(.storage(let error)):
            onProblem(error)
            // Once there is room again, the file is complete, and is tried again.
            if [.noSpace, .keptFree].contains(error.code) { return end(id, keeping: [found] + loan.pieces) }
            refused.insert(found.before)
        // Another process has the file for a moment.
        case .failure(.inUse): return end(id, keeping: [found] + loan.pieces)
        case .failure: refused.insert(found.before)
        }
        proceed(id)
    }

    private func end(_ id: FileID, keeping pieces: [FoundPiece] = []) {
        guard let loan = lent.removeValue(forKey: id) else { return }
        archive.endChange(of: id)
        if !isOver { waiting.putBack(pieces) }
        loan.file.isLent = false
        sidecars.takeBack(loan.file, checksum: loan.checksum)
        removeCopies(of: loan.file)
        onEnd(loan.file, loan.checksum != nil)
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
