// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import Storage

/// The sidecars of a recording: derives them from its ledger, and hands them to the writer when they change.
final class RecordingSidecars {
    /// Called when the sidecar of the growing file is due.
    var onDue: (() -> Void)? {
        get { pace?.onDue }
        set { pace?.onDue = newValue }
    }
    private let settings: RecorderSettings
    /// The ID of the recording that this one continues.
    private var continues: String?
    private let writer: SegmentWriter
    private let reactor: any Reactor
    /// Decides when the sidecar of the growing file is due; nil if no sidecars are written.
    private let pace: SidecarPace?

    init(_ settings: RecorderSettings, writer: SegmentWriter, reactor: any Reactor) {
        self.settings = settings
        continues = settings.continues
        self.writer = writer
        self.reactor = reactor
        pace = settings.writesSidecars ? SidecarPace(reactor) : nil
    }

    /// Names in sidecars from now on which recording this one continues, if `settings` named another one.
    func note(continues recording: String?) { continues = recording }

    // MARK: Deriving

    /// The sidecar with which a segment's file is opened. `folders`: the folders of that file.
    func first(
        of segment: SegmentAccount, in folders: [String], previous: String?, from ledger: RecordingLedger
    ) -> Sidecar {
        sidecar(of: segment, .growing, in: folders, previous: previous, next: nil, from: ledger)
    }

    /// A file's final sidecar; nil if no sidecars are written.
    func last(of file: RecorderFile, from ledger: RecordingLedger) -> [UInt8]? {
        settings.writesSidecars ? complete(of: file, from: ledger).encoded : nil
    }

    /// The sidecar of a complete file, without the facts that only the writer knows.
    func complete(of file: RecorderFile, from ledger: RecordingLedger) -> Sidecar {
        sidecar(of: file, .complete, from: ledger)
    }

    private func sidecar(of file: RecorderFile, _ state: Sidecar.State, from ledger: RecordingLedger) -> Sidecar {
        sidecar(of: file.segment, state, in: file.spec.folders, previous: file.previous, next: file.next, from: ledger)
    }

    private func sidecar(
        of segment: SegmentAccount, _ state: Sidecar.State, in folders: [String], previous: String?, next: String?,
        from ledger: RecordingLedger
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

    /// Rewrites the file's sidecar from the ledger.
    func rewrite(_ file: RecorderFile, from ledger: RecordingLedger) {
        guard settings.writesSidecars else { return }
        switch file.stage {
        case .growing:
            let sidecar = sidecar(of: file, .growing, from: ledger)
            file.handedOver(sidecar, reactor.now)
            writer.setSidecar(sidecar.encoded, of: file.id)
        // The writer already has the final sidecar, and may be writing it right now.
        case .ending: file.isSidecarOutdated = true
        case .finished: writer.setSidecar(sidecar(of: file, .complete, from: ledger).encoded, of: file.id)
        }
    }

    /// Rewrites the growing file's sidecar from the ledger, if it has changed enough or the last one written is too
    /// old.
    func refresh(_ file: RecorderFile, from ledger: RecordingLedger) {
        let new = sidecar(of: file, .growing, from: ledger)
        if file.isWorthWriting(new, reactor.now) { rewrite(file, from: ledger) }
    }
}
