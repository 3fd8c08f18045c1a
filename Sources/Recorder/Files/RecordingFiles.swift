// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import Storage

/// The files of a recording, and the ledger of their contents. Derives the sidecars from both, and hands them to the
/// writer when they change.
final class RecordingFiles {
    var list = RecorderFiles()
    var ledger: RecordingLedger
    private let settings: RecorderSettings
    /// The ID of the recording that this one continues.
    private var continues: String?
    private let writer: SegmentWriter
    private let reactor: any Reactor
    /// Decides when the sidecar of the growing file is due; nil if no sidecars are written.
    private let pace: SidecarPace?

    init(_ settings: RecorderSettings, writer: SegmentWriter, reactor: any Reactor) {
        self.settings = settings
        ledger = RecordingLedger(zone: settings.zone)
        continues = settings.continues
        self.writer = writer
        self.reactor = reactor
        pace = settings.writesSidecars ? SidecarPace(reactor) : nil
        pace?.onDue = { [weak self] in self?.refresh() }
    }

    // MARK: Deriving

    /// The sidecar with which a segment's file is opened. `folders`: the folders of that file.
    func first(of segment: SegmentAccount, in folders: [String], previous: String?) -> Sidecar {
        sidecar(of: segment, .growing, in: folders, previous: previous, next: nil)
    }

    /// A file's final sidecar; nil if no sidecars are written.
    func last(of file: RecorderFile) -> [UInt8]? { settings.writesSidecars ? complete(of: file).encoded : nil }

    /// The sidecar of a complete file, without the facts that only the writer knows.
    func complete(of file: RecorderFile) -> Sidecar { sidecar(of: file, .complete) }

    private func sidecar(of file: RecorderFile, _ state: Sidecar.State) -> Sidecar {
        sidecar(of: file.segment, state, in: file.spec.folders, previous: file.previous, next: file.next)
    }

    private func sidecar(
        of segment: SegmentAccount, _ state: Sidecar.State, in folders: [String], previous: String?, next: String?
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

    // MARK: Rewriting

    /// Begins the pace of sidecars for a file, which has begun with its first one.
    func began(_ file: RecorderFile, with first: Sidecar) {
        file.handedOver(first, reactor.now)
        pace?.begin()
    }

    /// Stops the rewrites until the next file begins.
    func pause() { pace?.stop() }

    /// Makes the growing file's sidecar due: an event that it lacks must not be lost if the process is killed.
    func hurry() { pace?.soon() }

    /// Rewrites the sidecar of a file.
    func rewrite(_ file: RecorderFile) {
        guard settings.writesSidecars else { return }
        switch file.stage {
        case .growing:
            let sidecar = sidecar(of: file, .growing)
            file.handedOver(sidecar, reactor.now)
            writer.setSidecar(sidecar.encoded, of: file.id)
        // The writer already has the final sidecar, and may be writing it right now.
        case .ending: file.isSidecarOutdated = true
        case .finished: writer.setSidecar(sidecar(of: file, .complete).encoded, of: file.id)
        }
    }

    /// Rewrites the sidecars of all files that contain some of these frames.
    func rewrite(_ frames: [Range<Int64>]) {
        guard !frames.isEmpty else { return }
        for file in list.all where frames.contains(where: ledger.range(of: file.segment).overlaps) { rewrite(file) }
    }

    /// Rewrites the sidecar of the recording's first file.
    func rewriteFirst() {
        if let first = list.all.first(where: { $0.segment.first == 0 }) { rewrite(first) }
    }

    /// Rewrites the growing file's sidecar, if it has changed enough or the last one written is too old.
    private func refresh() {
        // If no file is growing, the last file has failed, and the next file has not begun.
        guard let file = list.current else { return pause() }
        if file.isWorthWriting(sidecar(of: file, .growing), reactor.now) { rewrite(file) }
    }

    // MARK: Links

    /// Enters which recording this one continues, if `settings` named another one.
    func note(continues recording: String?) {
        continues = recording
        rewriteFirst()
    }

    /// Links a file that has got its first name with its neighbours. A file may begin before its predecessor has a name.
    func linkBegun(_ file: RecorderFile) {
        if file.previous == nil, let before = list.file(before: file) {
            file.previous = before.name
            rewrite(file)
        }
        guard let before = list.finished.last, before.next == nil else { return }
        before.next = file.name
        rewrite(before)
    }

    /// Corrects the neighbours' links to a file whose name has changed.
    func correctLinks(to file: RecorderFile, from formerName: String?) {
        guard file.name != formerName else { return }
        if let before = list.finished.last, before.next == formerName {
            before.next = file.name
            rewrite(before)
        }
        if let next = list.incomplete.first, next.previous == formerName {
            next.previous = file.name
            rewrite(next)
        }
    }

    /// Takes a file that is complete, and releases those whose sidecars will not change any more.
    func finish(_ file: RecorderFile) {
        list.finish(file, now: reactor.now)
        // The next file may already exist, so that its name is known.
        file.next = list.incomplete.first?.name
        if file.next != nil || file.isSidecarOutdated { rewrite(file) }
        for file in list.release(now: reactor.now) { writer.release(file.id) }
    }
}
