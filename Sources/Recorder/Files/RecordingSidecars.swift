// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats
import Storage

/// The ledger of a recording, and the sidecars of its files, which are derived from it. A sidecar that has changed is
/// handed to the writer.
final class RecordingSidecars {
    /// Called with each gap where audio could not be written.
    var onLost: ((Sidecar.Gap) -> Void)?
    /// Called when a gap has been entered.
    var onGap: (() -> Void)?

    private(set) var ledger: RecordingLedger
    private let files: PendingFiles
    /// Entries that belong to the next frame.
    private var entries: [SegmentEntry] = []
    /// Whether the gaps after the last frame are in the ledger already.
    private var hasEnteredEnd = false
    private let settings: RecorderSettings
    /// The ID of the recording that this one continues.
    private var continues: String?
    private let writer: SegmentWriter
    private let reactor: any Reactor
    /// Decides when the sidecar of the open file is due; nil if no sidecars are written.
    private let pace: SidecarPace?

    init(of files: PendingFiles, _ settings: RecorderSettings, writer: SegmentWriter, reactor: any Reactor) {
        (self.files, self.settings, self.writer, self.reactor) = (files, settings, writer, reactor)
        ledger = RecordingLedger(zone: settings.zone)
        continues = settings.continues
        pace = settings.writesSidecars ? SidecarPace(reactor) : nil
        pace?.onDue = { [weak self] in self?.refresh() }
    }

    // MARK: What happens

    /// Adds an entry that belongs to the next frame.
    func add(_ entry: SegmentEntry) { entries.appendBounded(entry) }

    /// Enters a chunk of a file, and the entries of its first frame.
    func enter(_ chunk: Chunk, into file: PendingFile, _ airTime: AirTime?) {
        let hasGap = enterWhatWaits()
        file.segment.count(chunk, airTime, at: reactor.readClocks())
        file.head.count(chunk)
        ledger.count(
            first: chunk.position.frames, frames: Int64(chunk.frames.count), bytes: Int64(chunk.bytes.count),
            seconds: chunk.duration.inSeconds)
        // If the process is killed now, the sidecar must already contain the gap.
        if hasGap, file === files.current { pace?.soon() }
    }

    /// Enters the lost audio and the waiting entries into the ledger, before the next frame or at the end. Returns
    /// whether there is a gap among them.
    @discardableResult
    func enterWhatWaits() -> Bool {
        let hasGap = !ledger.losses.isEmpty || entries.contains(where: \.losesAudio)
        endLosses()
        let changes = entries.map { ledger.enter($0) }
        entries.removeAll()
        if hasGap { onGap?() }
        let outdated = changes.flatMap(\.frames)
        for file in outdated.isEmpty ? [] : files.all {
            for case let delay? in changes.map(\.delay) { file.segment.delay(from: delay.from, by: delay.by) }
            if outdated.contains(where: ledger.range(of: file.segment).overlaps) { rewrite(file) }
        }
        return hasGap
    }

    /// Enters what follows the last frame. Returns whether there is a gap among it.
    func enterEnd() -> Bool {
        hasEnteredEnd = true
        return enterWhatWaits()
    }

    /// Enters the audio lost after the last frame, and all pending entries, into the last complete file. Returns the
    /// gaps of the station among them. `isFollowed`: these gaps are left to another recording.
    func end(isFollowed: Bool) -> [Sidecar.Gap] {
        guard hasEnteredEnd || !ledger.losses.isEmpty || !entries.isEmpty else { return [] }
        var open = entries.compactMap { ledger.gap(of: $0)?.gap }
        if isFollowed { entries.removeAll(where: \.losesAudio) }
        enterWhatWaits()
        if hasEnteredEnd { open = ledger.openGaps }
        hasEnteredEnd = false
        if let last = files.finished.last { rewrite(last) }
        return open
    }

    /// Enters a gap before the first frame: audio that the earlier recording, which this one continues, does not have
    /// either. Returns nil if the gap is none.
    func note(missingBefore gap: Gap) -> Sidecar.Gap? {
        var gap = gap
        // If the recording began in an outage of the station, the end of that time is in the station's own gap.
        if let known = ledger.gaps.first(where: { $0.position == 0 }), let length = gap.length {
            gap.length = min(length, known.at.instant - gap.at)
        }
        guard gap.length.map({ $0 >= Self.leastGap }) ?? true else { return nil }
        defer { rewriteFirst() }
        return ledger.insert(gap, at: 0)
    }

    /// Air times are accurate to a few milliseconds, and few frames last longer than this.
    private static let leastGap = Duration.milliseconds(100)

    /// Replaces the ID of the recording that this one continues. The settings may have named another one.
    func note(continues recording: String?) {
        continues = recording
        rewriteFirst()
    }

    // MARK: Lost audio

    /// Adds audio that the writer's queue has refused: see ``RecordingLedger/lose(_:isEarlier:)``.
    func lose(_ gap: Gap) { ledger.lose(gap) }

    /// Enters the frames of `rest` as lost: a file contained them, or was to contain them.
    func lose(_ rest: SegmentAccount, _ error: StorageError) {
        let gaps = ledger.spans(of: rest).map { span in
            Gap(at: span.lowerBound, length: span.length, cause: error.message, failure: error.failure)
        }
        ledger.forget(rest.range, bytes: rest.bytes, seconds: rest.seconds)
        for file in files.incomplete { file.segment.move(without: rest.range) }
        let next = files.incomplete.first { $0.segment.first == rest.first && $0.segment.frames > 0 }
        // If no recorded frame follows, the gaps are at the present end of the recording, and will be merged with
        // further losses.
        guard let next else { return gaps.reversed().forEach { ledger.lose($0, isEarlier: true) } }
        for gap in gaps { onLost?(ledger.insert(gap, at: rest.first)) }
        rewrite(next)
    }

    /// Enters the audio lost since the last frame as gaps behind it.
    func endLosses() {
        for gap in ledger.endLosses() { onLost?(gap) }
    }

    /// Takes the frames after the written ones from a file, and returns their account.
    func cut(_ file: PendingFile, after facts: FileFacts, nextNumber: Int) -> SegmentAccount {
        let missing = ledger.missing(in: file.segment, before: facts.frames)
        return file.segment.cut(facts, missing: missing, nextNumber: nextNumber)
    }

    // MARK: Found audio

    /// The frame of a file before which found audio belongs; nil if its gap is not in the file.
    func place(of found: FoundPiece, in file: PendingFile) -> Int64? {
        guard let place = ledger.place(of: found), ledger.range(of: file.segment).contains(place) else { return nil }
        return place - file.segment.first
    }

    /// Enters found audio that was put before a frame of a complete file, which is `segment` now. Returns what was put
    /// in, and the samples of it; nil if `segment` does not have it.
    func put(
        _ found: FoundPiece, before frame: Int64, into file: PendingFile, _ segment: LibrarySegment
    ) -> (audio: HealedAudio, samples: Int64)? {
        guard let sidecar = segment.sidecar, var new = sidecar.healed.first(where: { $0.position == frame }),
            let path = file.path
        else { return nil }
        let added = file.put(new, sidecar)
        for later in files.all where later.segment.first > file.segment.first {
            later.segment.move(over: new.frames)
        }
        let rest = found.continuesBefore && found.isContinuedAfter ? 0 : found.rest?.wholeMilliseconds
        let healed = HealedAudio(path: path, audio: new, rest: rest)
        new.position += file.segment.first
        ledger.put(new, of: found, bytes: added.bytes, seconds: file.segment.format.seconds(of: added.samples))
        return (healed, added.samples)
    }

    /// Removes the gap to which found audio without frames belongs: nothing is missing there.
    func removeGap(of found: FoundPiece, in file: PendingFile) {
        ledger.removeGap(of: found)
        file.isSidecarOutdated = true
    }

    // MARK: Files

    /// A file as the recorder reports it.
    func recorded(_ file: PendingFile, _ facts: FileFacts, isComplete: Bool) -> RecordedSegment {
        let step = ledger.clockStep(in: file.segment)
        return RecordedSegment(
            path: facts.path, at: CivilTime(file.segment.start, in: settings.zone), frames: facts.frames,
            bytes: facts.bytes, seconds: file.segment.format.seconds(of: facts.samples),
            missing: ledger.missing(in: file.segment), isComplete: isComplete, station: file.segment.station,
            clockStep: .milliseconds(step?.milliseconds ?? 0),
            leftOut: step.flatMap { _ in ledger.sidecar(of: file.segment, state: .growing).leftOut },
            number: file.segment.number)
    }

    /// A complete file as a segment of the library; nil if it is not complete.
    func librarySegment(of file: PendingFile) -> LibrarySegment? {
        guard let facts = file.facts, let name = facts.path.split(separator: "/").last else { return nil }
        let fileExtension = file.spec.fileExtension
        return LibrarySegment(
            folders: file.spec.folders, base: String(name.dropLast(fileExtension.count + 1)),
            audio: .init(fileExtension: fileExtension, bytes: facts.bytes, isPart: false),
            description: .sidecar(sidecar(of: file, facts)))
    }

    /// The sidecar of a complete file.
    func sidecar(of file: PendingFile, _ facts: FileFacts) -> Sidecar {
        var sidecar = sidecar(of: file, .complete)
        sidecar.checksum = facts.checksum
        return sidecar
    }

    /// The sidecar of a file, without the facts that only the writer knows.
    func sidecar(of file: PendingFile, _ state: Sidecar.State) -> Sidecar {
        sidecar(of: file.segment, state, in: file.spec.folders, previous: file.previous, next: file.next)
    }

    /// `folders`: the folders of the segment's file.
    func sidecar(
        of segment: SegmentAccount, _ state: Sidecar.State, in folders: [String], previous: String? = nil,
        next: String? = nil
    ) -> Sidecar {
        var sidecar = ledger.sidecar(of: segment, state: state)
        sidecar.recording = settings.recording
        if segment.first == 0 { sidecar.continues = continues }
        sidecar.isKept = settings.writesSidecars
        sidecar.stationID = settings.stationID
        sidecar.show = settings.show
        sidecar.isProtected = settings.isProtected
        sidecar.previous = relativeName(of: previous, from: folders)
        sidecar.next = relativeName(of: next, from: folders)
        return sidecar
    }

    // MARK: Writing

    /// Keeps the sidecar of the open file up to date from now on. The writer has been given `first` with the file.
    func begin(with first: Sidecar, of file: PendingFile) {
        file.handedOver(first, reactor.now)
        pace?.begin()
    }

    /// Ends that: the open file is being closed.
    func pause() { pace?.stop() }

    /// Hands the sidecar of a file to the writer, now or once the writer has completed the file or taken it back.
    /// Without sidecars, the mark of a growing file says where what was found for it belongs.
    func rewrite(_ file: PendingFile) {
        guard settings.writesSidecars || file.hasFound else { return }
        guard !file.isLent else { return file.isSidecarOutdated = true }
        switch file.stage {
        case .growing:
            let sidecar = sidecar(of: file, .growing)
            file.handedOver(sidecar, reactor.now)
            writer.setSidecar(sidecar.encoded, of: file.id)
        // The writer already has the final sidecar, and may be writing it right now.
        case .ending: file.isSidecarOutdated = true
        case .finished:
            file.isSidecarOutdated = false
            writer.setSidecar(sidecar(of: file, .complete).encoded, of: file.id)
        }
    }

    /// Has the writer take back a file. `checksum`: of its frames, if these have changed.
    func takeBack(_ file: PendingFile, checksum: UInt64?) {
        let isOutdated = checksum != nil || file.isSidecarOutdated
        file.isSidecarOutdated = false
        let sidecar = isOutdated && settings.writesSidecars ? sidecar(of: file, .complete).encoded : nil
        writer.takeBack(file.id, checksum: checksum, sidecar: sidecar)
    }

    private func rewriteFirst() {
        if let first = files.all.first(where: { $0.segment.first == 0 }) { rewrite(first) }
    }

    /// Rewrites the open file's sidecar, if it has changed enough or the last one written is too old.
    private func refresh() {
        // If no file is open, the last file has failed, and the next file has not begun.
        guard let file = files.current else {
            pace?.stop()
            return
        }
        if file.isWorthWriting(sidecar(of: file, .growing), reactor.now) { rewrite(file) }
    }
}
